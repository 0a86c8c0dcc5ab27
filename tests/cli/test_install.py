"""What is installed can be used: program, manual pages, and the library
through its pkg-config file."""
import glob
import os
import shutil
import subprocess

from harness import Case, main

# Generate, solve, enumerate, predict.
PROGRAM = r"""
#include <bperc/bperc.h>
#include <stdio.h>
int main(void) {
  bperc_instance *in;
  bperc_error error;
  bperc_run_result run;
  bperc_solutions *all;
  int64_t sums[6];
  uint8_t labels[6];
  size_t right = 0;
  const bperc_ensemble kind = {
      .n = 24, .m = 6, .fin = 0.5, .model = {.a = 12}};
  if (bperc_ensemble_draw(&kind, 1, &in, &error) ||
      bperc_run(&bperc_sbpi_class, in, NULL, &(bperc_run_options){.seed = 1}, &run,
                &error) ||
      bperc_exact_list(in, NULL, NULL, &all, &error))
    return puts(error.text), 1;
  bperc_instance_sums(in, run.weights, sums);
  bperc_instance_predict(in, run.weights, labels);
  for (size_t mu = 0; mu < in->m; mu++)
    right += labels[mu] == in->labels[mu] &&
             labels[mu] == (sums[mu] > in->theta);
  printf("%zu %zu %d %d %zu\n", in->n, in->m, run.outcome == BPERC_SOLVED,
         all->count > 0, right);
  bperc_solutions_free(all);
  bperc_run_clear(&run);
  bperc_instance_free(in);
  return 0;
}
"""


PLUS = r"""
#include <bperc/bperc.h>
#include <cstdio>
int main() {
  bperc_instance *in;
  bperc_error error;
  bperc_run_options how = {};
  bperc_run_result run;
  bperc_ensemble kind = {};
  how.seed = 1;
  kind.n = 24;
  kind.m = 6;
  kind.fin = 0.5;
  kind.model.a = 12;
  if (bperc_ensemble_draw(&kind, 1, &in, &error))
    return std::puts(error.text), 1;
  if (bperc_run(&bperc_exact_class, in, nullptr, &how, &run, &error))
    return std::puts(error.text), 1;
  bperc_score score;
  bperc_solutions *all;
  if (bperc_score_make(in, run.weights, &score) ||
      bperc_exact_list(in, nullptr, nullptr, &all, &error))
    return 1;
  std::printf("solved %d, %llu solutions, %zu of %zu\n",
              run.outcome == BPERC_SOLVED, (unsigned long long)all->count,
              score.tp + score.tn, in->m);
  bperc_solutions_free(all);
  bperc_run_clear(&run);
  bperc_instance_free(in);
}
"""


HDF5 = r"""
#include <bperc/bperc.h>
#include <stdio.h>
int main(void) {
  bperc_instance *in, *back;
  bperc_error error;
  const bperc_ensemble kind = {
      .n = 60, .m = 12, .fin = 0.3, .model = {.a = 6}};
  if (bperc_ensemble_draw(&kind, 1, &in, &error) ||
      bperc_instance_write(in, BPERC_FORMAT_HDF5, "p.h5", &error) ||
      bperc_instance_read("p.h5", NULL, &back, &error))
    return puts(error.text), 1;
  printf("%zu %zu\n", back->n, back->m);
  bperc_instance_free(in);
  bperc_instance_free(back);
  return remove("p.h5");
}
"""


