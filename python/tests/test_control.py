"""Ctrl-C, time limits, cancelling: nothing here depends on speed.

A call that would last for a minute at least runs in the main thread of a child. Another
thread waits until the process has computed inside the call (its CPU clock
says so: preparing a call takes a hundredth of that), then sends SIGINT: an answer can only come by the interrupt.
"""
import subprocess
import sys
import threading

import numpy as np
import pytest

import bperc
from bperc import Problem, theory

CHILD = """
import os, signal, sys, threading, time
import numpy as np
import bperc
from bperc import Problem, theory
signal.signal(signal.SIGINT, signal.default_int_handler)  # even where the
# shell has it ignored, as for jobs in the background
hard = Problem.random(2000, alpha=0.5, fin=0.5, a=40)
wide = Problem.random(110, m=30, fin=0.5, a=12)
calls = dict(
    solve=lambda: hard.solve("sbpi", max_sweeps=10**9, cancel=bperc.Cancel()),
    callback=lambda: hard.solve("sbpi", max_sweeps=10**9,
                                callback=lambda t, e: None),
    count=lambda: wide.count(),
    theory=lambda: theory.franz_parisi(np.linspace(1e-4, 0.06, 4000), 0.2),
    grid=lambda: theory.entropy(np.linspace(0.01, 0.1, 10**5)),
    sweep=lambda: bperc.sweep({"measurement": "solving", "n": 2000,
                               "alpha": 0.5, "fin": 0.5, "a": 40,
                               "instances": 64, "sbpi.max_sweeps": 10**9}))
sent = []
def interrupt():
    while time.process_time() - begun < 0.4:
        time.sleep(0.002)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
name = sys.argv[1]
begun = time.process_time()
threading.Thread(target=interrupt, daemon=True).start()
try:
    calls[name]()
    print("ended by itself")
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - sent[0])
small = Problem.random(100, alpha=0.2, fin=0.3, a=20)
print("solved" if small.solve("sbpi").solved else "unsolved")
"""


def interrupted(call):
    """The seconds from the signal to KeyboardInterrupt; no test looks at
    them (bench.py does)."""
    done = subprocess.run([sys.executable, "-c", CHILD, call], text=True,
                          stdout=subprocess.PIPE)
    word, *rest = done.stdout.split()
    assert word == "interrupted" and rest[-1] == "solved", done.stdout
    return float(rest[0])


@pytest.mark.parametrize("call", ["solve", "callback", "count", "theory",
                                  "grid", "sweep"])
def test_sigint_raises_keyboard_interrupt(call):
    interrupted(call)


def test_time_limits():
    p = Problem.random(2000, alpha=0.5, fin=0.5, a=40)
    r = p.solve("sbpi", max_sweeps=10**9, timeout=0.05)
    assert r.status == "unsolved" and r.steps > 0
    assert p.check(r.weights).errors == r.errors
    with pytest.raises(TimeoutError):
        Problem.random(110, m=30, fin=0.5, a=12).count(timeout=0.05)
    with pytest.raises(TimeoutError):
        theory.franz_parisi(np.linspace(1e-4, 0.06, 4000), 0.2, timeout=0.05)


def test_cancelling_one_of_two_calls():
    """The other one gives the answer that it gives alone."""
    p = Problem.random(1000, alpha=0.5, fin=0.5, a=40)
    stop, out = bperc.Cancel(), {}
    both = threading.Barrier(2)

    def endless():
        out["cancelled"] = p.solve(
            "sbpi", max_sweeps=10**9, cancel=stop,
            callback=lambda t, e: both.wait() and False if t == 1 else None)

    def short():
        out["whole"] = p.solve(
            "sbpi", max_sweeps=30, callback=lambda t, e: meet(t))

    def meet(step):
        if step == 1:
            both.wait()
        if step == 15:  # half-way through this call the other one is ended
            stop.set()
            first.join()

    first, second = (threading.Thread(target=t) for t in (endless, short))
    first.start()
    second.start()
    second.join()
    alone = p.solve("sbpi", max_sweeps=30)
    assert not out["cancelled"].solved
    assert (out["whole"].weights == alone.weights).all()
    assert out["whole"].steps == alone.steps == 30


def test_cancelled_searches_and_sweeps():
    stop = bperc.Cancel()
    assert repr(stop) == "<Cancel, not set>"
    wide = Problem.random(110, m=30, fin=0.5, a=12)
    with pytest.raises(bperc.Cancelled):
        wide.count(cancel=stop, callback=lambda share, found: stop.set())
    assert stop.is_set()
    with pytest.raises(bperc.Cancelled):
        wide.count(callback=lambda share, found: True)
    pytest.importorskip("pandas")
    with pytest.raises(bperc.Cancelled):
        bperc.sweep({"measurement": "solving", "n": 2000, "alpha": 0.5,
                     "fin": 0.5, "a": 40, "sbpi.max_sweeps": 10**9},
                    callback=lambda done, total: True)


def test_a_solve_inside_a_solve():
    """Calls in a callback have controls of their own."""
    p = Problem.random(100, alpha=0.2, fin=0.3, a=20)
    inner = []
    outer = p.solve("sbpi", callback=lambda t, e: inner.append(
        p.solve("sbpi", seed=2).steps) and False)
    assert outer.solved and len(set(inner)) == 1


def test_two_threads_two_problems():
    problems = [Problem.random(300, alpha=0.2, fin=0.4, a=20, seed=s)
                for s in (1, 2)]
    alone = [p.solve("sbpi", seed=5).weights for p in problems]
    out = [None, None]

    def work(k):
        for _ in range(20):
            out[k] = problems[k].solve("sbpi", seed=5).weights

    threads = [threading.Thread(target=work, args=(k,)) for k in (0, 1)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for mine, other in zip(alone, out):
        assert (mine == other).all()
