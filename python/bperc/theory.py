"""Replica theory: capacity, entropy, local entropies, alpha_U, geometry.

Arguments broadcast like numpy's: `capacity(a, fin)` of two arrays gives an
array of their common shape, of numbers a number. A point without solution is
NaN in an array and an error alone. frame=True gives a pandas DataFrame with
one row per point and every number that the library knows of it.

a : threshold N/a.  fin, fout : probability of an input 1, of a label 1.
alpha : patterns per weight.  kappa : margin / sqrt(N variance of an input).
weights : "01", "integer" (0, 1, 2, ...) or "pm" (-1/+1, without a and fin).
Entropies are per weight, in nats; distances are Hamming distances / N.
"""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np

from ._core import Cancel, Guard, choice, control, ffi, lib

_KINDS = {"01": lib.BPERC_THEORY_01, "integer": lib.BPERC_THEORY_INTEGER,
          "pm": lib.BPERC_THEORY_ISING, "ising": lib.BPERC_THEORY_ISING}
_TYPICAL = ("alpha", "entropy", "overlap", "mean", "square", "distance",
            "residual", "quadrature_error")
_LOCAL = ("distance", "entropy", "bound", "slope", "external", "parisi",
          "residual", "quadrature_error")
_STATE = ("x", "g", "q_same", "q_diff", "size", "complexity")
_THRESHOLD = ("alpha_u", "low", "high", "distance", "alpha_c")
_OPTIMUM = ("a", "alpha_c", "overlap")
_SYMMETRIC = ("alpha_c", "entropy", "alpha_stability", "alpha_moment")
_SYMMETRIC_LOCAL = ("distance", "entropy", "bound", "overlap")
_TEACHER = ("overlap", "error_bayes", "error_gibbs", "free_entropy",
            "overlap_amp", "error_bayes_amp", "error_gibbs_amp",
            "free_entropy_amp", "alpha_it", "alpha_amp")
_FOLD = ("alpha", "start", "end", "alpha_c")


class _Grid:
    """Arguments by name, broadcast; structured answers of the same shape."""

    def __init__(self, weights: str, answers: tuple[str, ...],
                 arguments: dict[str, Any], references: str = "1rsb"):
        choice("weights", weights, tuple(_KINDS))
        self.names = list(arguments)
        self.parts = np.broadcast_arrays(
            *(np.asarray(v, float) for v in arguments.values()))
        self.shape = self.parts[0].shape
        self.weights = weights
        self.references = choice("references", references, ("1rsb", "rs"))
        self.answers = answers
        self.out = np.full(self.shape, np.nan,
                           dtype=[(name, float) for name in answers])
        self.error = ffi.new("bperc_error *")

    def points(self) -> Iterator[tuple[tuple[int, ...], dict[str, float]]]:
        for at in np.ndindex(self.shape):
            yield at, {name: float(part[at])
                       for name, part in zip(self.names, self.parts)}

    def model(self, values: dict[str, float]) -> Any:
        known = {k: v for k, v in values.items()
                 if k in ("a", "fin", "alpha", "fout", "kappa", "y")}
        if known.get("y") == np.inf:
            known["y"] = 0.0
        return ffi.new("bperc_theory_model *", {
            "weights": _KINDS[self.weights],
            "references": self.references, **known})

    def keep(self, at: tuple[int, ...], status: int, guard: Guard,
             values: Callable[[str], float]) -> bool:
        """Stores an answer; False when there is none."""
        if status == lib.BPERC_E_NUMERIC and self.shape:
            return False  # NaN in an array
        guard.check(status, self.error)
        self.out[at] = tuple(values(name) for name in self.answers)
        return True

    def answer(self, frame: bool, column: str | None = None) -> Any:
        if frame:
            import pandas
            data = {name: part.ravel()
                    for name, part in zip(self.names, self.parts)
                    if not name.startswith("at")}  # also in the answer
            for name in self.answers:
                data[name] = self.out[name].ravel()
            return pandas.DataFrame(data)
        return (self.out if column is None else self.out[column])[()]


