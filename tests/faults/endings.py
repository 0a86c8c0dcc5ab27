#!/usr/bin/python3
"""How every command ends when it is disturbed: a table.

    tests/faults/endings.py BPERC [--n N] [--commands WORD ...] [--faults WORD ...]
        [--part K/P] [--seconds S]

Commands that take long, each with: Ctrl-C, SIGTERM, SIGHUP once they work or wait,
--time-limit, a full disk (/dev/full as standard output), limits on file sizes,
memory and open files, a standard output that is closed, a FIFO that nobody writes
as input, /dev/zero as input. For each: exit status, time from the disturbance to the
end, files left behind. An ending is good when the exit status is one that the fault
may have, no unfinished file and no journal is left, and with --json standard output
holds one object or nothing. --part: every P-th of all endings. --seconds: an ending
that takes longer after a signal or limit is bad, too (for a machine that is idle).
Exit status 1 when one is bad."""
import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

HANG = 120  # seconds until a command is taken not to end at all
LIMIT = 0.3  # of --time-limit

# {p}: an instance of N weights; {s}: small; {w}: a solution of it; {o}: a new folder.
COMMANDS = """
generate --n {n} --m {n} --fin 0.5 --a 12 --out {o}/p.txt
solve {p} --solver sbpi --restarts 1000000 --weights-out {o}/w.txt
solve {p} --solver rbp --restarts 1000000 --weights-out {o}/w.txt
solve {p} --solver bpd --weights-out {o}/w.txt
solve {p} --solver amp --restarts 1000000 --weights-out {o}/w.txt
solve {p} --weights-out {o}/w.txt --trace {o}/t.h5
solve {u} --solver exact
check {s} {w}
export {p} --format opb --out {o}/p.opb
bp {p} --tolerance 1e-300 --max-iterations 1000000000
decimate {p} --marginals bp
enumerate {u} --count-only
enumerate {l} --list {o}/l.h5
enumerate {u} --sample 10
xcorr {p} --sample 0
local-entropy {s} {w} --points 100000
walk {s} {w} --sweeps 1000000000 --weights-out {o}/w.txt
embed {l} --points 400 --restarts 1000 --svg {o}/e.svg --tsv {o}/e.tsv
capacity --n 400 --fin 0.3 --a 12 --trials 100000
solving-time --n 400 --fin 0.3 --a 12 --alpha 0.2 --trials 100000
theory capacity --a 12 --fin 0.5
theory curve --a 10:400:1 --fin 0.3
theory large-deviation --alpha 0.2 --a 40 --fin 0.5 --distances 0.01:0.4:0.001
theory geometry --alpha 0.2 --a 40 --fin 0.5 --x 0:0.9:0.001
theory concavity --a 40 --fin 0.5
fit {c} --folds 8 --model-out {o}/m.txt
predict {m} {c}
sweep {plan} --store {o}/s.db --out {o}/r
reproduce toy --experiments {x} --store {o}/s.db --out {o}/r
store check {store}
store merge {o}/m.db {store}
store export {store} --csv --out {o}/s.csv
report --experiments {y} --store {store} --out {o}/r
"""
PLAN = "[block toy]\nmeasurement = toy\nwork = 20000000\nx = 1:500:1\ninstances = 9\n"
SHORT_PLAN = "[block toy]\nmeasurement = toy\nx = 1:2:1\ninstances = 3\n"

SIGNALS = {"ctrl-c": signal.SIGINT, "sigterm": signal.SIGTERM, "sighup": signal.SIGHUP}
FAULTS = (*SIGNALS, "limit", "full", "fsize", "memory", "files", "closed", "fifo",
          "zero")
# What each may end with; 0 always: it was done before, or did not need it.
MAY = {**{name: (130, 1) for name in SIGNALS}, "limit": (1,), "full": (4, 1),
       "fsize": (4, 1), "memory": (4, 1, 3), "files": (4, 3, 1),
       "closed": (-signal.SIGPIPE, 4, 1), "fifo": (130,), "zero": (3, 130, 4)}


