"""Problems, and what solving them gives."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from ._core import (BpercError, check, control, ffi, lib, option_values,
                    options, pack_bits, text, unpack_bits)

_TIES = ("zero", "strict", "either")
_WEIGHTS = ("01", "pm")


@dataclass
class Result:
    """The outcome of `Problem.solve`.

    weights : the best weights met, 0/1 (or -1/+1 for weights="pm", or whole
        numbers for the solver "ecp")
    solved : whether they give every pattern its label
    errors : how many patterns they miss
    steps : steps of the solver; t_fix : per weight the last step at which it
        changed
    trace : with trace=True, hidden states (steps x weights) and errors
    """

    weights: np.ndarray
    solved: bool
    status: str
    errors: int
    steps: int
    seconds: float
    solver: str
    seed: int
    t_fix: np.ndarray
    options: dict[str, Any] = field(repr=False, default_factory=dict)
    trace: dict[str, np.ndarray] | None = field(repr=False, default=None)

    def __repr__(self) -> str:
        what = "solved" if self.solved else \
            f"{self.status}, {self.errors} errors"
        return (f"<Result {what} by {self.solver} in {self.steps} steps, "
                f"{self.seconds:.3g} s>")

    def _repr_html_(self) -> str:
        colour = "#2a7f4f" if self.solved else "#b3421f"
        rows = "".join(f"<tr><th style='text-align:left'>{k}</th><td>{v}</td>"
                       "</tr>" for k, v in (
                           ("solver", self.solver), ("steps", self.steps),
                           ("errors", self.errors),
                           ("seconds", f"{self.seconds:.3g}")))
        return (f"<b style='color:{colour}'>{self.status}</b>"
                f"<table>{rows}</table>")


@dataclass
class Check:
    """Weights judged by plain sums."""

    satisfied: bool
    errors: int
    violated: np.ndarray
    min_margin: int
    sums: np.ndarray = field(repr=False)


class _Recorder:
    """Collects hidden states and errors; calls the user's callback."""

    def __init__(self, problem, callback, trace, every, order):
        self.problem, self.callback = problem, callback
        self.order = order
        self.every = max(1, int(every))
        self.keep = trace
        self.hidden: list[np.ndarray] = []
        self.steps: list[int] = []
        self.errors: list[int] = []
        self.failure: BaseException | None = None

    def seen(self, solver, state, view) -> int:
        try:
            if self.order is not None:
                self.note_order(state)
            if self.keep and view.step % self.every == 0:
                if solver.fields != ffi.NULL:
                    h = np.empty(self.problem.n)
                    solver.fields(state, ffi.from_buffer("double[]", h))
                    self.hidden.append(h)
                self.steps.append(int(view.step))
                self.errors.append(int(view.errors))
            if self.callback is not None:
                return bool(self.callback(int(view.step), int(view.errors)))
        except BaseException as failure:  # raised again when the call is over
            self.failure = failure
            return 1
        return 0

    def note_order(self, state) -> None:
        """The weights that decimation has fixed since the last look."""
        count = ffi.new("size_t *")
        records = lib.bperc_bpd_records(state, count)
        for k in range(len(self.order), count[0]):
            self.order.append(int(records[k].weight))

    def arrays(self):
        if not self.keep:
            return None
        out = {"step": np.array(self.steps), "errors": np.array(self.errors)}
        if self.hidden:
            out["hidden"] = np.array(self.hidden)
        return out


@ffi.def_extern()
def bperc_py_watch(context, solver, state, view):
    return ffi.from_handle(context).seen(solver, state, view)


def solvers() -> list[str]:
    """Names of all solvers."""
    out, table, k = [], lib.bperc_solvers(), 0
    while table[k] != ffi.NULL:
        out.append(text(table[k].name))
        k += 1
    return out