def _typical(call: Any, grid: _Grid, timeout: float | None,
             cancel: Cancel | None,
             state: Callable[[Any, dict[str, float]], Any]
             = lambda found, values: found) -> None:
    """The typical solution at every point, or what `state` makes of it.

    The search for it follows one line of saddle points, the same for every
    alpha, upwards from alpha = 0. Where it meets no alpha as large as the one
    asked for, it will meet no larger one: these are not searched again.
    """
    found = ffi.new("bperc_theory_typical *")
    ends: dict[tuple[float, ...], float] = {}
    with control(timeout, cancel) as guard:
        points = sorted(grid.points(), key=lambda p: p[1].get("alpha", 0.0)) \
            if "alpha" in grid.names else grid.points()
        for at, values in points:
            line = tuple(v for k, v in values.items() if k != "alpha")
            if values.get("alpha", 0.0) >= ends.get(line, np.inf):
                continue
            status = call(grid.model(values), found, grid.error)
            if not grid.keep(at, status, guard,
                             lambda name: getattr(state(found, values),
                                                  name)) and \
                    grid.weights != "integer" and \
                    values.get("alpha", 0.0) >= 0.1:
                ends[line] = values["alpha"]


def capacity(a: Any = 40.0, fin: Any = 0.5, weights: str = "01",
             fout: Any = 0.5, kappa: Any = 0.0, *, frame: bool = False,
             timeout: float | None = None,
             cancel: Cancel | None = None) -> Any:
    """alpha_c: the load at which the entropy of solutions vanishes.

    >>> bperc.theory.capacity(12, 0.5).round(8)
    0.50331298
    >>> bperc.theory.capacity([12, 40], [[0.3], [0.5]]).shape
    (2, 2)
    """
    grid = _Grid(weights, _TYPICAL, {"a": a, "fin": fin, "fout": fout,
                                     "kappa": kappa})
    _typical(lib.bperc_theory_capacity, grid, timeout, cancel)
    found = grid.answer(frame, "alpha")
    return found.rename(columns={"alpha": "alpha_c"}) if frame else found


def symmetric(band: Any, alpha: Any = 0.0, fout: Any = 1.0, *,
              frame: bool = False, timeout: float | None = None,
              cancel: Cancel | None = None) -> Any:
    """Symmetric perceptron, weights -1/+1: label 1 (probability fout) wants
    |sum| <= band sqrt(N). Fields alpha_c, entropy at alpha, alpha_stability
    and alpha_moment (up to which the entropy is exact).

    >>> bperc.theory.symmetric(1.0)["alpha_c"].round(8)
    1.8158755
    """
    grid = _Grid("pm", _SYMMETRIC, {"band": band, "alpha": alpha,
                                    "fout": fout})
    found = ffi.new("bperc_symmetric_typical *")
    with control(timeout, cancel) as guard:
        for at, values in grid.points():
            status = lib.bperc_symmetric_capacity(
                ffi.new("bperc_symmetric_model *", values), found, grid.error)
            grid.keep(at, status, guard, lambda name: getattr(found, name))
    return grid.answer(frame)


def symmetric_franz_parisi(distances: Any, band: Any, alpha: Any,
                           fout: Any = 1.0, *, frame: bool = False,
                           timeout: float | None = None,
                           cancel: Cancel | None = None) -> Any:
    """Local entropy around a typical solution of the symmetric perceptron:
    fields distance, entropy, bound, overlap. Negative: isolated.

    >>> f = bperc.theory.symmetric_franz_parisi(0.1, 1.0, 0.5)
    >>> f["entropy"].round(7), f["bound"].round(7)
    (0.2236526, 0.2267134)
    """
    grid = _Grid("pm", _SYMMETRIC_LOCAL, {"at": distances, "band": band,
                                          "alpha": alpha, "fout": fout})
    found = ffi.new("bperc_symmetric_local *")
    with control(timeout, cancel) as guard:
        for at, values in grid.points():
            status = lib.bperc_symmetric_franz_parisi(
                ffi.new("bperc_symmetric_model *", {
                    k: v for k, v in values.items() if k != "at"}),
                ffi.new("double *", values["at"]), 1, found, grid.error)
            grid.keep(at, status, guard, lambda name: getattr(found, name))
            grid.out["distance"][at] = values["at"]
    return grid.answer(frame)