def work_of(pid):
    """CPU seconds of a process and whether it waits; None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            words = f.read().rpartition(")")[2].split()
    except OSError:
        return None
    return ((int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK"),
            words[0] == "S")


class Endings:
    def __init__(self, told, folder):
        self.told, self.folder = told, folder
        self.names = {"n": told.n, "o": "", "x": self.place("x"),
                      "y": self.place("y")}
        self.prepare()

    def place(self, name):
        return os.path.join(self.folder, name)

    def bperc(self, *words, **more):
        return subprocess.run([self.told.bperc, *map(str, words)], text=True,
                              capture_output=True, **more)

    def write(self, key, name, text):
        self.names[key] = self.place(name)
        os.makedirs(os.path.dirname(self.place(name)), exist_ok=True)
        with open(self.place(name), "w") as f:
            f.write(text)

    def generate(self, key, *words):
        self.names[key] = self.place(key + ".txt")
        self.bperc("generate", *words, "--out", self.names[key])

    def prepare(self):
        n = self.told.n
        self.generate("p", "--n", n, "--m", n // 5, "--fin", 0.5, "--a", 40)
        self.generate("s", "--n", 60, "--m", 9, "--fin", 0.3, "--a", 12)
        self.generate("u", "--n", 90, "--m", 30, "--fin", 0.5, "--a", 12)
        self.generate("l", "--n", 30, "--m", 5, "--fin", 0.3, "--a", 12)
        self.names["w"] = self.place("w.txt")
        self.bperc("solve", self.names["s"], "--weights-out", self.names["w"])
        rows = "\n".join(f"{k * k % 7 > 2:d},{k},{k * 7919 % 1009},{k * k % 97}"
                         for k in range(3000))
        self.write("c", "c.csv", f"label,a,b,c\n{rows}\n")
        self.names["m"] = self.place("m.txt")
        self.bperc("fit", self.names["c"], "--folds", 0, "--thresholds", 1,
                   "--model-out", self.names["m"])
        self.write("plan", "x/toy/plan", PLAN)
        self.names["plan"] = self.place("x/toy")
        self.write("short", "y/toy/plan", SHORT_PLAN)
        self.names["store"] = self.place("store.db")
        self.bperc("sweep", self.place("y/toy"), "--store", self.names["store"],
                   "--out", self.place("r"))

    # ---- one ending

    def limits(self, fault):
        def set_limits():
            if fault == "fsize":
                resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            if fault == "memory":
                resource.setrlimit(resource.RLIMIT_AS, (48 << 20, 48 << 20))
            if fault == "files":
                resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
        return set_limits

    def input_of(self, words, fault):
        """The first input file replaced, or None when there is none."""
        inputs = [self.names[k] for k in ("p", "s", "u", "l", "c", "m", "store", "plan")]
        where = [k for k, word in enumerate(words) if word in inputs]
        if not where:
            return None
        words = list(words)
        words[where[0]] = "/dev/zero" if fault == "zero" else self.place("fifo")
        return words

    def disturb(self, run, fault):
        """The time of the signal, once the command works or waits."""
        calm, before = 0, None
        while run.poll() is None:
            now = work_of(run.pid)
            if now is None:
                break
            calm = calm + 1 if now[1] and now[0] == before else 0
            before = now[0]
            if now[0] >= 0.3 or calm >= 20:
                break
            time.sleep(0.02)
        at = time.monotonic()
        if run.poll() is None:
            run.send_signal(SIGNALS.get(fault, signal.SIGINT))
        return at

    def run(self, words, fault):
        """(status, seconds to the end, its CPU seconds, out, err)"""
        if fault == "limit":
            words = [*words, "--time-limit", LIMIT]
        closed = os.open("/dev/full", os.O_WRONLY) if fault == "full" else None
        if fault == "closed":
            there, closed = os.pipe()
            os.close(there)
        start = time.monotonic()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            run = subprocess.Popen([self.told.bperc, *map(str, words)],
                                   stdin=subprocess.DEVNULL, stderr=err,
                                   stdout=out if closed is None else closed,
                                   preexec_fn=self.limits(fault))
            if closed is not None:
                os.close(closed)
            if fault in SIGNALS or fault in ("fifo", "zero", "full", "closed"):
                start = self.disturb(run, fault)
            elif fault == "limit":
                start += LIMIT
            else:
                start = self.disturb(run, "ctrl-c")
            try:
                run.wait(HANG)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
                return "hangs", HANG, "", ""
            seconds = time.monotonic() - start
            out.seek(0)
            err.seek(0)
            return run.returncode, max(0, seconds), out.read(), err.read()

    def left(self, folder):
        return [name for _, _, names in os.walk(folder) for name in names
                if name.endswith((".part", "-journal", "-owners", "-wal"))]

    def judge(self, fault, status, seconds, out, left, err):
        bad = []
        if status not in (0, *MAY[fault]) and not (
                status in (130, 1) and fault in ("full", "fsize", "memory", "files",
                                                 "closed", "zero")):
            bad.append("status")
        if "hangs" == status:
            bad.append("hangs")
        if left:
            bad.append("left")
        if out.strip() and fault != "fsize":
            try:
                json.loads(out)
            except ValueError:
                bad.append("json")
        if self.told.seconds and seconds > self.told.seconds and (
                fault in SIGNALS or fault in ("limit", "fifo", "zero")):
            bad.append("slow")
        if status in (2, 3, 4) and not err.strip():
            bad.append("says nothing")
        return " ".join(bad)

    def ending(self, command, fault):
        folder = tempfile.mkdtemp(dir=self.folder)
        words = command.format(**{**self.names, "o": folder}).split() + ["--json"]
        if words[0] == "predict" or words[:2] == ["store", "export"]:
            words.remove("--json")
        if fault == "limit" and words[0] in ("check", "export", "generate", "predict",
                                             "store", "report"):
            return None
        if fault in ("fifo", "zero"):
            words = self.input_of(words, fault)
            if not words:
                return None
        status, seconds, out, err = self.run(words, fault)
        left = self.left(folder)
        plain = "--json" not in words
        bad = self.judge(fault, status, seconds, "" if plain else out, left, err)
        return status, seconds, left, bad, err.strip().splitlines()[-1:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bperc")
    parser.add_argument("--n", type=int, default=1001)
    parser.add_argument("--commands", nargs="*")
    parser.add_argument("--faults", nargs="*", default=FAULTS)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--seconds", type=float, default=0)
    told = parser.parse_args()
    told.bperc = os.path.abspath(told.bperc)
    k, parts = map(int, told.part.split("/"))
    commands = [c for c in COMMANDS.strip().splitlines()
                if not told.commands or any(w in c for w in told.commands)]
    every = [(c, f) for c in commands for f in told.faults]
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(os.path.join(folder, "fifo"))
        endings = Endings(told, folder)
        for command, fault in every[k::parts]:
            got = endings.ending(command, fault)
            if not got:
                continue
            status, seconds, left, bad, said = got
            count, wrong = count + 1, wrong + bool(bad)
            print(f"{command.split(' --out')[0][:44]:44} {fault:8} {status!s:>5} "
                  f"{seconds:7.2f} s  {','.join(left) or '-':10} "
                  f"{'BAD ' + bad if bad else ''} {said[0][:90] if said and bad else ''}",
                  flush=True)
    print(f"{count} endings, {wrong} bad")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
