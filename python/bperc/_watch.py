"""Looks at a solver between its steps."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._core import Cancel, ffi, lib, whole
from .result import Trace


class Recorder:
    """Collects hidden states and errors; calls the user's callback."""

    def __init__(self, n: int,
                 callback: Callable[[int, int], Any] | None = None,
                 trace: bool = False, every: int = 1):
        self.n, self.callback = n, callback
        self.every = whole("every", every, 1)
        self.keep = trace
        self.hidden: list[np.ndarray] = []
        self.steps: list[int] = []
        self.errors: list[int] = []
        self.failure: BaseException | None = None

    def seen(self, solver: Any, view: Any) -> int:
        try:
            self.look(solver, view)
            if self.callback is not None:
                return bool(self.callback(int(view.step), int(view.errors)))
        except BaseException as failure:  # raised again when the call is over
            self.failure = failure
            return 1
        return 0

    def look(self, solver: Any, view: Any) -> None:
        if not self.keep or view.step % self.every:
            return
        h = np.empty(self.n)
        if lib.bperc_solver_fields(solver, ffi.from_buffer("double[]", h)) \
                == lib.BPERC_OK:
            self.hidden.append(h)
        self.steps.append(int(view.step))
        self.errors.append(int(view.errors))

    def trace(self) -> Trace | None:
        if not self.keep:
            return None
        return Trace(np.array(self.steps), np.array(self.errors),
                     np.array(self.hidden) if self.hidden else None)


class Fixing(Recorder):
    """The weights that decimation fixes."""

    def __init__(self) -> None:
        super().__init__(0)
        self.order: list[int] = []
        self.values: list[int] = []
        self.log_counts: list[float] = []

    def look(self, solver: Any, view: Any) -> None:
        order = lib.bperc_bpd_order(lib.bperc_bpd_of(solver))
        for k in range(len(self.order), order.fixed):
            self.order.append(order.weight[k])
            self.values.append(order.value[k])
            self.log_counts.append(order.log_count[k])


class Caller:
    """Tells a callback how far a search is. A true answer, or an exception,
    ends the search: `stop` goes into its control."""

    def __init__(self, callback: Callable[..., Any], cancel: Cancel | None):
        self.callback = callback
        self.stop = cancel if cancel is not None else Cancel()
        self.failure: BaseException | None = None

    def seen(self, *what: Any) -> None:
        try:
            if self.callback(*what):
                self.stop.set()
        except BaseException as failure:  # raised again when the call is over
            self.failure = failure
            self.stop.set()

    def check(self) -> None:
        if self.failure is not None:
            raise self.failure


class Search:
    """The watch of an exact search, for callback(share, found)."""

    def __init__(self, callback: Callable[[float, float], Any] | None,
                 cancel: Cancel | None):
        self.caller = None if callback is None else Caller(callback, cancel)
        self.cancel, self.watch = cancel, ffi.NULL
        if self.caller is not None:
            self.cancel = self.caller.stop
            self.handle = ffi.new_handle(self.caller)
            self.watch = ffi.new("bperc_exact_watch *", {
                "tell": lib.bperc_py_search, "context": self.handle})

    def check(self) -> None:
        if self.caller is not None:
            self.caller.check()


@ffi.def_extern()
def bperc_py_search(context: Any, share: float, found: float) -> None:
    ffi.from_handle(context).seen(share, found)


@ffi.def_extern()
def bperc_py_watch(context: Any, solver: Any, view: Any) -> int:
    return ffi.from_handle(context).seen(solver, view)
