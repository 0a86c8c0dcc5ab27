#!/usr/bin/python3
"""Sweeps and reports killed (SIGKILL) at chosen writes, then finished.

    tests/faults/kills.py BPERC AT_WRITE_SO [--kills K] [--seed S]

A run is killed at a write drawn at random, begun again, killed again, up to five
times, and then left alone. Tables and page must be those of a run that nobody
disturbed, and no unfinished file may be left. Prints how many kills there were;
exit status 1 when something differs."""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

PLAN = """title = A toy
[block curve]
measurement = toy
noise = 0.5
top = 2
x = 0:4:1
instances = 6
"""
CLAIMS = """[claim T2]
text = the line falls
expected = falls
test = trend table=curve y=line x=x direction=down
"""


def read_all(folder):
    """Every file but the store; dates and times cut out."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            if ".db" in name:
                continue
            with open(os.path.join(place, name), errors="replace") as f:
                text = re.sub(r"\(D:\d+|\d{4}-\d\d-\d\d|\d+:\d\d:\d\d", "", f.read())
            found[os.path.relpath(os.path.join(place, name), folder)] = text
    return found


class Kills:
    def __init__(self, bperc, preload, folder, seed):
        self.bperc, self.preload, self.folder = bperc, preload, folder
        self.draw = random.Random(seed)
        os.mkdir(self.place("toy"))
        for name, text in (("plan", PLAN), ("claims", CLAIMS)):
            with open(os.path.join(self.place("toy"), name), "w") as f:
                f.write(text)
        self.commands = [
            ["sweep", self.place("toy"), "--threads", "2", "--quiet", "--out"],
            ["report", "--store", self.place("whole/store.db"), "--quiet",
             "--experiments", self.folder, "--out"]]
        self.right = []
        for words, out in zip(self.commands, ("whole", "page")):
            self.finish(words, out)
            self.right.append(read_all(self.place(out)))

    def place(self, name):
        return os.path.join(self.folder, name)

    def finish(self, words, out):
        done = subprocess.run([self.bperc, *words, self.place(out)], text=True,
                              capture_output=True)
        if done.returncode > 1:
            sys.exit(f"{words}: {done.stderr}")

    def kill(self, words, k):
        """Whether it was killed, and not finished before its k-th write."""
        env = dict(os.environ, AT_WRITE=str(k), SIGNAL=str(int(signal.SIGKILL)),
                   LD_PRELOAD=self.preload)
        return subprocess.run([self.bperc, *words, self.place("killed")], env=env,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL
                              ).returncode == -signal.SIGKILL

    def round(self, which):
        """(kills, what is wrong or None)"""
        words = self.commands[which]
        shutil.rmtree(self.place("killed"), ignore_errors=True)
        kills = sum(self.kill(words, self.draw.randint(1, 60 if which == 0 else 6))
                    for _ in range(self.draw.randint(1, 5)))
        self.finish(words, "killed")
        now = read_all(self.place("killed"))
        parts = [name for _, _, names in os.walk(self.place("killed"))
                 for name in names if name.endswith((".part", "-owners", "-journal"))]
        if parts:
            return kills, f"left behind: {parts}"
        if now != self.right[which]:
            differ = sorted(n for n in set(now) | set(self.right[which])
                            if now.get(n) != self.right[which].get(n))
            return kills, f"{words[0]} differs in {differ}"
        return kills, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bperc")
    parser.add_argument("preload")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    kills = rounds = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        k = Kills(os.path.abspath(told.bperc), os.path.abspath(told.preload),
                  folder, told.seed)
        while kills < told.kills:
            more, why = k.round(rounds % 2)
            kills, rounds = kills + more, rounds + 1
            if why:
                wrong += 1
                print(f"seed {told.seed}, round {rounds}: {why}", flush=True)
    print(f"{kills} kills in {rounds} rounds of sweeps and reports")
    print(f"{rounds - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
