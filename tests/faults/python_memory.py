#!/usr/bin/python3
"""The Python package with one failing allocation each.

    tests/faults/python_memory.py PRELOAD [--most K]      (PYTHONPATH: the package)

Every call below is counted, then repeated with its k-th allocation failing, and
with all from the k-th on: those that our library, GSL and SQLite ask for. (numpy
and the interpreter are not tried: numpy 1.24 itself ends with SystemError or a
signal when its memory fails, also without bperc: docs/robustness.md.) Every k, or K of them spread evenly. An ending is good when the answer is the right one
or a MemoryError or BpercError comes; a signal, a wrong answer or another
exception is bad. Prints a table; exit status 1 when an ending is bad."""
import argparse
import ctypes
import os
import subprocess
import sys

MARK = "ending "


def calls():
    """Name -> function that gives something to compare."""
    import bperc
    import numpy as np
    p = bperc.Problem.random(24, m=8, fin=0.3, a=8)
    w = p.solve("sbpi", threads=1).weights
    space = p.solutions(threads=1)
    x = np.eye(24, dtype=np.uint8)[:8]
    y = np.arange(8) % 2

    def bits(a):
        return np.asarray(a).tobytes()
    found = {"random": lambda: bperc.Problem.random(24, m=8, fin=0.3, a=8).n,
             "from arrays": lambda: bperc.Problem(x, y, a=8).m,
             "check": lambda: p.check(w).errors,
             "bp": lambda: bits(p.bp().marginals),
             "solutions": lambda: bits(p.solutions(threads=1).array),
             "clusters": lambda: bits(space.clusters().sizes),
             "moments": lambda: bits(space.correlations()),
             "decimate": lambda: bits(p.decimate("exact").order),
             "walk": lambda: bits(p.walk(w, 10).weights),
             "sample": lambda: bits(p.sample(3)),
             "theory": lambda: float(bperc.theory.capacity(40.0, 0.5))}
    for solver in ("sbpi", "amp", "rbp", "bpd", "exact", "auto"):
        found["solve " + solver] = lambda s=solver: bits(p.solve(s, threads=1).weights)
    return found


def ending(call, right, errors):
    """None when it is good, else what is wrong."""
    try:
        got = call()
    except errors:
        return None
    except Exception as other:  # what it is, is the answer
        return f"{type(other).__name__}: {str(other)[:60]}"
    return None if got == right else "another answer"


def child(name, most):
    """Runs in a process of its own, with the preload; a line before each try, so
    that the parent knows where it ended."""
    preload = ctypes.CDLL(None)
    preload.fault_disarm.restype = ctypes.c_long
    call = calls()[name]
    found = [preload.fault_only(word) for word in (b"/_bperc.", b"/libbperc", b"/libgsl", b"/libsqlite")]
    assert found[1] > 0 and found[2] > found[1], "libraries are not where they should be"
    import bperc
    errors = (MemoryError, bperc.BpercError)
    right = call()
    call()
    preload.fault_arm(ctypes.c_long(0), 0)
    call()
    count = preload.fault_disarm()
    print(f"count {count}", flush=True)
    ks = (range(1, count + 1) if count <= most else
          sorted({1 + k * (count - 1) // (most - 1) for k in range(most)}))
    for k in ks:
        for onwards in (0, 1):
            os.write(1, f"try {k} {onwards}\n".encode())
            preload.fault_arm(ctypes.c_long(k), onwards)
            try:
                wrong = ending(call, right, errors)
            except MemoryError:  # from Python, while it looked
                wrong = None
            finally:
                preload.fault_disarm()
            if wrong:
                print(MARK + wrong, flush=True)


def run(name, told):
    """(count, tries, list of bad endings)"""
    env = dict(os.environ, LD_PRELOAD=os.path.abspath(told.preload), OMP_NUM_THREADS="1",
               OPENBLAS_NUM_THREADS="1")
    done = subprocess.run([sys.executable, __file__, told.preload, "--most", str(told.most),
                           "--call", name], env=env, capture_output=True, text=True)
    rows = done.stdout.splitlines()
    bad = [f"{rows[k - 1]}: {row[len(MARK):]}" for k, row in enumerate(rows)
           if row.startswith(MARK)]
    if done.returncode != 0:
        bad.append(f"{rows[-1] if rows else 'at the start'}: exit {done.returncode}, "
                   f"{done.stderr.strip()[-200:]!r}")
    count = next((int(r.split()[1]) for r in rows if r.startswith("count")), 0)
    return count, sum(r.startswith("try") for r in rows), bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("preload")
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--call")
    parser.add_argument("--calls", nargs="*", default=[])
    told = parser.parse_args()
    if told.call:
        return child(told.call, told.most)
    tried = wrong = 0
    print(f"{'points':>11} {'tried':>6} {'bad':>4}  call")
    for name in calls():
        if told.calls and not any(word in name for word in told.calls):
            continue
        count, tries, bad = run(name, told)
        tried, wrong = tried + tries, wrong + len(bad)
        print(f"{count:11} {tries:6} {len(bad):4}  {name}", flush=True)
        for why in bad[:3]:
            print(f"{'':24} {why}", flush=True)
    print(f"{tried - wrong} passed, {wrong} failed")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