class Problem:
    """Patterns with labels, and the perceptron that is to store them.

    >>> import bperc
    >>> p = bperc.Problem([[0, 1, 1], [1, 0, 0]], [1, 0], threshold=1.5)
    >>> p.solve().solved
    True

    X : M x N inputs, 0/1 or -1/0/+1.  y : M labels, 0/1 (or -1/+1).
    a : threshold N/a, or threshold : the threshold itself.
    weights : "01" or "pm" (-1/+1).  ties : "zero", "strict", "either".
    kappa : margin of stability.
    """

    def __init__(self, X, y, a: float | None = None,
                 threshold: float | None = None, weights: str = "01",
                 ties: str = "zero", kappa: float = 0.0):
        X, y = np.asarray(X), np.asarray(y)
        if X.ndim != 2 or y.shape != (X.shape[0],):
            raise BpercError("X must be M x N and y have M labels")
        if (a is None) == (threshold is None):
            raise BpercError("give a or threshold, one of the two")
        if not np.isin(X, (-1, 0, 1)).all():
            raise BpercError("inputs must be 0/1 or -1/0/+1")
        if not (np.isin(y, (0, 1)).all() or np.isin(y, (-1, 1)).all()):
            raise BpercError("labels must be 0/1 or -1/+1")
        model = self._model(a, threshold, weights, ties, kappa)
        if (X < 0).any():
            model.inputs = (lib.BPERC_INPUTS_PM if (X != 0).all()
                            else lib.BPERC_INPUTS_SIGNED)
        self._take(self._make(X, y > 0, model))

    @staticmethod
    def _model(a, threshold, weights, ties, kappa):
        if weights not in _WEIGHTS:
            raise BpercError(f"weights: '{weights}' is not 01 or pm")
        if ties not in _TIES:
            raise BpercError(f"ties: '{ties}' is not zero, strict or either")
        model = ffi.new("bperc_model *")
        model.a = 0 if a is None else float(a)
        model.theta = 0 if threshold is None else float(threshold)
        model.kappa = float(kappa)
        model.ties = _TIES.index(ties)
        model.weights = _WEIGHTS.index(weights)
        return model

    @staticmethod
    def _make(X, labels, model):
        out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
        m, n = X.shape
        check(lib.bperc_instance_make(n, m, model, out, error), error)
        inst = out[0]

        def fill(pointer, bits):
            size = 8 * m * inst.words
            if size:
                np.frombuffer(ffi.buffer(pointer, size), "<u8")[:] = \
                    pack_bits(bits).ravel()

        fill(inst.patterns, X > 0)
        if inst.support != ffi.NULL:
            fill(inst.support, X != 0)
        if m:
            np.frombuffer(ffi.buffer(inst.labels, m), np.uint8)[:] = labels
        lib.bperc_instance_settle(inst)
        return inst

    def _take(self, inst) -> None:
        self._in = ffi.gc(inst, lib.bperc_instance_free,
                          8 * int(inst.m) * int(inst.words))

    @classmethod
    def _from(cls, inst) -> "Problem":
        self = cls.__new__(cls)
        self._take(inst)
        return self

    @classmethod
    def random(cls, n: int, alpha: float | None = None, m: int | None = None,
               fin: float = 0.5, a: float = 40, ties: str = "zero",
               seed: int = 1) -> "Problem":
        """The paper's random problem; the same bits as `bperc generate`.

        >>> Problem.random(480, alpha=0.2, fin=0.3, a=40).m
        96
        """
        if (alpha is None) == (m is None):
            raise BpercError("give alpha or m, one of the two")
        if m is None:
            m = int(np.floor(alpha * n + 0.5))
        out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
        if ties not in _TIES:
            raise BpercError(f"ties: '{ties}' is not zero, strict or either")
        check(lib.bperc_instance_generate(n, m, fin, a, _TIES.index(ties),
                                          seed, out, error), error)
        return cls._from(out[0])

    @classmethod
    def read(cls, path: str | os.PathLike, ties: str = "zero") -> "Problem":
        """Reads a text, svmlight or HDF5 file."""
        out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
        how = ffi.new("bperc_read_options *", {"ties": _TIES.index(ties)})
        check(lib.bperc_instance_read(os.fsencode(path), how, out, error),
              error)
        return cls._from(out[0])

    def write(self, path: str | os.PathLike, format: str = "text") -> None:
        """Writes text, svmlight, hdf5, opb or lp."""
        names = ("text", "svmlight", "hdf5", "opb", "lp")
        error = ffi.new("bperc_error *")
        check(lib.bperc_instance_write(self._in, names.index(format),
                                       os.fsencode(path), error), error)

    # ---- what it is

    n = property(lambda self: int(self._in.n), doc="number of weights")
    m = property(lambda self: int(self._in.m), doc="number of patterns")
    threshold = property(lambda self: self._in.theta)
    kappa = property(lambda self: self._in.kappa)
    ties = property(lambda self: _TIES[self._in.ties])
    weights = property(lambda self: _WEIGHTS[self._in.weights])

    @property
    def X(self) -> np.ndarray:
        """The inputs, M x N."""
        size = 8 * self.m * int(self._in.words)
        plus = unpack_bits(np.frombuffer(ffi.buffer(self._in.patterns, size),
                                         "<u8").reshape(self.m, -1), self.n)
        if self._in.inputs == lib.BPERC_INPUTS_01:
            return plus
        signed = 2 * plus.astype(np.int8) - 1
        if self._in.inputs == lib.BPERC_INPUTS_SIGNED:
            signed *= unpack_bits(np.frombuffer(
                ffi.buffer(self._in.support, size), "<u8").reshape(
                    self.m, -1), self.n).astype(np.int8)
        return signed

    @property
    def y(self) -> np.ndarray:
        """The labels, 0/1."""
        return np.frombuffer(ffi.buffer(self._in.labels, self.m),
                             np.uint8).copy()

    def __repr__(self) -> str:
        return (f"<Problem N = {self.n}, M = {self.m}, threshold "
                f"{self.threshold:g}, weights {self.weights}, ties "
                f"{self.ties}>")

    def _repr_html_(self) -> str:
        return (f"<b>Binary perceptron problem</b>: N = {self.n} weights "
                f"({'0, 1' if self.weights == '01' else '-1, +1'}), M = "
                f"{self.m} patterns (&alpha; = {self.m / self.n:.3g}), "
                f"threshold {self.threshold:g}, margin &kappa; = "
                f"{self.kappa:g}, ties: {self.ties}")

    # ---- weights in and out

    def _bits_in(self, w):
        w = np.asarray(w)
        if w.shape != (self.n,):
            raise BpercError(f"{self.n} weights are wanted")
        return ffi.from_buffer("uint64_t[]", pack_bits(w > 0))

    def _bits_out(self, pointer) -> np.ndarray:
        words = np.frombuffer(ffi.buffer(pointer, 8 * int(self._in.words)),
                              "<u8").reshape(1, -1)
        bits = unpack_bits(words, self.n)[0]
        return bits if self.weights == "01" else 2 * bits.astype(np.int8) - 1

    # ---- questions

    def check(self, w) -> Check:
        """Judges weights by plain sums, with no code of any solver."""
        bits = self._bits_in(w)
        violated = np.zeros(self.m + 1, np.uintp)
        sums = np.zeros(self.m, np.int64)
        verdict = lib.bperc_verify(self._in, bits,
                                   ffi.from_buffer("size_t[]", violated))
        if self.m:
            lib.bperc_instance_sums(self._in, bits,
                                    ffi.from_buffer("int64_t[]", sums))
        return Check(verdict.errors == 0, int(verdict.errors),
                     violated[:verdict.errors].astype(int),
                     int(verdict.min_margin), sums)

    def solve(self, solver: str = "auto", *, seed: int = 1, threads: int = 0,
              timeout: float | None = None, preset: str = "default",
              callback: Callable[[int, int], Any] | None = None,
              trace: bool = False, every: int = 1, cancel=None,
              _order: list[int] | None = None, **more) -> Result:
        """Searches weights that store all patterns.

        callback(step, errors) is called after every step; a true answer ends
        the run. trace=True records hidden states. Further keywords are the
        solver's options, as on the command line.
        """
        found = lib.bperc_solver_find(solver.encode())
        if found == ffi.NULL:
            raise BpercError(f"there is no solver '{solver}': "
                             f"{', '.join(solvers())}")
        values = options(found.options(),
                         ffi.new("char[]", max(512, found.options_size)),
                         more, preset)
        error = ffi.new("bperc_error *")
        run = ffi.new("bperc_run_result *")
        watcher, handle = ffi.NULL, ffi.NULL
        recorder = None
        if callback is not None or trace or _order is not None:
            recorder = _Recorder(self, callback, trace, every, _order)
            handle = ffi.new_handle(recorder)
            watcher = lib.bperc_py_watch
        with control(timeout, cancel) as flag:
            status = lib.bperc_run(found, self._in, values, seed, threads,
                                   watcher, handle, run, error)
        try:
            return self._result(found, values, run, status, error, flag,
                                recorder, seed)
        finally:
            lib.bperc_run_clear(run)

    def _result(self, found, values, run, status, error, flag, recorder,
                seed) -> Result:
        if recorder is not None and recorder.failure is not None:
            raise recorder.failure
        stopped = status == lib.BPERC_E_INTERRUPTED and run.t_fix != ffi.NULL \
            and not (flag is not None and flag[0])
        if not stopped:  # a time limit or callback: the best so far is given
            check(status, error, flag)
        solved = run.outcome == lib.BPERC_SOLVED
        proof = found.complete and run.outcome == lib.BPERC_CONTRADICTION
        if run.integers != ffi.NULL:
            weights = np.frombuffer(ffi.buffer(run.integers, 4 * self.n),
                                    np.int32).copy()
        else:
            weights = self._bits_out(run.weights)
        fixed = np.frombuffer(ffi.buffer(run.t_fix, 4 * self.n),
                              np.uint32).copy()
        return Result(
            weights=weights, solved=solved,
            status="solved" if solved else
            "unsatisfiable" if proof else "unsolved",
            errors=int(run.errors), steps=int(run.steps),
            seconds=run.seconds, solver=text(found.name), seed=seed,
            t_fix=fixed, options=option_values(found.options(), values),
            trace=recorder.arrays() if recorder is not None else None)

    def solutions(self, limit: int | None = None, *, threads: int = 0,
                  timeout: float | None = None):
        """All solutions (at most 128 weights), as a `SolutionSpace`."""
        from .space import SolutionSpace
        return SolutionSpace(self, limit, threads, timeout)

    def count(self, *, threads: int = 0, timeout: float | None = None) -> int:
        """The exact number of solutions."""
        error = ffi.new("bperc_error *")
        answer = ffi.new("bperc_exact_answer *")
        with control(timeout) as flag:
            status = lib.bperc_exact_count(self._in, ffi.NULL, ffi.NULL,
                                           threads, ffi.NULL, answer, error)
        check(status, error, flag)
        buffer = ffi.new("char[64]")
        return int(text(lib.bperc_count_text(answer.count, buffer)))

    def bp(self, *, seed: int = 1, threads: int = 1,
           timeout: float | None = None, preset: str = "default", **more):
        """Belief propagation at its fixed point: a dict with `converged`,
        `iterations`, `entropy` (nats per weight) and `marginals`."""
        error = ffi.new("bperc_error *")
        table = lib.bperc_bp_option_table()
        values = options(table, ffi.new("bperc_bp_options *"), more, preset)
        out, report = ffi.new("bperc_bp **"), ffi.new("bperc_bp_report *")
        with control(timeout) as flag:
            status = lib.bperc_bp_new(self._in, values, seed, threads, out,
                                      error)
            if status == lib.BPERC_OK:
                status = lib.bperc_bp_converge(out[0], report)
        engine = ffi.gc(out[0], lib.bperc_bp_free)
        check(status, error, flag)
        p = np.empty(self.n)
        lib.bperc_bp_marginals(engine, ffi.from_buffer("double[]", p))
        return {"converged": bool(report.converged),
                "iterations": int(report.iterations),
                "entropy": lib.bperc_bp_entropy(engine), "marginals": p}

    def decimate(self, *, seed: int = 1, threads: int = 0,
                 timeout: float | None = None, preset: str = "default",
                 **more):
        """BP-guided decimation: (order, Result); order[k] is the weight fixed
        in step k."""
        order: list[int] = []
        result = self.solve("bpd", seed=seed, threads=threads, timeout=timeout,
                            preset=preset, _order=order, **more)
        return np.array(order, int), result

    def walk(self, w, sweeps: int = 10000, *, seed: int = 1,
             timeout: float | None = None, preset: str = "default", **more):
        """Random walk among solutions from w: (weights, moves, distance)."""
        bits = ffi.new("uint64_t[]", list(self._bits_in(w)))
        moves, distance = ffi.new("uint64_t *"), ffi.new("size_t *")
        error = ffi.new("bperc_error *")
        values = options(lib.bperc_walk_option_table(),
                         ffi.new("bperc_walk_options *"), more, preset)
        with control(timeout) as flag:
            status = lib.bperc_walk_sweeps(self._in, values, bits, sweeps,
                                           seed, moves, distance, error)
        check(status, error, flag)
        return self._bits_out(bits), int(moves[0]), int(distance[0])

    def local_entropy(self, w, *, seed: int = 1, threads: int = 1,
                      timeout: float | None = None, **more):
        """BP local entropy around w: a structured array with x, distance,
        entropy, converged."""
        table = lib.bperc_local_option_table()
        values = options(table, ffi.new("bperc_local_options *"), more)
        points = ffi.new("bperc_local_point[]", int(values.points))
        one, error = ffi.new("double *"), ffi.new("bperc_error *")
        with control(timeout) as flag:
            status = lib.bperc_local_entropy(
                self._in, self._bits_in(w), values, ffi.NULL, seed, threads,
                points, one, error)
        check(status, error, flag)
        return np.array([(p.x, p.distance, p.entropy, bool(p.converged))
                         for p in points],
                        dtype=[("x", float), ("distance", float),
                               ("entropy", float), ("converged", bool)])
