"""Replica theory: capacity, entropy, local entropies, alpha_U.

Arguments broadcast like numpy's: `capacity(a, fin)` of two arrays gives an
array of their common shape. Weights: "01", "integer" or "ising" (-1/+1).
"""
from __future__ import annotations

import numpy as np

from ._core import check, control, ffi, lib

_KINDS = {"01": lib.BPERC_THEORY_01, "integer": lib.BPERC_THEORY_INTEGER,
          "ising": lib.BPERC_THEORY_ISING, "pm": lib.BPERC_THEORY_ISING}


def _model(a, fin, alpha, weights, fout, kappa):
    return ffi.new("bperc_theory_model *", {
        "weights": _KINDS[weights], "a": float(a), "fin": float(fin),
        "alpha": float(alpha), "fout": float(fout), "kappa": float(kappa)})


def _typical(call, a, fin, alpha, weights, fout, kappa, names):
    parts = np.broadcast_arrays(a, fin, alpha, fout, kappa)
    out = np.full((len(names),) + parts[0].shape, np.nan)
    found, error = ffi.new("bperc_theory_typical *"), ffi.new("bperc_error *")
    with control() as flag:
        for at in np.ndindex(parts[0].shape):
            values = [p[at] for p in parts]
            model = _model(values[0], values[1], values[2], weights,
                           values[3], values[4])
            status = call(model, found, error)
            if status == lib.BPERC_E_NUMERIC and parts[0].shape:
                continue  # no such solution: NaN in an array
            check(status, error, flag)
            for k, name in enumerate(names):
                out[(k,) + at] = getattr(found, name)
    return tuple(part[()] for part in out)


def capacity(a=40.0, fin=0.5, weights="01", fout=0.5, kappa=0.0):
    """alpha_c: the load at which the entropy of solutions vanishes.

    >>> round(float(capacity(12, 0.5)), 8)
    0.50331298
    """
    return _typical(lib.bperc_theory_capacity, a, fin, 0.0, weights, fout,
                    kappa, ("alpha",))[0]


def entropy(alpha, a=40.0, fin=0.5, weights="01", fout=0.5, kappa=0.0):
    """Replica-symmetric entropy of solutions per weight, in nats.

    >>> round(float(entropy(0.2, 40, 0.5)), 7)
    0.0472776
    """
    return _typical(lib.bperc_theory_entropy, a, fin, alpha, weights, fout,
                    kappa, ("entropy",))[0]


def overlap(alpha, a=40.0, fin=0.5, weights="01", fout=0.5, kappa=0.0):
    """Overlap q of two typical solutions."""
    return _typical(lib.bperc_theory_entropy, a, fin, alpha, weights, fout,
                    kappa, ("overlap",))[0]


def _local(call, distances, alpha, a, fin, weights):
    distances = np.atleast_1d(np.asarray(distances, float))
    points = ffi.new("bperc_theory_local[]", len(distances))
    ended, error = ffi.new("double *"), ffi.new("bperc_error *")
    model = _model(a, fin, alpha, weights, 0.5, 0.0)
    with control() as flag:
        status = call(model, ffi.from_buffer("double[]", np.ascontiguousarray(
            distances)), len(distances), points, ended, error)
    if status != lib.BPERC_E_NUMERIC:  # a lost point is NaN
        check(status, error, flag)
    return np.array([(p.distance, p.entropy, p.bound, p.slope)
                     for p in points],
                    dtype=[("distance", float), ("entropy", float),
                           ("bound", float), ("slope", float)])


def franz_parisi(distances, alpha, a=40.0, fin=0.5, weights="01"):
    """Local entropy around a typical solution: a structured array with
    distance, entropy, bound and slope."""
    return _local(lib.bperc_theory_franz_parisi, distances, alpha, a, fin,
                  weights)


def large_deviation(distances, alpha, a=40.0, fin=0.5, weights="01"):
    """Local entropy of the densest region (y to infinity, 1RSB)."""
    return _local(lib.bperc_theory_large_deviation, distances, alpha, a, fin,
                  weights)


def alpha_u(a=40.0, fin=0.5, weights="01", tolerance=1e-4, smallest=3e-4):
    """(low, high): the densest region exists at low and is lost at high."""
    out, error = ffi.new("bperc_theory_threshold *"), ffi.new("bperc_error *")
    with control() as flag:
        status = lib.bperc_theory_alpha_u(
            _model(a, fin, 0.0, weights, 0.5, 0.0), tolerance, smallest, out,
            error)
    check(status, error, flag)
    return out.low, out.high


def geometry(alpha, a=40.0, fin=0.5, x=1.0, weights="01"):
    """Pure states at Parisi parameter x (Appendix F): a dict with g, q_same,
    q_diff, size and complexity."""
    found, error = ffi.new("bperc_theory_typical *"), ffi.new("bperc_error *")
    check(lib.bperc_theory_entropy(_model(a, fin, alpha, weights, 0.5, 0.0),
                                   found, error), error)
    state = lib.bperc_theory_geometry(found, float(x))
    return {name: getattr(state, name)
            for name in ("x", "g", "q_same", "q_diff", "size", "complexity")}
