"""A scikit-learn estimator with binary weights."""
from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._core import control, ffi, lib, whole
from .problem import Problem


def _cuts(values: np.ndarray, levels: int) -> np.ndarray:
    """Cuts of a thermometer half-way between values that occur: quantiles
    first, then the largest group of rows that can still be split."""
    values = np.sort(values)
    found: list[float] = []

    def add(part: np.ndarray, rank: int) -> None:
        v = part[rank]
        above, below = part[part > v], part[part < v]
        if len(above):
            cut = v + (above[0] - v) / 2
        elif len(below):
            cut = below[-1] + (v - below[-1]) / 2
        else:
            return
        if cut not in found and values[0] <= cut < values[-1]:
            found.append(cut)

    for k in range(1, levels + 1):
        add(values, (len(values) - 1) * k // (levels + 1))
    while len(found) < levels:
        edges = np.searchsorted(values, sorted(found), side="right")
        parts = [p for p in np.split(values, edges)
                 if len(p) and p[0] < p[-1]]
        if not parts:
            break
        largest = max(parts, key=len)
        before = len(found)
        add(largest, (len(largest) - 1) // 2)
        if len(found) == before:
            break
    return np.array(sorted(found))


def _validated(model: Any, X: Any, *y: Any, **more: Any) -> Any:
    """Rows of numbers (sparse ones are filled), and labels, as scikit-learn
    checks them."""
    more.update(dtype=float, accept_sparse="csr")
    try:
        from sklearn.utils.validation import validate_data  # from 1.6 on
    except ImportError:
        found = model._validate_data(X, *y, **more)
    else:
        found = validate_data(model, X, *y, **more)
    rows = found[0] if y else found
    if hasattr(rows, "toarray"):
        rows = rows.toarray()
    return (rows, found[1]) if y else rows


class BinaryPerceptronClassifier(ClassifierMixin, BaseEstimator):
    """A perceptron whose weights are bits, trained by SBPI; the same weights
    as `bperc fit` finds for the same settings.

    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = bperc.BinaryPerceptronClassifier(folds=0).fit(X[:400], y[:400])
    >>> bool(model.score(X[400:], y[400:]) > 0.9)
    True

    binarize : how columns become bits: "auto" (0/1 columns as they are, else
        "levels=8"), "median", "mean", a number, "levels=K" (a thermometer of
        K quantiles), or None: 0/1 already. binarise: the same, if given.
    complement : adds the negation of every bit (0/1 weights can only add).
    threshold : "auto" (chosen with the margin by cross-validation) or a number.
    weights : "01" or "pm".  class_weight : None, "balanced" or a dict.
    folds, restarts, sweeps : of the training, as `bperc fit`; folds=0 chooses
        by training errors, without a margin.
    n_jobs : threads (None: one, -1: all); the answer does not depend on it.

    After `fit`: classes_, coef_ (a row of weights per class, one row for two
    classes), intercept_ (minus the thresholds), kappa_ (the margins), cuts_.
    """

    def __init__(self, binarize: Any = "auto", complement: bool = True,
                 threshold: Any = "auto", weights: str = "01",
                 class_weight: Any = None, folds: int = 5, restarts: int = 8,
                 sweeps: int = 4000, random_state: Any = 1,
                 n_jobs: int | None = None, binarise: Any = None):
        self.binarize = binarize
        self.complement = complement
        self.threshold = threshold
        self.weights = weights
        self.class_weight = class_weight
        self.folds = folds
        self.restarts = restarts
        self.sweeps = sweeps
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.binarise = binarise

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"X_types": ["2darray", "sparse"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # ---- columns to bits

    def _rule(self) -> Any:
        return self.binarize if self.binarise is None else self.binarise

    def _levels(self) -> int:
        """Levels of the thermometer that `binarize` names."""
        rule = str(self._rule())
        if rule in ("auto", "median"):
            return 8 if rule == "auto" else 1
        name, _, levels = rule.partition("=")
        if name != "levels" or not levels.isdigit() or int(levels) < 1:
            raise ValueError(f"binarize: {self._rule()!r} is not 'auto', "
                             "'median', 'mean', 'levels=K', a number or None")
        return int(levels)

    def _learn(self, X: np.ndarray) -> list[np.ndarray]:
        rule, cuts = self._rule(), []
        for column in X.T:
            if rule is None or (rule == "auto" and
                                np.isin(column, (0, 1)).all()):
                cuts.append(np.array([0.5]))
            elif rule == "mean":
                cuts.append(np.array([column.mean()]))
            elif isinstance(rule, str):
                cuts.append(_cuts(column, self._levels()))
            else:
                cuts.append(np.array([float(rule)]))
        return cuts

    def _bits(self, X: np.ndarray) -> np.ndarray:
        bits = np.concatenate(
            [column[:, None] > cut[None, :]
             for column, cut in zip(X.T, self.cuts_)], axis=1)
        if not bits.shape[1]:  # all columns are constant
            bits = np.zeros((len(X), 1), bool)
        if self.complement:
            bits = np.concatenate([bits, ~bits], axis=1)
        return bits

    # ---- one class against the rest

    def _costs(self, positive: Any) -> tuple[tuple[float, float], int]:
        """Cost of an error on the rest and on the class; whether balanced."""
        if self.class_weight is None:
            return (0.0, 0.0), 0
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError(f"class_weight: {self.class_weight!r} is not "
                                 "'balanced', a dict or None")
            return (0.0, 0.0), 1
        one = float(self.class_weight.get(positive, 1))
        rest = [float(self.class_weight.get(c, 1)) for c in self.classes_
                if c != positive]
        return (float(np.mean(rest)), one), 0

    def _threads(self) -> int:
        """n_jobs as joblib counts: None is 1, -1 all cores, -2 all but one."""
        if self.n_jobs is None:
            return 1
        if self.n_jobs == 0:
            raise ValueError("n_jobs must not be 0")
        cores = len(os.sched_getaffinity(0))
        return self.n_jobs if self.n_jobs > 0 \
            else max(1, cores + 1 + self.n_jobs)

    def _options(self, y: np.ndarray, positive: Any) -> Any:
        costs, balanced = self._costs(positive)
        folds = whole("folds", self.folds, 0, 2**32 - 1)
        least = int(np.bincount(y == positive, minlength=2).min())
        how = ffi.new("bperc_fit_options *", {
            "folds": 0 if least < folds else folds,
            "restarts": whole("restarts", self.restarts, 1, 2**32 - 1),
            "sweeps": whole("sweeps", self.sweeps, 1),
            "class_weights": costs, "balanced": balanced})
        return how

    def _fit_one(self, bits: np.ndarray, y: np.ndarray, positive: Any,
                 seed: int) -> tuple[np.ndarray, float, float]:
        problem = Problem(bits.astype(np.int8), (y == positive).astype(int),
                          threshold=0.5, weights=self.weights)
        how = self._options(y, positive)
        how.seed, how.threads = seed, self._threads()
        if not isinstance(self.threshold, str):
            given = ffi.new("double[]", [float(self.threshold)])
            how.thresholds, how.threshold_count = given, 1
        elif self.threshold != "auto":
            raise ValueError(f"threshold: {self.threshold!r} is not 'auto' or "
                             "a number")
        out, error = ffi.new("bperc_fit_result *"), ffi.new("bperc_error *")
        try:
            with control() as guard:
                status = lib.bperc_fit(problem._in, how, out, error)
            guard.check(status, error)
            return problem._bits_out(out.weights), out.threshold, out.kappa
        finally:
            lib.bperc_fit_clear(out)

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        from sklearn.utils import check_random_state
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def fit(self, X: Any, y: Any) -> "BinaryPerceptronClassifier":
        """Learns cuts, threshold and weights from rows X with classes y."""
        X, y = _validated(self, X, y)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("the labels have one class only: "
                             f"{self.classes_.tolist()}")
        self.cuts_ = self._learn(X)
        bits, seed = self._bits(X), self._seed()
        targets = self.classes_[1:] if len(self.classes_) == 2 \
            else self.classes_
        found = [self._fit_one(bits, y, c, seed) for c in targets]
        self.coef_ = np.array([w for w, _, _ in found])
        self.intercept_ = -np.array([t for _, t, _ in found])
        self.kappa_ = np.array([k for _, _, k in found])
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Sums minus the threshold, one column per class above two."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        scores = self._bits(X).astype(np.int64) @ self.coef_.T.astype(
            np.int64) + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The class of every row: the one with the largest sum minus
        threshold; of two, the second where the sum is above it."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        return self.classes_[scores.argmax(axis=1)]


BinaryPerceptronClassifier.__module__ = "bperc"
__all__ = ["BinaryPerceptronClassifier"]
