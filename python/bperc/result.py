"""What the questions to a problem are answered with."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ._core import html_table, option_values


class Trace(NamedTuple):
    """A run, step by step.

    step : numbers of the recorded steps, 0 is the start
    errors : patterns missed after each of them
    hidden : hidden states or fields, steps x weights; None for a solver that
        has none
    """

    step: np.ndarray
    errors: np.ndarray
    hidden: np.ndarray | None

    def __repr__(self) -> str:
        seen = "" if self.hidden is None else \
            f", hidden {self.hidden.shape[0]} x {self.hidden.shape[1]}"
        return f"<Trace of {len(self.step)} steps{seen}>"


@dataclass(repr=False)
class Result:
    """The outcome of `Problem.solve`.

    weights : the best weights met, 0/1 (or -1/+1 for weights="pm", or whole
        numbers for the solver "ecp")
    solved : whether they give every pattern its label
    status : "solved", "unsolved", or "unsatisfiable" after a proof
    errors : how many patterns they miss
    steps : steps of the solver, counted in `step_name`
    by : the solver that was at work at the end, for "auto"
    t_fix : per weight the last step at which it changed
    trace : with trace=True, a `Trace`
    """

    weights: np.ndarray
    solved: bool
    status: str
    errors: int
    steps: int
    step_name: str
    seconds: float
    solver: str
    by: str
    seed: int
    t_fix: np.ndarray
    trace: Trace | None = None
    _options: Any = field(default=None)  # table and struct, or a dict

    @property
    def options(self) -> dict[str, Any]:
        """The options of the solver that were in force; numbers left to it
        (`auto`) as it chose them."""
        if isinstance(self._options, tuple):
            return option_values(*self._options)
        return dict(self._options or {})

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__, _options=self.options)

    def __repr__(self) -> str:
        what = "solved" if self.solved else \
            f"{self.status}, {self.errors} errors"
        by = self.solver if self.by == self.solver else \
            f"{self.solver} ({self.by})"
        return (f"<Result {what} by {by} in {self.steps} {self.step_name}, "
                f"{self.seconds:.3g} s>")

    def _repr_html_(self) -> str:
        shown = "".join("%+d" % w if self.weights.min() < 0 else str(w)
                        for w in self.weights[:48])
        return html_table(
            f"{self.status} by {self.by}",
            {"errors": self.errors, self.step_name: self.steps,
             "seconds": f"{self.seconds:.3g}", "seed": self.seed,
             "weights": shown + ("..." if len(self.weights) > 48 else "")})


@dataclass(repr=False)
class Check:
    """Weights judged by plain sums.

    satisfied, errors, violated : whether and where they fail
    min_margin : by how many hits the worst pattern is on its side
    sums : sum of input times weight, per pattern
    """

    satisfied: bool
    errors: int
    violated: np.ndarray
    min_margin: int
    sums: np.ndarray

    def __repr__(self) -> str:
        what = "satisfied" if self.satisfied else \
            f"{self.errors} of {len(self.sums)} patterns violated"
        return f"<Check {what}, least margin {self.min_margin}>"


@dataclass(repr=False)
class Beliefs:
    """Belief propagation at its fixed point.

    entropy : Bethe entropy, nats per weight; NaN for a contradiction or
        where it cannot be trusted
    marginals : P(bit of weight i is 1)
    outcome : "converged", "unconverged", "contradiction" (no weights satisfy
        all patterns, or messages force weights both ways) or "doubtful"
    error : of the entropy; 0 on trees, NaN where none is known
    """

    converged: bool
    iterations: int
    entropy: float
    marginals: np.ndarray
    outcome: str = "converged"
    error: float = float("nan")

    def __repr__(self) -> str:
        what = self.outcome
        return (f"<Beliefs {what} after {self.iterations} iterations, entropy "
                f"{self.entropy:.6g}>")


@dataclass(repr=False)
class Inference:
    """What the patterns say about weights and about new labels.

    marginals : P(bit of weight i is 1)
    overlap : of two students, and expected of the mean weights with a teacher
    error_bayes, error_gibbs : expected error on a new pattern, of the likelier
        label and of a random student
    error_left_out : share of labels that the other patterns predict wrongly
    overlaps : overlap after every iteration
    """

    converged: bool
    iterations: int
    marginals: np.ndarray
    overlap: float
    error_bayes: float
    error_gibbs: float
    error_left_out: float
    overlaps: np.ndarray

    def __repr__(self) -> str:
        what = "converged" if self.converged else "not converged"
        return (f"<Inference {what} after {self.iterations} iterations, "
                f"overlap {self.overlap:.6g}, error {self.error_bayes:.6g}>")


@dataclass(repr=False)
class Decimation:
    """Weights fixed one after the other.

    order, values : which weight was fixed in each step, and at which bit
    log_count : log of the number of solutions before each step (Bethe's
        estimate for marginals of belief propagation), one number more at the
        end
    measures : with exact marginals, a structured array of exact measures with
        0, 1, 2, ... weights fixed
    """

    solved: bool
    order: np.ndarray
    values: np.ndarray
    log_count: np.ndarray
    measures: np.ndarray | None = None

    def __repr__(self) -> str:
        what = "solved" if self.solved else "not solved"
        return f"<Decimation {what}, {len(self.order)} weights fixed>"


class Walk(NamedTuple):
    """A walk among solutions: where it ended, accepted flips, and the Hamming
    distance from the start."""

    weights: np.ndarray
    moves: int
    distance: int

    def __repr__(self) -> str:
        return (f"<Walk {self.moves} flips, {self.distance} of "
                f"{len(self.weights)} weights changed>")
