#!/usr/bin/python3
"""Whole commands with one fault each: an allocation or a system call fails.

    tests/faults/campaign.py memory BPERC FAILING_MEMORY_SO [options]
    tests/faults/campaign.py files BPERC FAILING_CALLS [options]
        --most K  --last K  --part K/N  --calls KIND:ERROR ...  --commands WORD ...

memory: how many allocations a command makes; then it is run again with the k-th
one failing, and with all from the k-th on. files: the same for each system call
that writes, synchronises, renames, truncates, creates or removes, of the program
and of those that it starts: a write of half of the bytes, a full disk, from there
on or once, an input/output error, or SIGKILL instead of the call. Every k, or K of
them spread evenly when there are more (--last: the last K, where answers are
printed); --part: every N-th of these. An ending is good when the answer and the
files are the right ones, or when the exit status is 4, a sentence says why, and no
unfinished file is left; after a failing system call the same command, run once
more, must then end well. After half a write it must end well at once. Prints a
table; exit status 1 when an ending is bad, 77 where no program may be traced."""
import argparse
import hashlib
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
generate --n 40 --alpha 0.3 --fin 0.3 --a 12 --teacher-out {o}/t.txt --out {o}/p.txt
generate --data {c} --m 9 --a 8 --json --out {o}/p.txt
help
solve --help
__man solve
solve {p} --json
solve {p} --solver sbpi --weights-out {o}/w.txt
solve {p} --solver amp --json
solve {p} --solver rbp --json
solve {p} --solver bpd --json
solve {p} --solver exact --json
solve {p} --solver ecp --json
solve {s} --solver auto --a 8 --class-weights balanced --time-limit 60 --json
check {p} {w} --json --sums
export {p} --format lp
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
enumerate {p} --pairs --fix 0=1,3=0 --json
decimate {p} --marginals exact --json
decimate {p} --along {order} --json
decimate {p} --marginals bp --json
bp {p} --json
bp {p} --centred --all
xcorr {p} --marginals bp --json
xcorr {p} --marginals exact --order {order} --fixed 2 --json
xcorr {p} --marginals exact --order {decimated} --fixed 2 --json
local-entropy {p} {w} --json
walk {p} {w} --sweeps 10 --json
walk {p} {w} --sweeps 10 --weights-out {o}/w.txt
embed {p} --points 20 --restarts 1 --svg {o}/e.svg --tsv {o}/e.tsv --json
capacity --n 30 --fin 0.3 --a 12 --trials 3 --json
solving-time --n 30 --fin 0.3 --a 12 --alpha 0.2 --trials 3 --json
theory capacity --a 12 --fin 0.5 --json
theory entropy --alpha 0.2 --a 40 --fin 0.5 --json
theory curve --a 10,20 --fin 0.3 --json
theory large-deviation --alpha 0.2 --a 40 --fin 0.5 --distances 0.01 --json
theory geometry --alpha 0.2 --a 40 --fin 0.5 --x 0,0.5 --json
theory concavity --a 40 --fin 0.5 --tolerance 0.05 --smallest 0.05 --json
theory franz-parisi --alpha 0.2 --a 40 --fin 0.5 --distances 0.01,0.05 --json
fit {c} --folds 2 --model-out {o}/m.txt --json
fit {c} --folds 0 --instance-out {o}/i.txt
fit {array} --folds 0 --json
fit {values} --folds 0 --json
fit {c} --test {c} --complement --folds 2 --json
predict {m} {c} --json
predict {m} {c} --scores
sweep {plan} --store {o}/s.db --out {o}/r --json
sweep {plan} --store {o}/s.db --out {o}/r --shard 1/2 --quiet
sweep {drawn} --trust --store {store} --out {o}/r --json
reproduce toy --experiments {x} --store {o}/s.db --out {o}/r --json
store check {store} --json
store merge {o}/m.db {store} --json
store export {store} --csv --out {o}/s.csv
report --experiments {x} --store {store} --out {o}/r --json
reproduce T.1 --experiments {j} --store {judged} --out {o}/r --json
reproduce T.1 --experiments {j} --store {judged} --out {o}/r --list T.1
report --experiments {j} --out {o}/r --json
"""

PLAN = """[block toy]
measurement = toy
x = 1:2:1
instances = 3
"""

# Every rule and derived tables, on data that leave most tests undecided: a
# number that is lost shows.
JUDGED = """[block c]
measurement = toy
work = 0
x = 0:4:1
top = 2
noise = 0.5 1
instances = 4
[table c]
column twice = 2*y + x
column yes = (1 + y/abs(y))/2
[derive top]
from = c
rule = argmax
x = x
y = y
"""
CLAIMS = """[claim T.1]
text = it rises
expected = rises
test = trend table=c y=line x=x direction=up need=pooled by=noise
test = trend table=c y=yes x=x direction=up need=pooled by=
test = maximum table=c y=y x=x
test = order low=c:y high=c:twice need=pooled
test = order low=c:yes high=c:yes low_where=x=0 high_where=x=2 need=pooled
test = overlap a=c:y b=c:line tolerance=1 fraction=0.5
test = near table=top y=x value=2 tolerance=2 by=
test = above table=c y=y value=-30 need=pooled by=x
test = below table=c y=y value=1 of=median
"""

# The script draws what the tables hold: without it the picture is another one.
SCRIPT = "plot 'toy.tsv' using 1:2 with lines title 'drawn by plot.gp'\n"

ROWS = "label,a,b,c\n" + "".join(
    f"{k % 3 == 0:d},{k % 2},{k % 5 > 1:d},{k % 3 == 0:d}\n" for k in range(24))

# Of numpy: twelve rows of a label and two columns.
HEADER = "{'descr': '|u1', 'fortran_order': False, 'shape': (12, 3), }"
ARRAY = (b"\x93NUMPY\x01\x00\x76\x00" + HEADER.ljust(117).encode() + b"\n" +
         bytes(v for k in range(12) for v in (k % 2, k % 3, k % 5)))

# Kind and error; with a plus, all later ones too.
CALLS = ["write:short", "write:EIO", "write:ENOSPC", "write:ENOSPC+", "sync:EIO",
         "rename:EIO", "truncate:ENOSPC", "create:ENOSPC", "folder:ENOSPC",
         "remove:EIO", "any:kill"]


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

    def faults(self, count, told):
        return [f"{k}{more}" for k in points(count, told) for more in ("", "+")]


class Files:
    """Faults: the k-th call of a kind, in whichever thread or program it is."""

    def __init__(self, tool, folder):
        self.tool, self.counts = os.path.abspath(tool), os.path.join(folder, "calls")

    def run(self, words, fault):
        kind, error, k = fault.split(":")
        more = "+" if error.endswith("+") else ""
        return run([self.tool, f"{kind}:{error.rstrip('+')}:{k}{more}", self.counts,
                    *words])

    def count(self, words, _):
        done = run([self.tool, "count", self.counts, *words])
        with open(self.counts) as f:
            self.made = {kind: int(count) for kind, count in map(str.split, f)}
        return self.made["any"], done

    def faults(self, _, told):
        return [f"{call}:{k}" for call in told.calls
                for k in points(self.made[call.split(":")[0]], told)]


def answer(text):
    """What a run says, without its times; fewer workers do where threads fail."""
    return re.sub(r'"(seconds\w*|busy|storing|workers|date|cpu)": [^,}]*|[0-9.e+-]+ (s|ms|us)\b', "", text)


def read(path):
    """Size and hash, without the date in a PDF and the numbers to hover over of
    a page for the browser, which are an extra."""
    with open(path, "rb") as f:
        bytes_read = re.sub(rb'\(D:\d+|<pre class="points" hidden>.*?</pre>', b"",
                            f.read(), flags=re.DOTALL)
    return len(bytes_read), hashlib.sha256(bytes_read).hexdigest()


def content(folder):
    """Name -> size and hash. The pages of a store come as they come."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = (
                None if name.endswith(".db") else read(path))
    return found


