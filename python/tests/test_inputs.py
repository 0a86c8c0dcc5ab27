"""What may be given to the package, and what comes back whole from another process."""
import concurrent.futures
import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import bperc
from bperc import BpercError, Problem

RNG = np.random.default_rng(8)
X = RNG.choice((-1, 0, 1), (37, 130))
Y = RNG.integers(0, 2, 37)


def same(p, X, y=Y):
    assert (p.X == X).all() and (p.y == y).all()
    return True


def small():
    return Problem.random(25, m=9, fin=0.3, a=12, seed=3)


def arrays(X):
    """The same numbers in other kinds and orders of memory."""
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]), X.dtype)
    wide[::2, ::3] = X
    yield from (X.astype(kind) for kind in (
        np.int8, np.int16, np.int64, np.float32, float, object))
    yield from (np.asfortranarray(X), wide[::2, ::3], X.T.copy().T,
                X[::-1].copy()[::-1], X.tolist())


@pytest.mark.parametrize("x", arrays(X))
def test_any_kind_and_order(x):
    same(Problem(x, Y, threshold=0.5), X)


def test_bits_of_any_kind():
    bits = X > 0
    for x in (bits, np.asfortranarray(bits), bits.astype(np.uint8),
              bits.astype(np.uint64)):
        same(Problem(x, Y > 0, threshold=0.5), bits)
    assert Problem(np.zeros((0, 5)), [], threshold=1).m == 0


def test_sparse_and_pandas():
    sparse = pytest.importorskip("scipy.sparse")
    for kind in ("csr", "csc", "coo", "lil"):
        same(Problem(sparse.coo_matrix(X).asformat(kind), Y, threshold=0.5), X)
    with pytest.raises(BpercError, match="inputs must be"):
        Problem(sparse.csr_matrix(0.5 * X), Y, threshold=0.5)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"x{k}" for k in range(130)])
    same(Problem(frame, pandas.Series(Y, name="y"), threshold=0.5), X)
    same(Problem(frame.astype("Int64"), pandas.Series(Y).astype("Int64"),
                 threshold=0.5), X)
    frame.iloc[3, 4] = None
    with pytest.raises(BpercError, match="inputs must be"):
        Problem(frame, Y, threshold=0.5)


@pytest.mark.parametrize("wrong", [
    2, -2, 0.5, np.nan, np.inf, 255, 257, 1j, "1", "x"])
def test_other_inputs_and_labels_are_refused(wrong):
    x = np.zeros((2, 3), np.asarray(wrong).dtype)
    x[1, 2] = wrong
    with pytest.raises(BpercError, match="inputs must be|input 2 of pattern"):
        Problem(x, [0, 1], threshold=1)
    with pytest.raises(BpercError, match="labels must be|label 1 is"):
        Problem([[0], [1]], [0, wrong], threshold=1)
    with pytest.raises(BpercError, match="weights must be|whole numbers"):
        small().check(np.array([wrong] + 24 * [1]) if wrong not in (2, 255, 257)
                      else np.array([wrong] + 23 * [1]))


def test_unsigned_bytes_are_not_signed():
    with pytest.raises(BpercError):
        Problem(np.full((1, 3), 255, np.uint8), [1], threshold=1)
    with pytest.raises(BpercError):
        Problem(np.full((1, 3), 7, np.int8), [1], threshold=1)


# ---- copies and processes


def copies(thing):
    return (pickle.loads(pickle.dumps(thing)), copy.copy(thing),
            copy.deepcopy(thing))


def test_problems_are_copied_whole():
    problems = [Problem(X, Y, threshold=2, kappa=1.5, ties="either"),
                Problem(X > 0, Y, a=7, weights="pm", ties="strict"),
                Problem.random(101, alpha=0.5, inputs="pm", weights="pm",
                               teacher=True),
                Problem(np.zeros((0, 4)), [], threshold=1)]
    for p in problems:
        for q in copies(p):
            assert same(q, p.X, p.y) and repr(q) == repr(p)
            assert q.solve("sbpi", max_sweeps=50).weights.tolist() == \
                p.solve("sbpi", max_sweeps=50).weights.tolist()
    planted = copies(problems[2])[0]
    assert (planted.teacher == problems[2].teacher).all()
    assert (planted.fresh(20).X == problems[2].fresh(20).X).all()


def test_results_are_copied_whole():
    r = small().solve("sbpi", trace=True, max_sweeps=300)
    for q in copies(r):
        assert q.options == r.options and q.options["max_sweeps"] == 300
        assert (q.weights == r.weights).all() and repr(q) == repr(r)
        assert (q.trace.hidden == r.trace.hidden).all()


def test_solution_spaces_are_copied_whole():
    spaces = [small().solutions(), small().solutions(fix={0: 1, 7: 0}),
              small().solutions(limit=5),
              Problem([[1, 1]], [1], threshold=5).solutions()]
    for s in spaces:
        for q in copies(s):
            assert repr(q) == repr(s) and (q.array == s.array).all()
            assert (q.columns == s.columns).all() and q.fix == s.fix
            if s.count:
                assert (q.marginals() == s.marginals()).all()
                assert (q.histogram() == s.histogram()).all()
                assert copies(q.clusters(2))[0].sizes.tolist() == \
                    s.clusters(2).sizes.tolist()


