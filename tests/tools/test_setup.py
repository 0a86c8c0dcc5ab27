"""tools/setup where there is no apt: what it names, and what it does not need."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PLAIN = ["sh", "sed", "awk", "sort", "cut", "dirname", "grep", "cat", "head", "id"]


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = pathlib.Path(folder.name)

    def run_setup(self, programs, *lists):
        for name in programs:
            (self.bin / name).symlink_to(shutil.which(name))
        return subprocess.run(
            [TOP / "tools/setup", *lists], capture_output=True, text=True,
            env=dict(os.environ, PATH=str(self.bin)))

    def test_without_anything_it_names_all_and_says_how_to_build(self):
        done = self.run_setup(PLAIN)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in ("no apt", "cmd:meson", "pc:gsl", "Random123/philox.h",
                     "pc:sqlite3", "pc:jansson", "\n  meson setup build\n",
                     "\n  ninja -C build\n"):
            self.assertIn(word, done.stdout)
        hdf5 = re.search(".*pc:hdf5.*", done.stdout)[0]
        self.assertIn("can be left out", hdf5)

    def test_with_all_of_it_there_is_nothing_to_say(self):
        done = self.run_setup(PLAIN + ["cc", "as", "ld", "meson", "ninja",
                                       "pkg-config"])
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_what_can_be_left_out_does_not_stop_it(self):
        done = self.run_setup(PLAIN + ["cc", "as", "ld", "meson", "ninja",
                                       "pkg-config"], "demo")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("cmd:gnuplot", done.stdout)
        self.assertNotIn("then:", done.stdout)

    def test_what_only_dpkg_knows_is_left_to_the_build(self):
        done = self.run_setup(PLAIN, "python", "fuzz")
        self.assertNotIn("python3-dev", done.stdout)
        self.assertNotIn("libclang-rt-dev", done.stdout)
        self.assertIn("cmd:clang", done.stdout)

    def test_lists_have_three_columns(self):
        lists = sorted((TOP / "tools").glob("packages*.txt"))
        self.assertGreater(len(lists), 5)
        for path in lists:
            for line in path.read_text().splitlines():
                if not line.startswith("#"):
                    self.assertRegex(
                        line, r"^[a-z0-9.+-]+ +\??(-|(cmd|pc|h|py):\S+) +\S",
                        path.name)


if __name__ == "__main__":
    unittest.main()