def difference(got, wanted):
    """Names that are missing, too many or have other content, with sizes."""
    return {name: (got.get(name) or "-")[0] for name in sorted(got.keys() | wanted.keys())
            if name not in got or name not in wanted or
            got[name] != wanted[name]}


def is_of_files(fault):
    return ":" in fault


class Campaign:
    def __init__(self, bperc, kind, folder):
        self.bperc, self.kind, self.folder = bperc, kind, folder
        place = lambda name: os.path.join(folder, name)
        self.names = {"p": place("p.txt"), "w": place("w.txt"),
                      "c": place("c.csv"), "h": place("p.h5"), "m": place("m.txt"),
                      "plan": place("x/toy"), "drawn": place("y/toy"),
                      "s": place("p.svm"), "order": place("order.txt"),
                      "decimated": place("decimated.json"),
                      "array": place("rows.npy"), "values": place("rows.svm"),
                      "store": place("kept.db"), "x": place("x"),
                      "j": place("j"), "judged": place("judged.db")}
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
        judged = os.path.join(n["j"], "judged")
        os.makedirs(judged)
        for name, text in (("plan", JUDGED), ("claims", CLAIMS),
                           ("note.md", "Words on how it was measured.\n")):
            with open(os.path.join(judged, name), "w") as f:
                f.write(text)
        with open(n["c"], "w") as f:
            f.write(ROWS)
        self.bare("generate", "--n", "24", "--m", "8", "--fin", "0.3", "--a", "8",
                  "--out", n["p"])
        self.bare("solve", n["p"], "--weights-out", n["w"])
        self.bare("export", n["p"], "--format", "hdf5", "--out", n["h"])
        self.bare("export", n["p"], "--format", "svmlight", "--out", n["s"])
        with open(n["order"], "w") as f:
            f.write("3 0\n5 1\n")
        with open(n["decimated"], "w") as f:
            f.write('{"order": [3, 5], "values": [0, 1]}\n')
        with open(n["array"], "wb") as f:
            f.write(ARRAY)
        with open(n["values"], "w") as f:
            f.writelines(f"{k % 2} 1:{k / 8} 2:{k % 3 / 4}\n" for k in range(12))
        self.bare("fit", n["c"], "--folds", "0", "--model-out", n["m"])
        self.bare("sweep", n["plan"], "--store", n["store"], "--out",
                  os.path.join(self.folder, "kept"))
        self.bare("reproduce", "judged", "--experiments", n["j"], "--store",
                  n["judged"], "--out", os.path.join(self.folder, "kept"))
        self.bare("reproduce", "judged", "--experiments", n["j"], "--store",
                  n["judged"], "--out", os.path.join(self.folder, "kept"),
                  "--scale", "paper", "--save")

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
        words = self.words(command)
        done = self.kind.run(words, fault)
        if ":kill:" in fault:
            return self.judge_again(words, good, files) if "{o}" in command else None
        if done.returncode == good.returncode:
            if answer(done.stdout) != answer(good.stdout):
                return f"exit {done.returncode} with another answer: {done.stdout[:60]!r}"
            got = content(self.out)
            if fault.startswith("remove:"):  # what could not be removed is there
                got = {name: what for name, what in got.items() if name in files}
            if difference(got, files):
                return f"exit {done.returncode} with other files: {difference(got, files)}"
            return None
        if done.returncode != 4 or ":short:" in fault:
            return f"exit {done.returncode}: {done.stderr.strip()[:80]!r}"
        if not done.stderr.strip():
            return "exit 4 without a word"
        parts = [n for n in content(self.out) if n.endswith(".part")]
        if parts and not fault.startswith("remove:"):
            return f"left behind: {parts}"
        if is_of_files(fault) and "{o}" in command:
            return self.judge_again(words, good, files)
        return None

    def judge_again(self, words, good, files):
        """The same command once more, without a fault."""
        done = run(words)
        if done.returncode != good.returncode:
            return f"then exit {done.returncode}: {done.stderr.strip()[:80]!r}"
        if difference(content(self.out), files):
            return f"then other files: {difference(content(self.out), files)}"
        return None


def points(count, told):
    if told.last:
        return range(max(1, count - told.last + 1), count + 1)
    if count <= told.most:
        return range(1, count + 1)
    return sorted({1 + k * (count - 1) // max(1, told.most - 1)
                   for k in range(told.most)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("memory", "files"))
    parser.add_argument("bperc")
    parser.add_argument("tool", help="failing_memory.so or failing_calls")
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--last", type=int, default=0)
    parser.add_argument("--calls", nargs="*", default=CALLS)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--commands", nargs="*", default=[])
    told = parser.parse_args()
    if told.kind == "files" and run([told.tool, "count", os.devnull, "true"]).returncode:
        print("skipped: programs may not be traced here")
        return 77
    part, parts = map(int, told.part.split("/"))
    wrong = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        kind = (Memory(told.tool) if told.kind == "memory" else
                Files(told.tool, folder))
        c = Campaign(os.path.abspath(told.bperc), kind, folder)
        print(f"{'points':>11} {'tried':>6} {'bad':>4}  command")
        for command in COMMANDS.strip().splitlines():
            if told.commands and not any(w in command for w in told.commands):
                continue
            count, good, files = c.count(command)
            faults = kind.faults(count, told)[part - 1::parts]
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
