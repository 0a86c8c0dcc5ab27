"""What is installed can be used: program, manual pages, and the library
through its pkg-config file."""
import glob
import os
import subprocess

from harness import Case, main

PROGRAM = r"""
#include <bperc/bperc.h>
#include <stdio.h>
int main(void) {
  bperc_instance *in;
  bperc_error error;
  if (bperc_instance_generate(60, 12, 0.3, 6, BPERC_TIES_ZERO, 1, &in, &error))
    return puts(error.text), 1;
  printf("%zu %zu %s\n", in->n, in->m, bperc_version());
  bperc_instance_free(in);
  return 0;
}
"""


class Install(Case):
    def setUp(self):
        super().setUp()
        self.root = self.path("root")
        subprocess.run(["meson", "install", "-C", os.environ["BUILD"],
                        "--no-rebuild", "--destdir", self.root, "--quiet"],
                       check=True, capture_output=True)

    def find(self, pattern):
        found = glob.glob(f"{self.root}/**/{pattern}", recursive=True)
        self.assertTrue(found, pattern)
        return found[0]

    def test_everything_is_there(self):
        for name in ("bin/bperc", "man1/bperc.1", "man1/bperc-solve.1",
                     "man1/bperc-export.1", "completions/bperc", "bperc.pc",
                     "include/bperc/bperc.h", "libbperc.a", "libbperc.so"):
            self.find(name)
        self.assertIn("--format", self.run_ok("export", "--help"))
        with open(self.find("man1/bperc.1")) as page:
            self.assertIn("solve", page.read())

    def test_a_program_compiles_against_the_library(self):
        source = self.path("p.c", PROGRAM)
        package = self.find("bperc.pc")
        env = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(package),
                   PKG_CONFIG_SYSROOT_DIR=self.root)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "bperc"],
                               env=env, check=True, capture_output=True,
                               text=True).stdout.split()
        subprocess.run(["cc", "-Wall", "-Werror", source, "-o", self.path("p"),
                        *flags], check=True)
        folder = os.path.dirname(self.find("libbperc.so"))
        said = subprocess.run([self.path("p")], check=True, text=True,
                              capture_output=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=folder))
        self.assertTrue(said.stdout.startswith("60 12 "), said.stdout)

    def test_manual_pages_have_no_mistakes(self):
        for page in glob.glob(os.path.dirname(self.find("bperc.1")) + "/*.1"):
            with open(page) as text:
                first = text.readline()
            self.assertTrue(first.startswith(".TH BPERC"), page)


if __name__ == "__main__":
    main()
