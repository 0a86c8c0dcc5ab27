"""Questions to a problem: solutions, marginals, walks."""
from __future__ import annotations

import math
import os
import weakref
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np

from . import _watch
from ._core import (BpercError, Cancel, Guard, check, choice, control, copied,
                    encoded, encoded_path, ffi, lib, options, seed_of, text,
                    threads_of, whole)
from .instance import Instance
from .result import Beliefs, Check, Decimation, Inference, Result, Walk

if TYPE_CHECKING:
    from .space import SolutionSpace


#: What structs point to lives as long as they do.
_KEPT: "weakref.WeakKeyDictionary[Any, Any]" = weakref.WeakKeyDictionary()


def solvers() -> list[str]:
    """Names of all solvers.

    >>> "sbpi" in bperc.solvers()
    True
    """
    out, table, k = [], lib.bperc_solvers(), 0
    while table[k] != ffi.NULL:
        out.append(text(table[k].name))
        k += 1
    return out


class Problem(Instance):
    """Patterns with labels, and the perceptron that is to store them.

    >>> p = bperc.Problem([[0, 1, 1], [1, 0, 0]], [1, 0], threshold=1.5)
    >>> p.solve().weights
    array([0, 1, 1], dtype=uint8)

    X : M x N inputs, 0/1 or -1/0/+1.  y : M labels, 0/1 (or -1/+1).
    a : threshold N/a, or threshold : the threshold itself.
    weights : "01" or "pm" (-1/+1).  ties : "zero", "strict", "either".
    kappa : margin of stability.
    band : label 1 wants |sum - threshold| <= band, label 0 wants more.

    Every long call takes `timeout` in seconds and `cancel`, a `bperc.Cancel`
    that another thread may set; Ctrl-C ends it too.
    """

    def check(self, w: Any) -> Check:
        """Judges weights by plain sums, with no code of any solver.

        >>> bperc.Problem([[1, 1]], [1], threshold=1.5).check([1, 0])
        <Check 1 of 1 patterns violated, least margin -1>
        """
        violated = np.zeros(self.m + 1, np.uintp)
        sums = np.zeros(self.m + 1, np.int64)
        at = ffi.from_buffer("size_t[]", violated)
        to = ffi.from_buffer("int64_t[]", sums)
        given = np.asarray(w)
        if self.weights == "01" and given.dtype.kind in "iuf" and \
                given.size and given.max() > 1:  # of extended-CP
            with np.errstate(invalid="ignore"):
                sizes = np.ascontiguousarray(given, np.int32)
            if sizes.shape != (self.n,) or (sizes < 0).any() or \
                    (sizes != given).any():
                raise BpercError(f"{self.n} whole numbers from 0 are wanted")
            numbers = ffi.from_buffer("int32_t[]", sizes)
            verdict = lib.bperc_verify_integers(self._in, numbers, at)
            lib.bperc_sums_integers(self._in, numbers, to)
        else:
            bits = self._bits_in(w)
            verdict = lib.bperc_verify(self._in, bits, at)
            lib.bperc_instance_sums(self._in, bits, to)
        return Check(verdict.errors == 0, int(verdict.errors),
                     violated[:verdict.errors].astype(int),
                     int(verdict.min_margin), sums[:-1])

    def predict(self, w: Any) -> np.ndarray:
        """Outputs of the patterns: 1 where the sum is above the threshold,
        whatever the labels say.

        >>> bperc.Problem([[1, 1], [1, 0]], [1, 1], threshold=1).predict([1, 1])
        array([1, 0], dtype=uint8)
        """
        out = np.zeros(self.m + 1, np.uint8)
        lib.bperc_instance_predict(self._in, self._bits_in(w),
                                   ffi.from_buffer("uint8_t[]", out))
        return out[:-1]

    def write_weights(self, w: Any, path: str | os.PathLike[str]) -> None:
        """Writes a file of weights for the program: a line of bits, and a
        comment with the threshold of this problem."""
        error = ffi.new("bperc_error *")
        check(lib.bperc_weights_write(encoded_path(path), self._in,
                                      self._bits_in(w), ffi.NULL, error),
              error)

    # ---- one solution

    def solve(self, solver: str = "auto", *, seed: int = 1, threads: int = 0,
              timeout: float | None = None, cancel: Cancel | None = None,
              preset: str = "default", restarts: int = 1, initial: Any = None,
              class_weight: Any = None,
              callback: Callable[[int, int], Any] | None = None,
              trace: bool = False, every: int = 1, **more: Any) -> Result:
        """Searches weights that store all patterns.

        callback(step, errors) is called after every step; a true answer ends
        the run, and so do a time limit and `cancel`: the best weights met are
        the answer. trace=True records errors and hidden states of every step,
        or of every so many. restarts : runs in all, of which the best weights
        are kept; initial : weights where the first run begins; class_weight :
        "balanced" or the costs (of label 0, of label 1) of an error. Further
        keywords are the solver's options, as on the command line.

        >>> p = bperc.Problem.random(480, alpha=0.2, fin=0.3, a=40)
        >>> r = p.solve("sbpi", max_sweeps=1000, trace=True)
        >>> r.solved, r.steps, r.trace.hidden.shape
        (True, 26, (27, 480))
        """
        recorder = None
        if trace and restarts > 1:
            raise BpercError("a trace is of one run: leave out restarts")
        if callback is not None or trace:
            recorder = _watch.Recorder(self.n, callback, trace, every)
        return self._run(solver, seed, threads, timeout, cancel, preset,
                         self._how(restarts, initial, class_weight), recorder,
                         more)

    def _how(self, restarts: int = 1, initial: Any = None,
             class_weight: Any = None) -> Any:
        """Runs, start and costs of a search."""
        how = ffi.new("bperc_search_options *", {
            "restarts": whole("restarts", restarts, 1, 2**32 - 1)})
        if isinstance(class_weight, str):
            if class_weight != "balanced":
                raise BpercError(f"class_weight: '{class_weight}' is not "
                                 "'balanced' or two numbers")
            how.balanced = 1
        elif class_weight is not None:
            how.class_weights = [float(class_weight[k]) for k in (0, 1)]
            if not all(0 < w < math.inf for w in how.class_weights):
                raise BpercError(f"class_weight: {class_weight!r} is not two "
                                 "positive numbers")
        if initial is not None:
            how.run.start = _KEPT[how] = self._bits_in(initial)
        return how

    def _run(self, solver: str, seed: int, threads: int,
             timeout: float | None, cancel: Cancel | None, preset: str,
             how: Any, recorder: _watch.Recorder | None,
             more: Mapping[str, Any]) -> Result:
        found = lib.bperc_solver_find(encoded(solver))
        if found == ffi.NULL:
            raise BpercError(f"there is no solver '{solver}': "
                             f"{', '.join(solvers())}")
        table = found.options()
        values = options(table, ffi.new("char[]", max(1, found.options_size)),
                         more, preset)
        error = ffi.new("bperc_error *")
        best = ffi.new("bperc_search_result *")
        how.run.seed = seed = seed_of(seed)
        how.run.threads = threads_of(threads)
        handle = ffi.NULL
        if recorder is not None:
            how.run.context = handle = ffi.new_handle(recorder)
            how.run.watch = lib.bperc_py_watch
        with control(timeout, cancel) as guard:
            status = lib.bperc_search(found, self._in, values, how, best,
                                      error)
        run = ffi.addressof(best, "run")
        try:
            self._check_run(run, status, error, guard, recorder)
            used = ffi.new("char[]", max(1, found.options_size))
            check(lib.bperc_solver_options(found, self._in, values, used,
                                           error), error)
            return self._result(found, run, seed, recorder, (table, used))
        finally:
            lib.bperc_search_clear(best)

    @staticmethod
    def _check_run(run: Any, status: int, error: Any, guard: Guard,
                   recorder: _watch.Recorder | None) -> None:
        if recorder is not None and recorder.failure is not None:
            raise recorder.failure
        stopped = status == lib.BPERC_E_INTERRUPTED and \
            run.t_fix != ffi.NULL and not guard.interrupted()
        if not stopped:  # a time limit or callback: the best so far is given
            guard.check(status, error)

    def _result(self, found: Any, run: Any, seed: int,
                recorder: _watch.Recorder | None,
                used: tuple[Any, Any]) -> Result:
        solved = run.outcome == lib.BPERC_SOLVED
        proof = found.complete and run.outcome == lib.BPERC_CONTRADICTION
        if run.integers != ffi.NULL:
            weights = copied(run.integers, self.n, np.int32)
        else:
            weights = self._bits_out(run.weights)
        return Result(
            weights=weights, solved=solved,
            status="solved" if solved else
            "unsatisfiable" if proof else "unsolved",
            errors=int(run.errors), steps=int(run.steps),
            step_name=text(found.step_name), seconds=run.seconds,
            solver=text(found.name), by=text(run.by), seed=seed,
            t_fix=copied(run.t_fix, self.n, np.uint32),
            trace=recorder.trace() if recorder is not None else None,
            _options=used)

    # ---- all solutions

    def _fixed(self, fix: Mapping[int, int] | None) -> Any:
        """n values 0, 1 or -1 for not fixed."""
        if not fix:
            return ffi.NULL
        out = np.full(self.n, -1, np.int8)
        for weight, value in fix.items():
            if not 0 <= weight < self.n or value not in (-1, 0, 1):
                raise BpercError(f"fix: there is no weight {weight} with a "
                                 f"value {value}")
            out[weight] = value > 0
        return ffi.from_buffer("int8_t[]", out)

    def _space(self, fix: Mapping[int, int] | None, threads: int,
               seed: int = 0, watch: Any = ffi.NULL) -> Any:
        """How the work on the solution space is done."""
        fixed = self._fixed(fix)
        how = ffi.new("bperc_space_options *",
                      {"fixed": fixed, "seed": seed_of(seed),
                       "threads": threads_of(threads),
                       "watch": watch})
        _KEPT[how] = fixed
        return how

    def solutions(self, limit: int | None = None, *,
                  fix: Mapping[int, int] | None = None, threads: int = 0,
                  timeout: float | None = None, cancel: Cancel | None = None,
                  callback: Callable[[float, float], Any] | None = None,
                  **more: Any) -> "SolutionSpace":
        """All solutions, or at most `limit`, as a `SolutionSpace`. At most
        128 weights that `fix`, a dict {weight: value}, does not fix.
        callback(share, found) is told now and then which share of the search
        is done and how many solutions were met; a true answer ends it.

        >>> p = bperc.Problem.random(25, m=9, fin=0.3, a=12, seed=3)
        >>> p.solutions()
        <SolutionSpace 3164 solutions of 25 weights>
        >>> p.solutions(fix={0: 1, 7: 0}).count
        488
        """
        from .space import SolutionSpace
        if limit is not None:
            more["limit"] = int(limit)
        out, error = ffi.new("bperc_solutions **"), ffi.new("bperc_error *")
        values = options(lib.bperc_exact_option_table(),
                         ffi.new("bperc_exact_options *"), more)
        search = _watch.Search(callback, cancel)
        how = self._space(fix, threads, watch=search.watch)
        with control(timeout, search.cancel) as guard:
            status = lib.bperc_exact_list(self._in, values, how, out, error)
        search.check()
        guard.check(status, error)
        return SolutionSpace(self, out[0], dict(fix or {}))

    def read_solutions(self, path: str | os.PathLike[str]) -> "SolutionSpace":
        """The list that `SolutionSpace.write` or `bperc enumerate --list`
        wrote. Solutions of another problem are refused."""
        from .space import SolutionSpace
        out, error = ffi.new("bperc_solutions **"), ffi.new("bperc_error *")
        check(lib.bperc_solutions_read(encoded_path(path), out, error), error)
        fixed = {i: int(out[0].fixed[i]) for i in range(int(out[0].n))
                 if out[0].fixed[i] >= 0}
        space = SolutionSpace(self, out[0], fixed)
        wrong = "another number of weights" if space.n != self.n else \
            lib.bperc_solutions_check(space._s, self._in)
        if wrong != ffi.NULL:
            said = wrong if isinstance(wrong, str) else text(wrong)
            raise BpercError(f"{os.fspath(path)}: {said}")
        return space

    def count(self, *, fix: Mapping[int, int] | None = None, threads: int = 0,
              timeout: float | None = None, cancel: Cancel | None = None,
              callback: Callable[[float, float], Any] | None = None) -> int:
        """The exact number of solutions; callback as for `solutions`.

        >>> bperc.Problem.random(60, m=24, fin=0.5, a=12, seed=2).count()
        661289
        """
        error = ffi.new("bperc_error *")
        answer = ffi.new("bperc_exact_answer *")
        search = _watch.Search(callback, cancel)
        how = self._space(fix, threads, watch=search.watch)
        with control(timeout, search.cancel) as guard:
            status = lib.bperc_exact_count(self._in, ffi.NULL, how, answer,
                                           error)
        search.check()
        guard.check(status, error)
        buffer = ffi.new("char[]", lib.BPERC_COUNT_TEXT)
        return int(text(lib.bperc_count_text(answer.count, buffer)))

    def sample(self, k: int, seed: int = 1, *,
               fix: Mapping[int, int] | None = None, threads: int = 0,
               timeout: float | None = None,
               cancel: Cancel | None = None) -> np.ndarray:
        """k solutions drawn uniformly, with replacement, by counting: also
        of spaces that are too large to list. No rows without solution.

        >>> p = bperc.Problem.random(25, m=9, fin=0.3, a=12, seed=3)
        >>> [p.check(w).errors for w in p.sample(3)]
        [0, 0, 0]
        """
        words = np.zeros((whole("k", k, 0), int(self._in.words)), "<u8")
        error = ffi.new("bperc_error *")
        answer = ffi.new("bperc_exact_answer *")
        with control(timeout, cancel) as guard:
            status = lib.bperc_exact_sample(
                self._in, self._space(fix, threads, seed), k,
                ffi.from_buffer("uint64_t[]", words) if k else ffi.NULL,
                answer, error)
        guard.check(status, error)
        return self._values(words if any(answer.count.word) else words[:0])

    def _values(self, words: np.ndarray) -> np.ndarray:
        """Rows of packed bits as rows of values of the weights."""
        from ._core import unpack_bits
        bits = unpack_bits(words, self.n)
        return bits if self.weights == "01" else 2 * bits.astype(np.int8) - 1

    # ---- belief propagation

    def bp(self, *, seed: int = 1, threads: int = 0,
           timeout: float | None = None, cancel: Cancel | None = None,
           preset: str = "default", **more: Any) -> Beliefs:
        """Belief propagation at its fixed point; centred=True holds the
        activity (the sum of the weights) at its value.

        >>> p = bperc.Problem([[1, 1, 0], [0, 0, 1]], [1, 0], threshold=0.5)
        >>> p.bp().marginals.round(6)
        array([0.666667, 0.666667, 0.      ])
        """
        error = ffi.new("bperc_error *")
        values = options(lib.bperc_bp_option_table(),
                         ffi.new("bperc_bp_options *"), more, preset)
        out, report = ffi.new("bperc_bp **"), ffi.new("bperc_bp_report *")
        with control(timeout, cancel) as guard:
            status = lib.bperc_bp_new(self._in, values, seed, threads, out,
                                      error)
            if status == lib.BPERC_OK:
                status = lib.bperc_bp_converge(out[0], report)
        engine = ffi.gc(out[0], lib.bperc_bp_free)
        guard.check(status, error)
        p = np.empty(self.n)
        lib.bperc_bp_marginals(engine, ffi.from_buffer("double[]", p))
        told = lib.bperc_bp_judge(engine, report)
        name = ffi.string(lib.bperc_bp_outcome_name(told.outcome)).decode()
        return Beliefs(bool(report.converged), int(report.iterations),
                       told.entropy, p, name, told.error)

    def infer(self, *, threads: int = 0, timeout: float | None = None,
              cancel: Cancel | None = None, **more: Any) -> Inference:
        """Message passing without reinforcement: marginals, and the error to
        expect on new patterns of the same teacher. noise: probability of a
        wrong label.

        >>> p = bperc.Problem.random(n=501, alpha=0.5, inputs="pm",
        ...                          weights="pm", teacher=True)
        >>> p.infer().converged
        True
        """
        error = ffi.new("bperc_error *")
        values = options(lib.bperc_inference_option_table(),
                         ffi.new("bperc_inference_options *"), more)
        out = ffi.new("bperc_inference **")
        report: Any = None
        overlaps: list[float] = []
        with control(timeout, cancel) as guard:
            status = lib.bperc_inference_new(self._in, values, threads, out,
                                             error)
            engine = ffi.gc(out[0], lib.bperc_inference_free)
            while status == lib.BPERC_OK:
                report = lib.bperc_inference_step(engine)
                overlaps.append(report.overlap)
                if report.converged or report.diverged or \
                        report.iterations >= values.max_iterations:
                    break
                if lib.bperc_cancelled():
                    status = lib.BPERC_E_INTERRUPTED
        guard.check(status, error)
        p = np.empty(self.n)
        lib.bperc_inference_marginals(engine, ffi.from_buffer("double[]", p))
        return Inference(bool(report.converged), int(report.iterations), p,
                         report.overlap, report.error_bayes,
                         report.error_gibbs, report.error_left_out,
                         np.array(overlaps))

    def local_entropy(self, w: Any, *, seed: int = 1, threads: int = 0,
                      timeout: float | None = None,
                      cancel: Cancel | None = None,
                      **more: Any) -> np.ndarray:
        """Local entropy around w by belief propagation: a structured array
        with x (coupling), distance (per weight), entropy, count and
        converged."""
        values = options(lib.bperc_local_option_table(),
                         ffi.new("bperc_local_options *"), more)
        points = ffi.new("bperc_local_point[]", int(values.points))
        one, error = ffi.new("double *"), ffi.new("bperc_error *")
        how = ffi.new("bperc_local_run *", {
            "seed": seed_of(seed), "threads": threads_of(threads),
            "one_flip": one})
        with control(timeout, cancel) as guard:
            status = lib.bperc_local_entropy(
                self._in, self._bits_in(w), values, how, points, error)
        guard.check(status, error)
        return np.array([(p.x, p.distance, p.entropy, p.count,
                          bool(p.converged)) for p in points],
                        dtype=[("x", float), ("distance", float),
                               ("entropy", float), ("count", float),
                               ("converged", bool)])

    # ---- paths

    def decimate(self, marginals: str = "bp", *, order: str = "polarised",
                 seed: int = 1, threads: int = 0,
                 timeout: float | None = None, cancel: Cancel | None = None,
                 preset: str = "default", **more: Any) -> Decimation:
        """Fixes one weight after the other by marginals of belief propagation
        ("bp") or exact ones ("exact", for spaces that can be listed). order
        "polarised": the most polarised weight at its likelier value;
        "random": any weight, its value drawn by its marginal.

        >>> p = bperc.Problem.random(25, m=9, fin=0.3, a=12, seed=3)
        >>> d = p.decimate("exact")
        >>> d.solved, d.order[:4].tolist(), d.measures["clusters"][:4].tolist()
        (True, [18, 24, 16, 6], [7, 7, 7, 7])
        """
        drawn = choice("order", order, ("polarised", "random")) == 1
        if choice("marginals", marginals, ("bp", "exact")):
            from .space import decimate_exactly
            return decimate_exactly(self, seed if drawn else None, threads,
                                    timeout, cancel, more)
        watch = _watch.Fixing()
        more = {"entropy": True, "uniform": drawn, **more}
        r = self._run("bpd", seed, threads, timeout, cancel, preset,
                      self._how(), watch, more)
        logs = watch.log_counts + [0.0 if r.solved else np.nan]
        return Decimation(r.solved, np.array(watch.order, int),
                          np.array(watch.values, int), np.array(logs))

    def walk(self, w: Any, sweeps: int = 10000, *, seed: int = 1,
             timeout: float | None = None, cancel: Cancel | None = None,
             preset: str = "default", **more: Any) -> Walk:
        """Random walk among solutions from w, which must be one.

        >>> p = bperc.Problem.random(60, alpha=0.2, fin=0.3, a=12)
        >>> there = p.walk(p.solve("sbpi").weights, 100)
        >>> p.check(there.weights).satisfied, there.distance > 0
        (True, True)
        """
        bits = self._bits_in(w)
        how = ffi.new("bperc_walk_run *", {
            "sweeps": whole("sweeps", sweeps, 0), "seed": seed_of(seed)})
        out, error = ffi.new("bperc_walk_result *"), ffi.new("bperc_error *")
        values = options(lib.bperc_walk_option_table(),
                         ffi.new("bperc_walk_options *"), more, preset)
        with control(timeout, cancel) as guard:
            status = lib.bperc_walk_sweeps(self._in, values, how, bits, out,
                                           error)
        guard.check(status, error)
        return Walk(self._bits_out(bits), int(out.moves), int(out.distance))
