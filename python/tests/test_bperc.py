"""The Python package against the program and against plain numpy."""
import doctest
import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import bperc
from bperc import Problem, theory

PROGRAM = os.environ.get("BPERC")
needs_program = pytest.mark.skipif(not PROGRAM, reason="BPERC is not set")


def program(*args):
    done = subprocess.run([PROGRAM, *map(str, args), "--json"], text=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def all_weights(n):
    return (np.arange(2 ** n)[:, None] >> np.arange(n)) & 1


@pytest.mark.parametrize("inputs", ["01", "pm", "signed"])
@pytest.mark.parametrize("weights", ["01", "pm"])
def test_spaces_equal_plain_loops(inputs, weights):
    rng = np.random.default_rng(5)
    values = {"01": (0, 1), "pm": (-1, 1), "signed": (-1, 0, 1)}[inputs]
    for _ in range(10):
        X = rng.choice(values, (4, 8))
        y = rng.integers(0, 2, 4)
        threshold = float(rng.choice([-0.5, 0, 1, 1.5]))
        w = all_weights(8)
        v = w if weights == "01" else 2 * w - 1
        good = (((v @ X.T > threshold) == y).all(axis=1))
        p = Problem(X, y, threshold=threshold, weights=weights)
        s = p.solutions()
        assert s.complete and s.count == good.sum() == p.count()
        assert {tuple(r) for r in s.array} == {tuple(r) for r in v[good]}
        assert (p.X == X).all() and (p.y == y).all()
        if s.count:
            np.testing.assert_allclose(s.marginals(), w[good].mean(axis=0))
            d = (w[good][:, None] != w[good][None]).sum(axis=2)
            pairs = np.bincount(d[np.triu_indices(len(d), 1)], minlength=9)
            assert (s.histogram() == pairs).all()
            assert (s.near(3)[:, 1] == (d == 1).sum(axis=1)).all()
            c = np.cov(w[good].T, bias=True)
            off = ~np.eye(8, dtype=bool)
            np.testing.assert_allclose(s.correlations()[off], c[off],
                                       atol=1e-12)
            assert s.clusters().sizes.sum() == s.count
            assert p.check(s.array[0]).satisfied


@needs_program
@pytest.mark.parametrize("solver", ["sbpi", "rbp", "bpd", "amp", "auto"])
def test_weights_equal_the_programs(solver, tmp_path):
    for seed in range(1, 4):
        p = Problem.random(120, alpha=0.2, fin=0.3, a=20, seed=seed)
        path = tmp_path / "p.txt"
        p.write(path)
        told = program("solve", path, "--solver", solver, "--seed", seed)
        mine = p.solve(solver, seed=seed)
        assert "".join(map(str, mine.weights)) == told["weights"]
        assert (mine.solved, mine.steps) == (told["solved"], told["steps"])
        assert Problem.read(path).check(mine.weights).errors == mine.errors


def test_options_traces_and_callbacks():
    p = Problem.random(480, alpha=0.2, fin=0.3, a=40)
    r = p.solve("sbpi", trace=True)
    assert r.steps == 26 and r.trace["hidden"].shape == (27, 480)
    assert ((r.trace["hidden"][-1] > 0) == r.weights).all()
    assert r.trace["errors"][-1] == 0
    seen = []
    stopped = p.solve("sbpi", callback=lambda t, e: seen.append(t) or t == 5)
    assert seen == list(range(6)) and not stopped.solved
    with pytest.raises(TypeError, match="max_sweeps"):
        p.solve("sbpi", max_sweep=3)
    with pytest.raises(bperc.BpercError, match="range"):
        p.solve("sbpi", max_sweeps=-1)
    with pytest.raises(bperc.BpercError, match="no solver"):
        p.solve("none")
    with pytest.raises(ZeroDivisionError):
        p.solve("sbpi", callback=lambda t, e: 1 / 0)
    order, done = p.decimate()
    assert sorted(order) == list(range(480)) and done.solved


def test_walk_local_entropy_and_bp():
    p = Problem.random(60, alpha=0.2, fin=0.3, a=12)
    w = p.solve("sbpi").weights
    there, moves, distance = p.walk(w, 100)
    assert p.check(there).satisfied and distance == (there != w).sum()
    points = p.local_entropy(w, points=5)
    assert len(points) == 5 and points["converged"].any()
    tree = Problem([[1, 1, 0], [0, 0, 1]], [1, 0], threshold=0.5)
    b = tree.bp()
    np.testing.assert_allclose(b["marginals"], [2 / 3, 2 / 3, 0], atol=1e-9)
    np.testing.assert_allclose(b["entropy"], np.log(3) / 3, atol=1e-9)


def test_bad_problems():
    for wrong in (dict(X=[[2]], y=[1], a=2), dict(X=[[1]], y=[5], a=2),
                  dict(X=[[1]], y=[1]), dict(X=[[1]], y=[1, 0], a=2),
                  dict(X=[[1]], y=[1], a=2, ties="x"),
                  dict(X=[[1]], y=[1], a=2, kappa=-1)):
        with pytest.raises(bperc.BpercError):
            Problem(**wrong)
    with pytest.raises(OSError):
        Problem.read("/nonexistent")


def test_theory_broadcasts():
    c = theory.capacity(np.array([[12.0], [40.0]]), np.array([0.3, 0.5]))
    assert c.shape == (2, 2)
    assert c[0, 1] == theory.capacity(12, 0.5)
    np.testing.assert_allclose(theory.capacity(weights="ising"), 0.8330786,
                               atol=1e-7)
    f = theory.franz_parisi([0.01, 0.02], 0.2)
    np.testing.assert_allclose(f["entropy"][0], 0.0020657, atol=1e-6)
    assert (theory.large_deviation([0.01], 0.2)["entropy"] > f["entropy"][0])
    assert theory.geometry(0.2)["q_same"] > 0


def test_solutions_without_a_copy():
    s = Problem.random(25, m=5, fin=0.3, a=8, seed=2).solutions()
    a, b = s.words, s.words
    assert a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
    n = len(s)
    del s, b
    assert (np.asarray(a)[1:] > np.asarray(a)[:-1]).all() and len(a) == n


INTERRUPTED = """
import os, signal, sys, threading
import bperc
p = bperc.Problem.random(2000, alpha=0.5, fin=0.5, a=40)
def stop(step, errors):
    if step == 20:
        os.kill(os.getpid(), signal.SIGINT)
try:
    p.solve("sbpi", max_sweeps=10**9, callback=stop)
except KeyboardInterrupt:
    print("interrupted")
r = p.solve("sbpi", max_sweeps=10**9, timeout=0.05)
print(r.status)
"""


def test_interrupts_and_time_limits():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], text=True,
                          stdout=subprocess.PIPE)
    assert done.stdout.split() == ["interrupted", "unsolved"]


