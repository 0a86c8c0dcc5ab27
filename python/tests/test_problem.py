"""Problems and solution spaces against plain numpy."""
import gc
import pickle

import numpy as np
import pytest

import bperc
from bperc import Problem


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
            look_at(p, s, w[good])


def look_at(p, s, w):
    """A space against the plain list of its bits."""
    np.testing.assert_allclose(s.marginals(), w.mean(axis=0))
    d = (w[:, None] != w[None]).sum(axis=2)
    pairs = np.bincount(d[np.triu_indices(len(d), 1)], minlength=9)
    assert (s.histogram() == pairs).all()
    assert (s.near(3)[:, 1] == (d == 1).sum(axis=1)).all()
    c = np.cov(w.T, bias=True)
    off = ~np.eye(8, dtype=bool)
    np.testing.assert_allclose(s.correlations()[off], c[off], atol=1e-12)
    found = s.clusters()
    assert found.sizes.sum() == s.count == len(found.of)
    assert (np.bincount(found.of) == found.sizes).all()
    for g in range(found.count):
        inside = (s.array[found.of == g] > 0).mean(axis=0)
        assert found.frozen[g] == ((inside == 0) | (inside == 1)).sum()
    assert p.check(s[0]).satisfied and p.check(s.array[-1]).satisfied
    assert (s.around(s[0], 8) == np.bincount(
        ((s.array > 0) != (s[0] > 0)).sum(axis=1), minlength=9)).all()


def test_fixed_weights():
    rng = np.random.default_rng(6)
    X, y = rng.integers(0, 2, (3, 9)), rng.integers(0, 2, 3)
    p = Problem(X, y, threshold=1.5)
    everything = p.solutions().array
    s = p.solutions(fix={2: 1, 5: 0})
    kept = everything[(everything[:, 2] == 1) & (everything[:, 5] == 0)]
    assert {tuple(w) for w in s} == {tuple(w) for w in kept}
    np.testing.assert_allclose(s.marginals(), kept.mean(axis=0))
    assert s.correlations().shape == (7, 7)
    drawn = s.sample(200, seed=3)
    assert (drawn[:, 2] == 1).all() and (drawn[:, 5] == 0).all()
    assert p.solutions(limit=2).count == 2
    assert not p.solutions(limit=2).complete


def test_samples_are_uniform():
    """Each of 12 solutions is drawn as often as the others, within five
    standard deviations."""
    p = Problem([[1, 1, 1, 1, 0], [0, 1, 1, 0, 1]], [1, 1], threshold=1.5)
    s = p.solutions()
    draws = 12000
    drawn = s.sample(draws, seed=11)
    counts = np.array([(drawn == w).all(axis=1).sum() for w in s.array])
    assert counts.sum() == draws
    share = 1 / s.count
    spread = np.sqrt(draws * share * (1 - share))
    assert (abs(counts - draws * share) < 5 * spread).all()


def test_a_million_solutions_without_a_copy(capsys):
    p = Problem.random(25, m=3, fin=0.3, a=12, seed=3)
    s = p.solutions()
    assert s.count > 1_500_000
    a, b = s.words, s.words
    address = a.__array_interface__["data"][0]
    assert address == b.__array_interface__["data"][0] == s.address
    assert not a.flags.owndata and not a.flags.writeable
    with capsys.disabled():
        print(f"\n{s.count} solutions at {address:#x}, in the library and in "
              "numpy")
    n = len(s)
    del s, b
    gc.collect()
    assert (np.asarray(a)[1:] > np.asarray(a)[:-1]).all() and len(a) == n


