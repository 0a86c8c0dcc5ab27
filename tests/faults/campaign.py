#!/usr/bin/python3
"""Whole commands with one fault each: an allocation or a system call fails.

    tests/faults/campaign.py memory BPERC PRELOAD [--most K] [--commands WORD ...]
    tests/faults/campaign.py files BPERC [--most K] [--commands WORD ...]

memory: how many allocations a command makes; then it is run again with the k-th
one failing, and with all from the k-th on. files: the same for each call that
writes, synchronises, renames, truncates or closes, with a full disk and with an
input/output error, by strace. Every k, or K of them spread evenly when there are
more. An ending is good when the answer is the right one, or when the exit status
is 4, a sentence says why, and no unfinished file is left. Prints a table; exit
status 1 when an ending is bad."""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# FILES are made before; {o} is an empty folder that outputs go to.
COMMANDS = """
generate --n 40 --alpha 0.3 --fin 0.3 --a 12 --out {o}/p.txt
generate --n 40 --alpha 0.3 --fin 0.3 --a 12 --json --out {o}/p.txt
solve {p} --json
solve {p} --solver sbpi --weights-out {o}/w.txt
solve {p} --solver amp --json
solve {p} --solver rbp --json
solve {p} --solver bpd --json
solve {p} --solver exact --json
solve {p} --solver ecp --json
check {p} {w} --json --sums
export {p} --format opb --out {o}/p.opb
export {p} --format svmlight --out {o}/p.svm
export {p} --format hdf5 --out {o}/p.h5
solve {h} --solver sbpi --json
solve {p} --solver sbpi --trace {o}/t.h5 --json
export {p} --format hdf5-bits --out {o}/b.h5
enumerate {p} --list {o}/l.h5 --json
enumerate {p} --json
enumerate {p} --overlaps 5 --correlations
enumerate {p} --around {w} --json
enumerate {p} --json --sample 3
decimate {p} --marginals exact --json
decimate {p} --marginals bp --json
bp {p} --json
xcorr {p} --marginals bp --json
local-entropy {p} {w} --json
walk {p} {w} --sweeps 10 --json
walk {p} {w} --sweeps 10 --weights-out {o}/w.txt
embed {p} --points 20 --restarts 1 --svg {o}/e.svg --tsv {o}/e.tsv --json
null-rates --draws 1 --json
capacity --n 30 --fin 0.3 --a 12 --trials 3 --json
solving-time --n 30 --fin 0.3 --a 12 --alpha 0.2 --trials 3 --json
theory capacity --a 12 --fin 0.5 --json
theory franz-parisi --alpha 0.2 --a 40 --fin 0.5 --distances 0.01,0.05 --json
fit {c} --folds 2 --model-out {o}/m.txt --json
fit {c} --folds 0 --instance-out {o}/i.txt
predict {m} {c} --json
sweep {plan} --store {o}/s.db --out {o}/r --json
sweep {drawn} --trust --store {store} --out {o}/r --json
reproduce toy --experiments {x} --store {o}/s.db --out {o}/r --json
store check {store} --json
store merge {o}/m.db {store} --json
store export {store} --csv --out {o}/s.csv
report --experiments {x} --store {store} --out {o}/r --json
"""

PLAN = """[block toy]
measurement = toy
x = 1:2:1
instances = 3
"""

# The script draws what the tables hold: without it the picture is another one.
SCRIPT = "plot 'toy.tsv' using 1:2 with lines title 'drawn by plot.gp'\n"

ROWS = "label,a,b,c\n" + "".join(
    f"{k % 3 == 0:d},{k % 2},{k % 5 > 1:d},{k % 3 == 0:d}\n" for k in range(24))


CALLS = ["write,pwrite64,writev:ENOSPC", "write,pwrite64,writev:EIO",
         "fsync,fdatasync:EIO", "rename,renameat,renameat2:EIO",
         "ftruncate:ENOSPC"]


def run(words, **env):
    return subprocess.run(words, env=dict(os.environ, LC_ALL="C", **env),
                          capture_output=True, text=True, timeout=600)


class Memory:
    """Faults: allocation k, or all from k on."""

    def __init__(self, preload):
        self.preload = os.path.abspath(preload)

    def run(self, words, fault):
        return run(words, LD_PRELOAD=self.preload, FAULT=fault)

    def count(self, words, folder):
        path = os.path.join(folder, "count")
        done = run(words, LD_PRELOAD=self.preload, FAULT="0", FAULT_COUNT=path)
        with open(path) as f:
            return int(f.read()), done

    def faults(self, count, most):
        return [f"{k}{more}" for k in points(count, most) for more in ("", "+")]