def test_cancelling_one_of_two_threads():
    p = Problem.random(1000, alpha=0.5, fin=0.5, a=40)
    flag = np.zeros(1, np.int32)
    out = {}

    def endless():
        out["cancelled"] = p.solve("sbpi", max_sweeps=10**9, cancel=flag)

    def short():
        out["whole"] = p.solve("sbpi", max_sweeps=30)
        flag[0] = 1

    threads = [threading.Thread(target=t) for t in (endless, short)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not out["cancelled"].solved
    assert (out["whole"].weights == p.solve("sbpi", max_sweeps=30).weights
            ).all()


def test_sweep_gives_a_table():
    pandas = pytest.importorskip("pandas")
    frame = bperc.sweep({"measurement": "toy", "x": [0, 1, 2], "instances": 3})
    assert set(frame) >= {"run"}  # toy has a table of numbers and one of curves
    assert isinstance(frame["run"], pandas.DataFrame)
    assert list(frame["run"]["x"]) == [0, 1, 2]


def test_estimator():
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_breast_cancer
    X, y = load_breast_cancer(return_X_y=True)
    model = bperc.BinaryPerceptronClassifier().fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.9
    assert set(np.unique(model.coef_)) <= {0, 1}


def test_estimator_checks():
    pytest.importorskip("sklearn")
    from sklearn.utils.estimator_checks import check_estimator
    check_estimator(bperc.BinaryPerceptronClassifier(
        restarts=1, sweeps=100, folds=0))


@pytest.mark.parametrize("module", ["", ".problem", ".space", ".theory"])
def test_docstrings(module):
    import importlib
    failed, tried = doctest.testmod(
        importlib.import_module("bperc" + module))
    assert tried and not failed