def _teacher(weights: str, values: dict[str, float], exact_inputs: bool) -> Any:
    activity = values.pop("activity")
    return ffi.new("bperc_teacher_model *", {
        "weights": _KINDS[weights], "mean": activity,
        "exact_inputs": exact_inputs, **values})


def generalisation(alpha: Any, weights: str = "pm", activity: Any = 0.5,
                   fout: Any = 0.5, noise: Any = 0.0, band: Any = 0.0,
                   exact_inputs: bool = False, *, frame: bool = False,
                   timeout: float | None = None,
                   cancel: Cancel | None = None) -> Any:
    """Learning from a teacher: fields overlap, error_bayes, error_gibbs and
    free_entropy of the best student, the same with _amp where message passing
    ends, and the thresholds alpha_it and alpha_amp.

    activity : probability of a weight 1 (0/1).  exact_inputs : every input has
    the same number of ones.  noise : probability of a wrong label.  band : > 0
    for labels that say |sum| <= band sqrt(N variance of an input).

    >>> t = bperc.theory.generalisation(1.0)
    >>> t["alpha_it"].round(5), t["alpha_amp"].round(5)
    (1.24468, 1.49263)
    """
    grid = _Grid(weights, _TEACHER, {"alpha": alpha, "activity": activity,
                                     "fout": fout, "noise": noise,
                                     "band": band})
    found = ffi.new("bperc_teacher_answer *")

    def value(name: str) -> float:
        if name.startswith("alpha"):
            return float(getattr(found, name))
        state = found.amp if name.endswith("_amp") else found.best
        name = name.removesuffix("_amp").removeprefix("free_")
        return float(getattr(state, name))

    with control(timeout, cancel) as guard:
        for at, values in grid.points():
            status = lib.bperc_teacher_generalisation(
                _teacher(weights, values, exact_inputs), found, grid.error)
            grid.keep(at, status, guard, value)
    return grid.answer(frame)


def state_evolution(steps: int, alpha: float, weights: str = "pm",
                    activity: float = 0.5, fout: float = 0.5,
                    noise: float = 0.0, band: float = 0.0,
                    exact_inputs: bool = False, start: float = 0.0, *,
                    timeout: float | None = None,
                    cancel: Cancel | None = None) -> Any:
    """What message passing knows before its first step and after each of so
    many: an array with fields overlap, error_bayes, error_gibbs.

    >>> bperc.theory.state_evolution(3, 1.3)["overlap"].round(4)
    array([0.    , 0.4915, 0.6186, 0.6699])
    """
    choice("weights", weights, tuple(_KINDS))
    states = ffi.new("bperc_teacher_state[]", steps + 1)
    error = ffi.new("bperc_error *")
    if band > 0 and start == 0:
        start = 1e-3
    with control(timeout, cancel) as guard:
        guard.check(lib.bperc_teacher_evolution(
            _teacher(weights, {"alpha": alpha, "activity": activity,
                               "fout": fout, "noise": noise, "band": band},
                     exact_inputs), start, steps, states, error), error)
    names = ("overlap", "error_bayes", "error_gibbs")
    return np.array([tuple(getattr(s, name) for name in names)
                     for s in states], dtype=[(n, float) for n in names])


