"""Runs the program under test; what every command-line test imports."""
import json
import os
import subprocess
import tempfile
import unittest

BPERC = os.environ["BPERC"]
CASES = os.environ["CASES"]


def bperc(*args, stdin=None, env=None, timeout=300):
    """(exit status, stdout, stderr) of bperc with these arguments."""
    full = dict(os.environ, **(env or {}))
    done = subprocess.run([BPERC, *map(str, args)], input=stdin, text=True,
                          capture_output=True, env=full, timeout=timeout)
    return done.returncode, done.stdout, done.stderr


class Case(unittest.TestCase):
    """A scratch folder per test, and calls that check the exit status."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        full = os.path.join(self.folder.name, name)
        if text is not None:
            with open(full, "w" if isinstance(text, str) else "wb") as out:
                out.write(text)
        return full

    def generate(self, **options):
        """Path of a random instance: n=120, alpha=0.2, fin=0.3, ..."""
        path = self.path("p" + "_".join(map(str, options.values())) + ".txt")
        words = (word for name, value in options.items()
                 for word in ("--" + name, value))
        self.run_ok("generate", *words, "--out", path)
        return path

    def run_ok(self, *args, status=0, **more):
        code, out, err = bperc(*args, **more)
        self.assertEqual(code, status, f"{args}: {err}")
        return out

    def run_json(self, *args, status=0, **more):
        return json.loads(self.run_ok(*args, "--json", status=status, **more))

    def run_bad(self, *args, status, says, **more):
        """Fails with this status and one sentence that contains `says`."""
        code, out, err = bperc(*args, **more)
        self.assertEqual(code, status, f"{args}: {err}")
        self.assertEqual(err.strip().count("\n"), 0, err)
        self.assertIn(says, err)
        return err


def case(name):
    return os.path.join(CASES, name)


main = unittest.main