def test_options_traces_and_callbacks():
    p = Problem.random(480, alpha=0.2, fin=0.3, a=40)
    r = p.solve("sbpi", trace=True)
    assert r.steps == 26 and r.trace.hidden.shape == (27, 480)
    assert ((r.trace.hidden[-1] > 0) == r.weights).all()
    assert r.trace.errors[-1] == 0 and r.trace.step.tolist() == list(range(27))
    assert r.options["max_sweeps"] == 4000
    seen = []
    stopped = p.solve("sbpi", callback=lambda t, e: seen.append(t) or t == 5)
    assert seen == list(range(6)) and not stopped.solved
    with pytest.raises(TypeError, match="max_sweeps"):
        p.solve("sbpi", max_sweep=3)
    with pytest.raises(bperc.BpercError, match="range"):
        p.solve("sbpi", max_sweeps=-1)
    with pytest.raises(bperc.BpercError, match="no solver"):
        p.solve("none")
    with pytest.raises(bperc.BpercError, match="restarts"):
        p.solve("sbpi", trace=True, restarts=2)
    with pytest.raises(bperc.BpercError, match="class_weight"):
        p.solve("sbpi", class_weight="x")
    with pytest.raises(ZeroDivisionError):
        p.solve("sbpi", callback=lambda t, e: 1 / 0)


def test_callbacks_of_searches():
    p = Problem.random(40, m=14, fin=0.5, a=12, seed=3)
    shares = []
    count = p.count(threads=1, callback=lambda share, found: shares.append(
        (share, found)))
    assert shares[-1] == (1, count)
    assert all(a[0] <= b[0] for a, b in zip(shares, shares[1:]))
    with pytest.raises(ZeroDivisionError):
        p.solutions(callback=lambda share, found: 1 / 0)


def test_whole_numbers():
    p = Problem.random(50, m=25, fin=0.3, a=5, seed=2)
    r = p.solve("ecp")
    assert r.solved and r.weights.max() > 1
    found = p.check(r.weights)
    assert found.satisfied
    assert (found.sums == p.X.astype(int) @ r.weights).all()
    with pytest.raises(bperc.BpercError):
        p.check(r.weights + 0.5)


def test_a_tree():
    tree = Problem([[1, 1, 0], [0, 0, 1]], [1, 0], threshold=0.5)
    b = tree.bp()
    np.testing.assert_allclose(b.marginals, [2 / 3, 2 / 3, 0], atol=1e-9)
    np.testing.assert_allclose(b.entropy, np.log(3) / 3, atol=1e-9)


def test_bad_problems(tmp_path):
    for wrong in (dict(X=[[2]], y=[1], a=2), dict(X=[[1]], y=[5], a=2),
                  dict(X=[[1]], y=[1]), dict(X=[[1]], y=[1, 0], a=2),
                  dict(X=[[1]], y=[1], a=2, threshold=1),
                  dict(X=[[1]], y=[1], a=2, ties="x"),
                  dict(X=[[1]], y=[1], a=2, weights="x"),
                  dict(X=[[1]], y=[1], a=-2), dict(X=[1], y=[1], a=2),
                  dict(X=[[1]], y=[1], a=2, kappa=-1)):
        with pytest.raises(bperc.BpercError):
            Problem(**wrong)
    for wrong in (dict(alpha=0.2, m=3, fin=0.3, a=4), dict(fin=0.3, a=4),
                  dict(m=3, a=4), dict(m=3, fin=0.3),
                  dict(m=3, fin=0.3, a=4, noise=0.1),
                  dict(m=3, fin=0.3, a=4, copies=2, source=2),
                  dict(m=3, fin=0.3, a=4, fout=1.5)):
        with pytest.raises(bperc.BpercError):
            Problem.random(20, **wrong)
    with pytest.raises(OSError):
        Problem.read(tmp_path / "nothing")
    p = Problem([[1, 0]], [1], threshold=0.5)
    for w in ([1], [2, -1], [-1, 1], [0.5, 1]):
        with pytest.raises(bperc.BpercError):
            p.check(w)
    with pytest.raises(bperc.BpercError):
        p.solutions(fix={7: 1})
    with pytest.raises(bperc.BpercError):
        p.fresh()


def test_files(tmp_path):
    p = Problem.random(20, m=7, fin=0.4, a=9.5, kappa=0.5, seed=4)
    for form in ("text", "svmlight", "hdf5"):
        path = tmp_path / form
        p.write(path, form)
        q = Problem.read(path)
        assert (q.X == p.X).all() and (q.y == p.y).all()
        assert (q.threshold, q.kappa) == (p.threshold, p.kappa)
    q = Problem.read(tmp_path / "text", threshold=1.25, kappa=0, ties="strict",
                     weights="pm")
    assert (q.threshold, q.kappa, q.ties, q.weights) == (1.25, 0, "strict",
                                                         "pm")
    with pytest.raises(bperc.BpercError, match="format"):
        p.write(tmp_path / "x", "csv")