def _entropy(alpha: Any, a: Any, fin: Any, weights: str, fout: Any,
             kappa: Any, timeout: float | None,
             cancel: Cancel | None) -> _Grid:
    grid = _Grid(weights, _TYPICAL[1:], {"alpha": alpha, "a": a, "fin": fin,
                                         "fout": fout, "kappa": kappa})
    _typical(lib.bperc_theory_entropy, grid, timeout, cancel)
    return grid


def entropy(alpha: Any, a: Any = 40.0, fin: Any = 0.5, weights: str = "01",
            fout: Any = 0.5, kappa: Any = 0.0, *, frame: bool = False,
            timeout: float | None = None,
            cancel: Cancel | None = None) -> Any:
    """Replica-symmetric entropy of solutions; negative above capacity.

    >>> bperc.theory.entropy(0.2, 40, 0.5).round(7)
    0.0472776
    """
    return _entropy(alpha, a, fin, weights, fout, kappa, timeout,
                    cancel).answer(frame, "entropy")


def overlap(alpha: Any, a: Any = 40.0, fin: Any = 0.5, weights: str = "01",
            fout: Any = 0.5, kappa: Any = 0.0, *, frame: bool = False,
            timeout: float | None = None,
            cancel: Cancel | None = None) -> Any:
    """Overlap q of two typical solutions."""
    return _entropy(alpha, a, fin, weights, fout, kappa, timeout,
                    cancel).answer(frame, "overlap")


def optimum(fin: Any = 0.5, fout: Any = 0.5, kappa: Any = 0.0, *,
            frame: bool = False, timeout: float | None = None,
            cancel: Cancel | None = None) -> Any:
    """The A of largest capacity of 0/1 weights, and that capacity: fields a,
    alpha_c, overlap.

    >>> best = bperc.theory.optimum(0.5)
    >>> best["a"].round(3), best["alpha_c"].round(4)
    (6.216, 0.5897)
    """
    grid = _Grid("01", _OPTIMUM, {"fin": fin, "fout": fout, "kappa": kappa})
    found = ffi.new("bperc_theory_typical *")
    best = ffi.new("double *")
    with control(timeout, cancel) as guard:
        for at, values in grid.points():
            status = lib.bperc_theory_optimum(grid.model(values), best, found,
                                              grid.error)
            grid.keep(at, status, guard, lambda name: {
                "a": best[0], "alpha_c": found.alpha,
                "overlap": found.overlap}[name])
    return grid.answer(frame)


def _local(call: Any, grid: _Grid, timeout: float | None,
           cancel: Cancel | None) -> None:
    """Points that differ in their distance only are asked together."""
    groups: dict[tuple[float, ...], list[tuple[Any, dict[str, float]]]] = {}
    for at, values in grid.points():
        key = tuple(v for k, v in values.items() if k != "at")
        groups.setdefault(key, []).append((at, values))
    ended = ffi.new("double *")
    with control(timeout, cancel) as guard:
        for members in groups.values():
            points = ffi.new("bperc_theory_local[]", len(members))
            distances = ffi.new("double[]", [v["at"] for _, v in members])
            status = call(grid.model(members[0][1]), distances, len(members),
                          points, ended, grid.error)
            for (at, _), point in zip(members, points):
                lost = status == lib.BPERC_E_NUMERIC and \
                    point.regime == lib.BPERC_THEORY_LOST
                grid.keep(at, lib.BPERC_E_NUMERIC if lost else
                          lib.BPERC_OK if status == lib.BPERC_E_NUMERIC else
                          status, guard, lambda name: getattr(point, name))
                grid.out["distance"][at] = point.distance


def franz_parisi(distances: Any, alpha: Any, a: Any = 40.0, fin: Any = 0.5,
                 weights: str = "01", *, frame: bool = False,
                 timeout: float | None = None,
                 cancel: Cancel | None = None) -> Any:
    """Local entropy around a typical solution (Franz-Parisi potential): fields
    distance, entropy, bound, slope.

    >>> f = bperc.theory.franz_parisi([0.01, 0.02], 0.2)
    >>> f["entropy"].round(7)
    array([0.0020657, 0.015403 ])
    """
    grid = _Grid(weights, _LOCAL[:4], {"at": distances, "alpha": alpha, "a": a,
                                       "fin": fin})
    _local(lib.bperc_theory_franz_parisi, grid, timeout, cancel)
    return grid.answer(frame)


