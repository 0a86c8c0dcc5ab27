"""A scikit-learn estimator with binary weights."""
from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._core import check, control, ffi, lib
from .problem import Problem


def _cuts(values: np.ndarray, levels: int) -> np.ndarray:
    """Cuts of a thermometer half-way between values that occur: quantiles
    first, then the largest group of rows that can still be split."""
    values = np.sort(values)
    found: list[float] = []

    def add(part, rank):
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


class BinaryPerceptronClassifier(ClassifierMixin, BaseEstimator):
    """A perceptron whose weights are bits, trained by SBPI.

    binarize : how columns become bits: "auto" (0/1 columns as they are, else
        "levels=8"), "median", "mean", a number, "levels=K", or None.
    complement : adds the negation of every bit (0/1 weights can only add).
    threshold : "auto" (chosen with the margin by cross-validation) or a number.
    weights : "01" or "pm".  class_weight : None, "balanced" or a dict.
    folds, restarts, sweeps : of the training, as `bperc fit`.
    n_jobs : threads (None: one, -1: all).
    """

    def __init__(self, binarize="auto", complement=True, threshold="auto",
                 weights="01", class_weight=None, folds=3, restarts=4,
                 sweeps=1000, random_state=1, n_jobs=None):
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

    # ---- columns to bits

    def _learn(self, X) -> list[np.ndarray]:
        rule, cuts = self.binarize, []
        for column in X.T:
            if rule is None or (rule == "auto" and
                                np.isin(column, (0, 1)).all()):
                cuts.append(np.array([0.5]))
            elif rule == "mean":
                cuts.append(np.array([column.mean()]))
            elif isinstance(rule, str):
                levels = 1 if rule == "median" else 8 if rule == "auto" else \
                    int(rule.split("=")[1])
                cuts.append(_cuts(column, levels))
            else:
                cuts.append(np.array([float(rule)]))
        return cuts

    def _bits(self, X) -> np.ndarray:
        bits = np.concatenate(
            [column[:, None] > cut[None, :]
             for column, cut in zip(X.T, self.cuts_)], axis=1)
        if not bits.shape[1]:  # all columns are constant
            bits = np.zeros((len(X), 1), bool)
        if self.complement:
            bits = np.concatenate([bits, ~bits], axis=1)
        return bits

    # ---- one class against the rest

    def _costs(self, y, positive):
        if self.class_weight is None:
            return (0.0, 0.0), 0
        if isinstance(self.class_weight, str):
            return (0.0, 0.0), 1
        one = float(self.class_weight.get(positive, 1))
        rest = [float(self.class_weight.get(c, 1)) for c in self.classes_
                if c != positive]
        return (float(np.mean(rest)), one), 0

    def _fit_one(self, bits, y, positive, seed):
        problem = Problem(bits.astype(np.int8), (y == positive).astype(int),
                          threshold=0.5, weights=self.weights)
        costs, balanced = self._costs(y, positive)
        least = int(np.bincount(y == positive, minlength=2).min())
        how = ffi.new("bperc_fit_options *", {
            "folds": 0 if least < self.folds else self.folds,
            "restarts": self.restarts, "sweeps": self.sweeps,
            "class_weights": costs, "balanced": balanced})
        kept = []
        if not isinstance(self.threshold, str):
            kept.append(np.array([float(self.threshold)]))
            how.thresholds = ffi.from_buffer("double[]", kept[0])
            how.threshold_count = 1
        out, error = ffi.new("bperc_fit_result *"), ffi.new("bperc_error *")
        threads = 1 if self.n_jobs is None else max(0, self.n_jobs)
        with control() as flag:
            status = lib.bperc_fit(problem._in, how, seed, threads, ffi.NULL,
                                   ffi.NULL, out, error)
        check(status, error, flag)
        try:
            return problem._bits_out(out.weights), out.threshold
        finally:
            lib.bperc_fit_clear(out)

    def fit(self, X, y):
        X, y = self._validate_data(X, y, dtype=float)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("the labels have one class only: "
                             f"{self.classes_.tolist()}")
        self.cuts_ = self._learn(X)
        bits = self._bits(X)
        seed = self.random_state
        if seed is None or not isinstance(seed, (int, np.integer)):
            from sklearn.utils import check_random_state
            seed = int(check_random_state(seed).randint(2**31 - 1))
        targets = self.classes_[1:] if len(self.classes_) == 2 \
            else self.classes_
        found = [self._fit_one(bits, y, c, int(seed)) for c in targets]
        self.coef_ = np.array([w for w, _ in found])
        self.intercept_ = -np.array([t for _, t in found])
        return self

    def decision_function(self, X):
        """Sums minus the threshold, one column per class above two."""
        check_is_fitted(self)
        X = self._validate_data(X, dtype=float, reset=False)
        scores = self._bits(X).astype(np.int64) @ self.coef_.T.astype(
            np.int64) + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        return self.classes_[scores.argmax(axis=1)]

    def _more_tags(self):
        return {"binary_only": False}


__all__ = ["BinaryPerceptronClassifier"]