class Files:
    """Faults: the k-th call of a kind fails with an error, in every thread and
    every program that is started, which count for themselves."""

    def run(self, words, fault):
        calls, error, k = fault.split(":")
        return run(["strace", "-f", "-qq", "-o", os.devnull, "-e", f"trace={calls}",
                    "-e", f"inject={calls}:error={error}:when={k}", *words])

    def count(self, words, folder):
        path = os.path.join(folder, "calls")
        names = ",".join(c.split(":")[0] for c in CALLS)
        done = run(["strace", "-f", "-qq", "-o", path, "-e", f"trace={names}", *words])
        with open(path) as f:
            self.seen = re.findall(r"^(\d+) +(\w+)\(", f.read(), re.M)
        return len(self.seen), done

    def longest(self, calls):
        """Calls of these kinds in the thread that makes most."""
        made = collections.Counter(who for who, call in self.seen if call in calls)
        return max(made.values(), default=0)

    def faults(self, count, most):
        return [f"{kind}:{k}" for kind in CALLS
                for k in points(self.longest(kind.split(":")[0].split(",")), most)]


def answer(text):
    """What a run says, without its times; fewer workers do where threads fail."""
    return re.sub(r'"(seconds\w*|busy|storing|workers|date|cpu)": [^,}]*|[0-9.e+-]+ (s|ms|us)\b', "", text)


def content(folder):
    """Names and sizes. The pages of a store come as they come, and a page for the
    browser may lack the numbers to hover over, which are an extra."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            size = None if name.endswith((".db", ".html")) else os.path.getsize(path)
            found[os.path.relpath(path, folder)] = size
    return found


class Campaign:
    def __init__(self, bperc, kind, folder):
        self.bperc, self.kind, self.folder = bperc, kind, folder
        place = lambda name: os.path.join(folder, name)
        self.names = {"p": place("p.txt"), "w": place("w.txt"),
                      "c": place("c.csv"), "h": place("p.h5"), "m": place("m.txt"),
                      "plan": place("x/toy"), "drawn": place("y/toy"),
                      "store": place("kept.db"), "x": place("x")}
        self.out = place("out")
        self.prepare()

    def bare(self, *words):
        done = run([self.bperc, *words])
        if done.returncode > 1:
            sys.exit(f"{words}: {done.stderr}")

    def prepare(self):
        n = self.names
        for experiment in (n["plan"], n["drawn"]):
            os.makedirs(experiment)
            with open(os.path.join(experiment, "plan"), "w") as f:
                f.write(PLAN)
        with open(os.path.join(n["drawn"], "plot.gp"), "w") as f:
            f.write(SCRIPT)
        with open(n["c"], "w") as f:
            f.write(ROWS)
        self.bare("generate", "--n", "24", "--m", "8", "--fin", "0.3", "--a", "8",
                  "--out", n["p"])
        self.bare("solve", n["p"], "--weights-out", n["w"])
        self.bare("export", n["p"], "--format", "hdf5", "--out", n["h"])
        self.bare("fit", n["c"], "--folds", "0", "--model-out", n["m"])
        self.bare("sweep", n["plan"], "--store", n["store"], "--out",
                  os.path.join(self.folder, "kept"))

    def words(self, command):
        shutil.rmtree(self.out, ignore_errors=True)
        os.mkdir(self.out)
        return [self.bperc, *command.format(o=self.out, **self.names).split()]

    def count(self, command):
        count, done = self.kind.count(self.words(command), self.folder)
        if done.returncode > 1 or not count:
            sys.exit(f"{command}: not a good command: {done.stderr}")
        return count, done, content(self.out)

    def judge(self, command, fault, good, files):
        """What is wrong with the ending, or nothing."""
        done = self.kind.run(self.words(command), fault)
        if done.returncode == good.returncode:
            if answer(done.stdout) != answer(good.stdout):
                return f"exit {done.returncode} with another answer: {done.stdout[:60]!r}"
            if content(self.out) != files:
                return f"exit {done.returncode} with other files: {content(self.out)}"
            return None
        if done.returncode != 4:
            return f"exit {done.returncode}: {done.stderr.strip()[:80]!r}"
        if not done.stderr.strip():
            return "exit 4 without a word"
        parts = [n for n in content(self.out) if n.endswith(".part")]
        return f"left behind: {parts}" if parts else None


def points(count, most):
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + k * (count - 1) // (most - 1) for k in range(most)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("memory", "files"))
    parser.add_argument("bperc")
    parser.add_argument("preload", nargs="?")
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--commands", nargs="*", default=[])
    told = parser.parse_args()
    if told.kind == "files" and (not shutil.which("strace") or
                                 run(["strace", "-qq", "true"]).returncode):
        print("skipped: strace is not there or may not trace")
        return 77
    wrong = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        kind = Memory(told.preload) if told.kind == "memory" else Files()
        c = Campaign(os.path.abspath(told.bperc), kind, folder)
        print(f"{'points':>11} {'tried':>6} {'bad':>4}  command")
        for command in COMMANDS.strip().splitlines():
            if told.commands and not any(w in command for w in told.commands):
                continue
            count, good, files = c.count(command)
            faults = kind.faults(count, told.most)
            bad = [(f, s) for f in faults
                   if (s := c.judge(command, f, good, files))]
            tried, wrong = tried + len(faults), wrong + len(bad)
            print(f"{count:11} {len(faults):6} {len(bad):4}  {command}", flush=True)
            for fault, why in bad[:told.show]:
                print(f"{'':24} FAULT={fault}: {why}", flush=True)
    print(f"{tried - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