def large_deviation(distances: Any, alpha: Any, a: Any = 40.0, fin: Any = 0.5,
                    weights: str = "01", y: Any = np.inf,
                    references: str = "1rsb", *, frame: bool = False,
                    timeout: float | None = None,
                    cancel: Cancel | None = None) -> Any:
    """Local entropy of the densest region, at y to infinity or finite y
    (references "1rsb" or "rs"): fields distance, entropy, bound, slope,
    external, parisi.

    >>> d = bperc.theory.large_deviation([0.01, 0.02], 0.2)
    >>> d["entropy"].round(6)
    array([0.024574, 0.035187])
    """
    grid = _Grid(weights, _LOCAL[:6], {"at": distances, "alpha": alpha, "a": a,
                                       "fin": fin, "y": y}, references)
    _local(lib.bperc_theory_large_deviation, grid, timeout, cancel)
    return grid.answer(frame)


def alpha_u(a: Any = 40.0, fin: Any = 0.5, weights: str = "01",
            tolerance: float = 1e-4, smallest: float = 3e-4, *,
            frame: bool = False, timeout: float | None = None,
            cancel: Cancel | None = None) -> Any:
    """Where the densest region breaks: fields alpha_u, low and high (the
    region exists at low and is lost at high), distance (where), alpha_c.

    >>> bperc.theory.alpha_u(40, 0.5)["alpha_u"].round(3)
    0.234
    """
    grid = _Grid(weights, _THRESHOLD, {"a": a, "fin": fin})
    found = ffi.new("bperc_theory_threshold *")
    with control(timeout, cancel) as guard:
        for at, values in grid.points():
            status = lib.bperc_theory_alpha_u(grid.model(values), tolerance,
                                              smallest, found, grid.error)
            grid.keep(at, status, guard, lambda name: getattr(found, name))
    return grid.answer(frame)


def concavity(a: Any = 40.0, fin: Any = 0.5, weights: str = "01",
              y: Any = np.inf, references: str = "1rsb",
              tolerance: float = 1e-4, smallest: float = 3e-4, *,
              frame: bool = False, timeout: float | None = None,
              cancel: Cancel | None = None) -> Any:
    """The least load at which the local entropy of the densest region stops
    being concave: fields alpha, start and end (of the distances that it loses
    there), alpha_c."""
    grid = _Grid(weights, _FOLD, {"a": a, "fin": fin, "y": y}, references)
    found = ffi.new("bperc_theory_fold *")
    with control(timeout, cancel) as guard:
        for at, values in grid.points():
            status = lib.bperc_theory_concavity(grid.model(values), tolerance,
                                                smallest, found, grid.error)
            grid.keep(at, status, guard, lambda name: getattr(
                found, {"start": "from", "end": "to"}.get(name, name)))
    return grid.answer(frame)


def geometry(alpha: Any, a: Any = 40.0, fin: Any = 0.5, x: Any = 1.0,
             weights: str = "01", *, frame: bool = False,
             timeout: float | None = None,
             cancel: Cancel | None = None) -> Any:
    """Pure states of the solution space at Parisi parameter x (Appendix F):
    fields x, g, q_same, q_diff, size, complexity.

    >>> states = bperc.theory.geometry(0.2, x=[0.5, 1.0])
    >>> states["q_same"].shape
    (2,)
    """
    grid = _Grid(weights, _STATE, {"alpha": alpha, "a": a, "fin": fin,
                                   "at_x": x})
    _typical(lib.bperc_theory_entropy, grid, timeout, cancel,
             lambda found, values: lib.bperc_theory_geometry(
                 found, values["at_x"]))
    return grid.answer(frame)
