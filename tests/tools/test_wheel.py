"""tools/wheel: what it writes from a folder, and what it refuses."""
import base64
import hashlib
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"


def load_tool():
    path = str(TOP / "tools/wheel")
    loader = importlib.machinery.SourceFileLoader("wheel_tool", path)
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("wheel_tool", loader))
    loader.exec_module(module)
    return module


class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.package = self.folder / "bperc"
        (self.package / "bin").mkdir(parents=True)
        (self.package / "__init__.py").write_text("x = 1\n")
        self.tool = load_tool()

    def compile(self, name, *flags, text="int bperc_x(void) { return 1; }"):
        subprocess.run(["cc", "-x", "c", "-", "-shared", "-fPIC", "-o",
                        self.package / name, *flags], input=text, text=True,
                       check=True)

    def test_what_is_in_it(self):
        self.compile("_bperc.abi3.so")
        (self.package / "bin/bperc").write_text("#!/bin/sh\n")
        (self.package / "bin/bperc").chmod(0o755)
        path = self.tool.make_wheel(self.package, self.folder / "out")
        self.assertRegex(path.name,
                         r"^bperc-[0-9.]+-cp39-abi3-manylinux_2_\d+_\w+\.whl$")
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            record = [n for n in names if n.endswith(".dist-info/RECORD")][0]
            lines = wheel.read(record).decode().splitlines()
            self.assertEqual([line.split(",")[0] for line in lines], names)
            for line in lines[:-1]:
                name, digest, size = line.split(",")
                data = wheel.read(name)
                said = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
                self.assertEqual(digest, "sha256=" + said.decode().rstrip("="))
                self.assertEqual(int(size), len(data))
            self.assertTrue(all(n.startswith(("bperc/", "bperc-"))
                                for n in names))
            self.assertEqual(wheel.getinfo("bperc/bin/bperc").external_attr
                             >> 16, 0o100755)
            info = record.rpartition("/")[0]
            self.assertIn("bperc = bperc.__main__:main",
                          wheel.read(f"{info}/entry_points.txt").decode())
            self.assertIn("Requires-Dist: numpy",
                          wheel.read(f"{info}/METADATA").decode())
        again = self.tool.make_wheel(self.package, self.folder / "again")
        self.assertEqual(path.read_bytes(), again.read_bytes())

    def test_other_libraries_are_refused(self):
        self.compile("_bperc.abi3.so", "-Wl,--no-as-needed", "-lgsl")
        self.assertIsNone(self.tool.make_wheel(self.package, self.folder / "out"))

    def test_the_tag_follows_the_symbols(self):
        self.compile("new.so", text='#include <pthread.h>\n'
                     '__asm__(".symver pthread_create,pthread_create@GLIBC_2.34");\n'
                     'void *bperc_x(void) { return (void *)pthread_create; }')
        self.assertEqual(self.tool.newest_symbols(self.package / "new.so"),
                         (2, 34))


if __name__ == "__main__":
    unittest.main()