# What the laboratory is for: a sweep and its table.
SWEEP = r"""
#include <bperc/lab/lab.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  const char *plan = "[block c]\nmeasurement = toy\nwork = 0\nx = 1 2 4\n"
                     "noise = 0\ninstances = 2\n";
  bperc_sweep_options how = {.seed = 3, .threads = 1};
  bperc_sweep_state state;
  bperc_experiment *x;
  bperc_store *store;
  bperc_tables *tables;
  bperc_error error;
  if (bperc_experiment_parse("toy", plan, strlen(plan), &x, &error) ||
      bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, &error) ||
      bperc_sweep_run((const bperc_experiment *const *)&x, 1, store, &how,
                      &state, &error) ||
      bperc_judge_tables(x, store, BPERC_SCALE_QUICK, 3, &tables, &error))
    return puts(error.text), 1;
  printf("%zu done, table %s\n", state.done, bperc_tables_name(tables, 0));
  bperc_tables_free(tables);
  bperc_store_close(store);
  bperc_experiment_free(x);
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
                     "doc/bperc/docs/sweeps.md", "site-functions/_bperc",
                     "vendor_completions.d/bperc.fish",
                     "include/bperc/bperc.h", "libbperc.a", "libbperc.so",
                     "bperc-lab.pc", "include/bperc/lab/lab.h", "libbperc-lab.a",
                     "libbperc-lab.so"):
            self.find(name)
        self.assertIn("--format", self.run_ok("export", "--help"))
        with open(self.find("man1/bperc.1")) as page:
            self.assertIn("solve", page.read())

    def compile_and_run(self, compiler, name, text, library="bperc"):
        """What a program outside the tree prints, by pkg-config alone."""
        source = self.path(name, text)
        package = self.find("bperc.pc")
        env = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(package),
                   PKG_CONFIG_SYSROOT_DIR=self.root)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", library],
                               env=env, check=True, capture_output=True,
                               text=True).stdout.split()
        subprocess.run([*compiler, source, "-o", self.path("p"), *flags],
                       check=True)
        folder = os.path.dirname(self.find("libbperc.so"))
        return subprocess.run([self.path("p")], check=True, text=True,
                              capture_output=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=folder)
                              ).stdout

    def test_a_program_compiles_against_the_library(self):
        said = self.compile_and_run(["cc", "-Wall", "-Werror"], "p.c", PROGRAM)
        self.assertEqual(said, "24 6 1 1 6\n")

    def test_a_program_of_the_core_loads_nothing_of_the_laboratory(self):
        said = self.compile_and_run(["cc", "-Wall", "-Werror"], "p.c", PROGRAM)
        self.assertEqual(said, "24 6 1 1 6\n")
        said = subprocess.run(["ldd", self.path("p")], text=True, check=True, env=dict(
            os.environ, LD_LIBRARY_PATH=os.path.dirname(self.find("libbperc.so"))),
            capture_output=True).stdout
        self.assertIn("libbperc.so.3", said)
        for other in ("sqlite", "jansson", "bperc-lab", "hdf5"):
            self.assertNotIn(other, said)

    def test_a_program_runs_a_sweep_with_the_laboratory(self):
        said = self.compile_and_run(["cc", "-Wall", "-Werror"], "s.c", SWEEP, "bperc-lab")
        self.assertEqual(said, "6 done, table c\n")

    def test_headers_are_c_plus_plus_too(self):
        for compiler in ("g++", "clang++"):
            if shutil.which(compiler):
                said = self.compile_and_run(
                    [compiler, "-std=c++17", "-pedantic", "-Wall", "-Werror"],
                    "p.cc", PLUS)
                self.assertRegex(said, r"^solved 1, \d+ solutions, 6 of 6$")

    def without_hint(self):
        """The environment of a user: nobody says where bperc-hdf5 is."""
        return {name: value for name, value in os.environ.items()
                if name != "BPERC_HDF5"}

    def test_hdf5_files_from_the_place_of_installation(self):
        program, out = self.find("bin/bperc"), self.path("p.h5")
        subprocess.run([program, "generate", "--n", "60", "--m", "12", "--fin",
                        "0.3", "--a", "6", "--out", self.path("p.txt")],
                       check=True, capture_output=True, env=self.without_hint())
        for call in ([program], ["bperc"]):
            env = dict(self.without_hint(), PATH=os.path.dirname(program) +
                       ":" + os.environ["PATH"])
            subprocess.run([*call, "export", self.path("p.txt"), "--format",
                            "hdf5", "--out", out], check=True, env=env)
            said = subprocess.run([*call, "export", out, "--format", "text"],
                                  check=True, env=env, capture_output=True)
            with open(self.path("p.txt"), "rb") as text:
                self.assertEqual(said.stdout, text.read())
            os.remove(out)

    def test_hdf5_files_from_a_program_with_the_library(self):
        os.environ.pop("BPERC_HDF5", None)
        said = self.compile_and_run(["cc", "-Wall", "-Werror"], "h.c", HDF5)
        self.assertEqual(said, "60 12\n")

    def test_a_missing_program_is_named(self):
        self.find("bperc-hdf5")
        for found in glob.glob(f"{self.root}/**/bperc-hdf5", recursive=True):
            os.remove(found)
        done = subprocess.run(
            [self.find("bin/bperc"), "generate", "--n", "60", "--m", "12",
             "--fin", "0.3", "--a", "6", "--format", "hdf5", "--out",
             self.path("p.h5")], capture_output=True, text=True,
            env=self.without_hint())
        self.assertEqual(done.returncode, 4)
        self.assertIn("p.h5: HDF5 files need the program bperc-hdf5, which is "
                      "not installed", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertFalse(os.path.exists(self.path("p.h5")))

    def test_few_libraries_are_loaded(self):
        """What every start pays for, and every host of the library."""
        for name, most in (("bin/bperc", 9), ("libbperc.so", 8)):
            said = subprocess.run(["ldd", self.find(name)], check=True,
                                  capture_output=True, text=True).stdout
            self.assertLessEqual(len(said.splitlines()), most, said)
            for other in ("hdf5", "curl", "lapack", "blas.so.3", "mpi"):
                self.assertNotIn(other, said)

    def test_only_public_names_are_shown(self):
        names = subprocess.run(["nm", "-D", "--defined-only",
                                self.find("libbperc.so")], check=True,
                               capture_output=True, text=True).stdout
        shown = [line.split()[-1] for line in names.splitlines()]
        self.assertTrue(shown)
        for name in shown:
            self.assertRegex(name, r"^(bperc_(?!i_)\w+@@)?BPERC_3$")

    def test_solvers_are_shown_as_classes_only(self):
        names = subprocess.run(["nm", "-D", "--defined-only",
                                self.find("libbperc.so")], check=True,
                               capture_output=True, text=True).stdout
        for solver in ("sbpi", "auto", "amp", "rbp", "bpd", "exact", "ecp"):
            self.assertIn(f"bperc_{solver}_class", names)
            for verb in ("new", "step", "view", "free"):
                self.assertNotIn(f"bperc_{solver}_{verb}", names)

    def test_manual_pages_have_no_mistakes(self):
        for page in glob.glob(os.path.dirname(self.find("bperc.1")) + "/*.1"):
            with open(page) as text:
                first = text.readline()
            self.assertTrue(first.startswith(".TH BPERC"), page)


if __name__ == "__main__":
    main()