def solve_it(p):
    return p.solve("sbpi", seed=2), p.solutions()


def test_a_pool_of_processes():
    problems = [Problem.random(25, m=9, fin=0.3, a=12, seed=k)
                for k in range(3)]
    with concurrent.futures.ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn")) as pool:
        for p, (r, s) in zip(problems, pool.map(solve_it, problems)):
            assert (r.weights == solve_it(p)[0].weights).all()
            assert s.count == p.count()


# ---- words


def test_paths_and_words_with_a_nul(tmp_path):
    p, s = small(), small().solutions()
    path = str(tmp_path / "p.txt\0.old")
    for call in (lambda: p.write(path), lambda: Problem.read(path),
                 lambda: p.write_weights(p.solve("sbpi").weights, path),
                 lambda: s.write(path), lambda: p.read_solutions(path),
                 lambda: bperc.read_store(path),
                 lambda: bperc.merge_stores(path, path),
                 lambda: bperc.sweep(path),
                 lambda: bperc.sweep({"measurement": "toy\0"}),
                 lambda: p.solve("sbpi\0x"),
                 lambda: p.solve("sbpi", preset="default\0"),
                 lambda: Problem.read(tmp_path / "t", label="a\0b")):
        with pytest.raises(BpercError, match="NUL"):
            call()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("call", [
    lambda p: p.solve(timeout=np.nan), lambda p: p.count(timeout=np.nan),
    lambda p: p.solve("rbp", gamma=np.nan),
    lambda p: p.solve(class_weight=(1, np.nan)),
    lambda p: p.solve(class_weight=(-1, 1)),
    lambda p: Problem([[1]], [1], threshold=np.nan),
    lambda p: Problem([[1]], [1], a=np.nan),
    lambda p: Problem([[1]], [1], threshold=1, kappa=np.nan),
    lambda p: Problem.random(10, alpha=np.nan, fin=0.5, a=4),
    lambda p: Problem.random(10, alpha=0.5, fin=np.nan, a=4),
    lambda p: Problem.random(10, alpha=0.5, fin=0.5, a=4, fout=np.nan),
    lambda p: Problem.random(10, alpha=0.5, fin=0.5, a=4, seed=-1),
    lambda p: Problem.random(10, m=-3, fin=0.5, a=4),
    lambda p: p.solve(restarts=0), lambda p: p.solve(restarts=-2),
    lambda p: p.solve(seed=-1), lambda p: p.solve(trace=True, every=0),
    lambda p: p.sample(-1), lambda p: p.solutions().near(-1),
    lambda p: p.solutions().around(np.zeros(25), -1),
    lambda p: p.solve(threads=-1), lambda p: p.bp(seed=-1),
    lambda p: p.bp(threads=-1), lambda p: p.decimate(seed=-1),
    lambda p: p.solutions(limit=-1), lambda p: p.count(threads=-1),
    lambda p: p.sample(2, seed=-1), lambda p: p.solutions().sample(2, seed=-1),
    lambda p: p.solutions().embed(seed=-1), lambda p: p.walk(
        p.solve().weights, -1),
    lambda p: bperc.theory.capacity(np.nan, 0.5),
    lambda p: bperc.theory.entropy(0.2, kappa=np.nan),
    lambda p: bperc.sweep({"measurement": "toy"}, seed=-1),
    lambda p: bperc.sweep({"measurement": "toy", "x": np.nan})])
def test_no_numbers_and_no_ranges(call):
    with pytest.raises(ValueError):
        call(small())


def test_the_estimators_settings():
    pytest.importorskip("sklearn")
    x, y = RNG.normal(size=(40, 3)), np.arange(40) % 2
    for wrong in (dict(folds=-2), dict(restarts=0), dict(restarts=-1),
                  dict(sweeps=0)):
        with pytest.raises(ValueError, match="must be"):
            bperc.BinaryPerceptronClassifier(**wrong).fit(x, y)


def test_the_estimators_rows():
    pytest.importorskip("sklearn")
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    x, y = RNG.integers(0, 3, (60, 4)).astype(float), np.arange(60) % 2

    def fitted(x):
        return bperc.BinaryPerceptronClassifier(
            folds=0, restarts=1, sweeps=20).fit(x, y).predict(x).tolist()

    frame = pandas.DataFrame(x, columns=list("abcd"))
    assert fitted(x) == fitted(np.asfortranarray(x)) == fitted(frame) == \
        fitted(sparse.csr_matrix(x)) == fitted(sparse.csc_matrix(x))


def test_what_is_shown_is_short():
    p = small()
    s = p.solutions()
    r = p.solve("sbpi", trace=True)
    shown = [p, s, r, r.trace, s.embed(points=20), s.clusters(), s.moments(),
             p.check(r.weights), p.bp(), p.decimate("exact"),
             p.walk(r.weights, 3)]
    for thing in shown:
        assert len(repr(thing)) < 120 and "array" not in repr(thing), thing