def test_words_for_people():
    p = Problem.random(25, m=9, fin=0.3, a=12, seed=3)
    r, s = p.solve(), p.solutions()
    for thing, words in ((p, ("N = 25", "threshold")),
                         (r, ("solved", "errors", "seconds")),
                         (s, ("3164", "entropy")),
                         (s.clusters(), ("7 clusters", "3124"))):
        assert repr(thing).startswith("<")
        for word in words:
            assert word in thing._repr_html_()


def test_tables_are_read_as_the_program_reads_them(tmp_path):
    """CSV, TSV and .npy; labels by name or number."""
    csv = tmp_path / "t.csv"
    csv.write_text("kind,size,wet\ncat,3,0\ndog,7,1\ncat,4,0\n")
    p = bperc.Problem.read(csv, label="kind", positive="dog", binarise=5,
                           threshold=0.5)
    assert p.X.tolist() == [[0, 0], [1, 1], [0, 0]]
    assert p.y.tolist() == [0, 1, 0] and p.threshold == 0.5
    tsv = tmp_path / "t.tsv"
    tsv.write_text(csv.read_text().replace(",", "\t"))
    q = bperc.Problem.read(tsv, label=1, positive=["dog"], binarise=5,
                           drop=["wet"], complement=True, threshold=0.5)
    assert q.X.tolist() == [[0, 1], [1, 0], [0, 1]]
    np.save(tmp_path / "t.npy", np.array([[1, 0, 1], [0, 1, 1]], np.uint8))
    r = bperc.Problem.read(tmp_path / "t.npy", label=1, threshold=1)
    assert r.X.tolist() == [[0, 1], [1, 1]] and r.y.tolist() == [1, 0]
    with pytest.raises(bperc.BpercError, match="give `a` or `threshold`"):
        bperc.Problem.read(csv, label="kind", positive="dog")


def test_weights_and_solutions_go_through_files(tmp_path):
    p = bperc.Problem.random(25, m=9, fin=0.3, a=12, seed=3)
    w = p.solve("exact").weights
    assert (p.predict(w) == p.y).all()
    p.write_weights(w, tmp_path / "w.txt")
    assert (tmp_path / "w.txt").read_text() == "".join(map(str, w)) + "\n"
    s = p.solutions(fix={0: 1})
    s.write(tmp_path / "s.h5")
    t = p.read_solutions(tmp_path / "s.h5")
    assert t.fix == {0: 1} and (t.array == s.array).all()
    other = bperc.Problem.random(25, m=9, fin=0.3, a=12, seed=4)
    with pytest.raises(bperc.BpercError, match="s.h5"):
        other.read_solutions(tmp_path / "s.h5")


def test_band():
    p = bperc.Problem.random(15, m=6, weights="pm", inputs="pm", band=3,
                             seed=3)
    assert p.band == 3 and "band 3" in repr(p) and p.y.all()
    w = 2 * ((np.arange(2 ** 15)[:, None] >> np.arange(15)) & 1) - 1
    inside = (np.abs(w @ p.X.T.astype(int)) <= 3).all(axis=1)
    space = p.solutions()
    assert len(space) == inside.sum()
    found = p.solve(seed=2)
    assert found.solved and p.check(found.weights).satisfied
    again = pickle.loads(pickle.dumps(p))
    assert again.band == 3 and len(again.solutions()) == inside.sum()
    with pytest.raises(bperc.BpercError, match="both sides"):
        p.bp()
    mixed = bperc.Problem(p.X, [0, 1, 0, 1, 1, 1], threshold=0, weights="pm",
                          band=3)
    with pytest.raises(bperc.BpercError, match="outside"):
        mixed.solve()
    taught = bperc.Problem.random(15, m=6, weights="pm", inputs="pm", band=3,
                                  teacher=True)
    assert taught.check(taught.teacher).satisfied
