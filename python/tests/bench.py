"""Times that no test looks at: the cost of a call, two threads, Ctrl-C, grids
of theory.

    PYTHONPATH=build/python python3 python/tests/bench.py
"""
import threading
import time

import numpy as np

from bperc import Problem, theory
from bperc._core import ffi, lib


def fastest(call, runs=300):
    """Microseconds of the fastest of many runs."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return 1e6 * min(times)


def overhead():
    """A solve at N = 480 from Python, and the C call alone."""
    p = Problem.random(480, alpha=0.2, fin=0.3, a=40)
    solver = lib.bperc_solver_find(b"sbpi")
    how = ffi.new("bperc_run_options *", {"seed": 1, "threads": 1})
    out = ffi.new("bperc_run_result *")

    def plain():
        lib.bperc_run(solver, p._in, ffi.NULL, how, out, ffi.NULL)
        lib.bperc_run_clear(out)

    whole = fastest(lambda: p.solve("sbpi", threads=1))
    print(f"solve at N = 480: {whole:.1f} us, {whole - fastest(plain):.1f} us "
          "beyond the C call")


def two_threads():
    """Two problems one after the other, and in two threads."""
    problems = [Problem.random(4000, alpha=0.5, fin=0.5, a=40, seed=s)
                for s in (1, 2)]

    def work(p):
        p.solve("sbpi", max_sweeps=60, threads=1)

    def one():
        for p in problems:
            work(p)

    def two():
        threads = [threading.Thread(target=work, args=(p,)) for p in problems]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    print("two problems in two threads:",
          f"{fastest(one, 25) / fastest(two, 25):.2f} times as fast as in one")


def interrupts():
    from test_control import interrupted
    for call in ("solve", "count", "theory", "sweep"):
        worst = max(interrupted(call) for _ in range(3))
        print(f"Ctrl-C in {call}: {worst:.3f} s at most")


def grids():
    alpha, fin = np.linspace(0.01, 0.4, 40), np.linspace(0.05, 0.95, 40)
    for name, call in (
            ("capacity", lambda: theory.capacity(np.linspace(4, 80, 40),
                                                 fin[:, None])),
            ("entropy", lambda: theory.entropy(alpha, 40, fin[:, None])),
            ("geometry", lambda: theory.geometry(alpha, 40, fin[:, None]))):
        begun = time.process_time()
        call()
        print(f"theory.{name} on 40 x 40 points: "
              f"{time.process_time() - begun:.2f} s of CPU")


if __name__ == "__main__":
    overhead()
    two_threads()
    interrupts()
    grids()
