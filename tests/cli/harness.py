"""Runs the program under test; what every command-line test imports."""
import json
import os
import pty
import signal
import subprocess
import tempfile
import time
import unittest

BPERC = os.environ["BPERC"]
CASES = os.environ["CASES"]


def bperc(*args, stdin=None, env=None, timeout=300):
    """(exit status, stdout, stderr) of bperc with these arguments."""
    full = dict(os.environ, **(env or {}))
    done = subprocess.run([BPERC, *map(str, args)], input=stdin, text=True,
                          capture_output=True, env=full, timeout=timeout)
    return done.returncode, done.stdout, done.stderr


def wait_until(event, run=None, seconds=300):
    """Until event() is true. The limit is for a broken program only; nothing
    depends on how soon it comes. `run` must not end before."""
    until = time.monotonic() + seconds
    while not event():
        if run is not None and run.poll() is not None:
            raise AssertionError(f"ended with {run.returncode} before")
        if time.monotonic() > until:
            raise AssertionError(f"not within {seconds} s")
        time.sleep(0.01)


def cpu_seconds(run):
    """Of a process so far: the time of the process, not of the machine."""
    with open(f"/proc/{run.pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class OnTerminal:
    """A run whose stderr is a terminal: what it shows tells where it is."""

    def __init__(self, *args, **more):
        try:
            self.lead, follow = pty.openpty()
        except OSError:
            raise unittest.SkipTest("no terminals on this machine")
        self.shown = ""
        self.run = subprocess.Popen([BPERC, *map(str, args)], stderr=follow,
                                    stdout=subprocess.PIPE, text=True, **more)
        os.close(follow)

    def read_until(self, *words):
        """All of `words` have been shown, and every function among them agrees
        with what was; False if it ended before."""
        while not all(word(self.shown) if callable(word) else word in self.shown
                      for word in words):
            try:
                more = os.read(self.lead, 100000).decode()
            except OSError:  # the other end is closed
                more = ""
            if not more:
                return False
            self.shown += more
        return True

    def interrupt(self):
        """(exit status, stdout) after SIGINT; the rest is in `shown`."""
        self.run.send_signal(signal.SIGINT)
        self.read_until("\0never\0")
        os.close(self.lead)
        out = self.run.stdout.read()
        self.run.stdout.close()
        return self.run.wait(), out


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
