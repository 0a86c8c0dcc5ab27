"""tools/soak says so when one of its parts ends badly. The parts are replaced by
scripts here: they have tests of their own (fuzz/theorems, faults/kills)."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


class Soak(unittest.TestCase):
    def soak(self, tasks, theorems):
        """Exit status and output, with parts that end so; the sweeps of `bperc`
        always fail."""
        with tempfile.TemporaryDirectory() as folder:
            for name, code in (("tests/faults/long_run", tasks),
                               ("tests/fuzz/replay_theorems", theorems), ("bperc", 4)):
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"#!/bin/sh\necho said by {path.name}\nexit {code}\n")
                os.chmod(path, 0o755)
            done = subprocess.run([sys.executable, TOP / "tools/soak", "0", "--build", folder,
                                   "--seed", "5"], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_what_is_wrong_is_said(self):
        code, text = self.soak(tasks=0, theorems=0)
        self.assertEqual(code, 1, text)
        self.assertIn("kills, seed 5: exit 1", text)
        self.assertIn("1 rounds of 3000 problems and 20 kills, 1 parts wrong", text)
        self.assertNotIn("theorems, seed", text)

    def test_every_part_counts(self):
        code, text = self.soak(tasks=3, theorems=2)
        self.assertEqual(code, 1, text)
        self.assertIn("theorems, seed 5: exit 2: said by replay_theorems", text)
        self.assertIn("said by long_run\nlong_run: exit 3\n", text)
        self.assertIn("3 parts wrong", text)


if __name__ == "__main__":
    unittest.main()
