#!/usr/bin/python3
"""A sweep and a merge killed at the k-th write: whatever is left can be read.

    tests/faults/after_kill.py BPERC AT_WRITE_SO [--step S]

For every S-th k until the command comes to its end: `store check`, `store export`,
`report` and `store merge` of the store that is left, each on a copy as the kill left
it. Good: exit status 0 or 1, or 3 where nothing was stored yet and the message says
so. Prints how many kills there were; exit status 1 when one is not good."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile

PLAN = "[block toy]\nmeasurement = toy\nx = 1:9:1\ninstances = 3\n"
NOTHING_YET = ("is empty", "no results", "No such file", "no such file",
               "cannot be opened")
MOST = 400


class AfterKill:
    def __init__(self, bperc, preload, folder):
        self.bperc, self.preload, self.folder = bperc, preload, folder
        os.makedirs(self.place("x/toy"))
        with open(self.place("x/toy/plan"), "w") as f:
            f.write(PLAN)
        self.run("sweep", self.place("x/toy"), "--store", self.place("from.db"),
                 "--out", self.place("r"))

    def place(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, **env):
        return subprocess.run([self.bperc, *words], capture_output=True, text=True,
                              env=dict(os.environ, **env), timeout=120)

    def copy(self):
        """The store with its journal, as the kill left them."""
        shutil.rmtree(self.place("copy"), ignore_errors=True)
        os.mkdir(self.place("copy"))
        for ending in ("", "-journal", "-owners"):
            if os.path.exists(self.place("s.db" + ending)):
                shutil.copy(self.place("s.db" + ending), self.place("copy"))
        return self.place("copy/s.db")

    def readers(self):
        yield lambda path: ("store", "check", path)
        yield lambda path: ("store", "export", path, "--csv", "--out",
                            self.place("copy/s.csv"))
        yield lambda path: ("report", "--experiments", self.place("x"), "--store",
                            path, "--out", self.place("copy/r"))
        yield lambda path: ("store", "merge", self.place("copy/m.db"), path)

    def judge(self, which, k):
        """How many readers failed."""
        bad = 0
        for reader in self.readers():
            words = reader(self.copy())
            done = self.run(*words)
            nothing = done.returncode in (3, 4) and any(
                text in done.stderr for text in NOTHING_YET)
            if done.returncode > 1 and not nothing:
                bad += 1
                print(f"{which} killed at write {k}, {words[0]} {words[1][:7]}: exit "
                      f"status {done.returncode}: {done.stderr.strip()[:160]}",
                      flush=True)
        return bad

    def kill_all(self, which, words, step):
        kills = bad = 0
        for k in range(1, MOST, step):
            for ending in ("", "-journal", "-owners"):
                if os.path.exists(self.place("s.db" + ending)):
                    os.unlink(self.place("s.db" + ending))
            done = self.run(*words, AT_WRITE=str(k), SIGNAL=str(int(signal.SIGKILL)),
                            LD_PRELOAD=self.preload)
            if done.returncode != -signal.SIGKILL:
                break
            kills += 1
            bad += self.judge(which, k)
        return kills, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bperc")
    parser.add_argument("preload")
    parser.add_argument("--step", type=int, default=1)
    told = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        a = AfterKill(os.path.abspath(told.bperc), os.path.abspath(told.preload), folder)
        store = a.place("s.db")
        for which, words in (
                ("sweep", ("sweep", a.place("x/toy"), "--threads", "1", "--store",
                           store, "--out", a.place("r2"))),
                ("merge", ("store", "merge", store, a.place("from.db")))):
            kills, bad = a.kill_all(which, words, told.step)
            wrong += bad
            print(f"{which}: {kills} kills, four readers each, {bad} failed")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
