"""Theory over arrays."""
import numpy as np
import pytest

import bperc
from bperc import theory
from bperc._core import ffi, lib


def test_broadcasting_equals_single_points():
    a, fin = np.array([[12.0], [40.0]]), np.array([0.3, 0.5, 0.7])
    c = theory.capacity(a, fin)
    assert c.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            assert c[i, j] == theory.capacity(a[i, 0], fin[j])
    np.testing.assert_allclose(theory.capacity(weights="pm"), 0.8330786,
                               atol=1e-7)
    assert theory.capacity(weights="ising") == theory.capacity(weights="pm")


def plain_entropy(alpha, a, fin):
    """One call of the library; NaN when it finds nothing."""
    found = ffi.new("bperc_theory_typical *")
    status = lib.bperc_theory_entropy(ffi.new("bperc_theory_model *", {
        "a": a, "fin": fin, "alpha": alpha}), found, ffi.NULL)
    assert status in (lib.BPERC_OK, lib.BPERC_E_NUMERIC)
    return found.entropy if status == lib.BPERC_OK else np.nan


def test_points_above_the_line_are_nan():
    """Loads without a saddle point are found once per line; the others are as
    if asked alone, in any order."""
    rng = np.random.default_rng(3)
    alpha, fin = rng.uniform(0.02, 0.6, 40), rng.choice([0.15, 0.9], 40)
    grid = theory.entropy(alpha, 40, fin)
    for k in range(40):
        alone = plain_entropy(alpha[k], 40, fin[k])
        assert alone == grid[k] or (np.isnan(alone) and np.isnan(grid[k]))
    assert np.isnan(grid).any() and np.isfinite(grid).any()


def test_local_entropies_broadcast():
    d, alpha = np.array([0.01, 0.03]), np.array([[0.15], [0.2]])
    for ask in (theory.franz_parisi, theory.large_deviation):
        f = ask(d, alpha)
        assert f.shape == (2, 2)
        assert (f["distance"] == d).all()
        for k in range(2):
            alone = ask(d, alpha[k, 0])
            assert (f["entropy"][k] == alone["entropy"]).all()
    assert (theory.large_deviation(d, 0.2)["entropy"] >
            theory.franz_parisi(d, 0.2)["entropy"]).all()
    lost = theory.large_deviation([0.02, 1e-3], 0.24)  # above alpha_U
    assert np.isfinite(lost["entropy"][0]) and np.isnan(lost["entropy"][1])
    assert lost["distance"].tolist() == [0.02, 1e-3]
    with pytest.raises(bperc.BpercError):
        theory.franz_parisi([0.01, 5.0], 0.2)


def test_finite_y():
    d = theory.large_deviation([0.01], 0.2, y=20, references="rs")
    assert np.isfinite(d["external"]).all()
    with pytest.raises(bperc.BpercError):
        theory.large_deviation([0.01], 0.2, references="x")


def test_alpha_u_geometry_and_optimum():
    u = theory.alpha_u([40, 40], 0.5, tolerance=1e-3)
    assert u.shape == (2,) and (u["low"] < u["high"]).all()
    assert u[0] == u[1] and u["high"][0] < u["alpha_c"][0]
    g = theory.geometry([0.1, 0.2], x=[[0.5], [1.0]])
    assert g.shape == (2, 2) and (g["q_same"] >= g["q_diff"]).all()
    best = theory.optimum(0.5)
    around = theory.capacity(best["a"] * np.array([0.9, 1, 1.1]), 0.5)
    assert around[1] > around[0] and around[1] > around[2]


def test_frames():
    pandas = pytest.importorskip("pandas")
    t = theory.capacity([12, 40], [[0.3], [0.5]], frame=True)
    assert isinstance(t, pandas.DataFrame) and len(t) == 4
    assert t["alpha_c"].tolist() == \
        theory.capacity([12, 40], [[0.3], [0.5]]).ravel().tolist()
    assert {"a", "fin", "overlap", "distance"} <= set(t)
    f = theory.franz_parisi([0.01, 0.02], [[0.1], [0.2]], frame=True)
    assert f["distance"].tolist() == [0.01, 0.02, 0.01, 0.02]
    assert f["alpha"].tolist() == [0.1, 0.1, 0.2, 0.2]


def test_bad_models():
    with pytest.raises(bperc.BpercError):
        theory.capacity(-1, 0.5)
    with pytest.raises(bperc.BpercError):
        theory.capacity(12, 0.5, weights="x")
    with pytest.raises(bperc.BpercError):
        theory.entropy(0.9, 40, 0.5)


def test_symmetric_and_teacher():
    band = np.array([0.5, 1.0, 1.5])
    found = theory.symmetric(band, 0.3)
    assert found["alpha_c"].shape == (3,)
    assert found["alpha_c"][1] == theory.symmetric(1.0)["alpha_c"]
    assert list(theory.symmetric(band, frame=True).columns)[:2] == \
        ["band", "alpha"]
    local = theory.symmetric_franz_parisi([1e-5, 0.1, 0.5], 1.0, 0.5)
    assert np.isnan(local["entropy"][0]) and local["entropy"][1] > 0
    told = theory.generalisation([1.0, 1.3, 1.6])
    assert told["error_bayes"][0] > 0.1 and told["error_bayes"][1] == 0
    assert told["overlap_amp"][1] < 1 == told["overlap_amp"][2]
    steps = theory.state_evolution(50, 1.0)
    assert steps.shape == (51,)
    assert abs(steps["overlap"][50] - told["overlap_amp"][0]) < 1e-6
    known = theory.generalisation(0.2, weights="01", activity=0.05)
    assert 0.05 ** 2 < known["overlap"] < 0.05
    with pytest.raises(ValueError):
        theory.generalisation(1.0, noise=0.5)


def test_inference():
    p = bperc.Problem.random(n=1501, alpha=0.7, weights="pm", inputs="pm",
                             teacher=True, seed=2)
    found = p.infer()
    told = theory.generalisation(0.7)
    assert found.converged and len(found.overlaps) == found.iterations
    assert abs(found.overlap - told["overlap_amp"]) < 0.05
    assert abs(found.error_bayes - told["error_bayes_amp"]) < 0.03
    assert "converged" in repr(found)
    noisy = p.infer(noise=0.1)
    assert noisy.overlap < found.overlap
    with pytest.raises(ValueError):
        p.infer(noise=0.5)
