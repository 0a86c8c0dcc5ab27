"""Calls into the library: errors, options, interrupts, bit vectors."""
from __future__ import annotations

import contextlib
import math
import operator
import os
import threading
from typing import Any, Iterator, Mapping

import numpy as np

from ._bperc import ffi, lib

if lib.bperc_abi_version() != lib.bperc_py_abi:
    raise ImportError("the bperc module and libbperc do not belong together")


_POLL = ffi.addressof(lib, "bperc_py_poll")


class BpercError(ValueError):
    """What the library says when a value, file or computation is wrong."""


class Cancelled(RuntimeError):
    """A call was ended by its `Cancel` before it had an answer."""


class Cancel:
    """Ends one call, or several, from another thread: give it to calls as
    `cancel=`, and call `set()` when they shall end.

    >>> import bperc
    >>> stop = bperc.Cancel()
    >>> stop.set()
    >>> bperc.Problem.random(40, alpha=0.3, fin=0.5, a=12).count(cancel=stop)
    Traceback (most recent call last):
    bperc.Cancelled: the call was cancelled
    """

    def __init__(self) -> None:
        self._flag = ffi.new("int *")

    def set(self) -> None:
        """Ends the calls that have this, now and later."""
        self._flag[0] = 1

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return bool(self._flag[0])

    def __repr__(self) -> str:
        return f"<Cancel, {'set' if self.is_set() else 'not set'}>"


Cancelled.__module__ = Cancel.__module__ = BpercError.__module__ = "bperc"


def text(pointer: Any) -> str:
    return ffi.string(pointer).decode()


class Guard:
    """What may end a call: Ctrl-C, a `Cancel`, a time limit."""

    __slots__ = ("flag", "cancel")

    def __init__(self, flag: Any, cancel: Cancel | None):
        self.flag, self.cancel = flag, cancel

    def interrupted(self) -> bool:
        return self.flag is not None and bool(self.flag[0])

    def check(self, status: int, error: Any = None) -> None:
        """Turns a status into an exception of the fitting kind."""
        if status == lib.BPERC_OK:
            return
        if status == lib.BPERC_E_INTERRUPTED:
            if self.interrupted():
                raise KeyboardInterrupt
            if self.cancel is not None and self.cancel.is_set():
                raise Cancelled("the call was cancelled")
            raise TimeoutError("the time limit was reached")
        said = text(error.text) if error is not None else ""
        said = said or text(lib.bperc_status_name(status))
        if status == lib.BPERC_E_MEMORY:
            raise MemoryError(said)
        if status == lib.BPERC_E_IO:
            raise OSError(said)
        raise BpercError(said)


def check(status: int, error: Any = None) -> None:
    """The same for calls that nothing ends."""
    Guard(None, None).check(status, error)


@contextlib.contextmanager
def control(timeout: float | None = None,
            cancel: Cancel | None = None) -> Iterator[Guard]:
    """The calls of this thread inside the block end on Ctrl-C (in the main
    thread), at a time limit in seconds, or when `cancel` is set."""
    record = ffi.new("bperc_control *")
    main = threading.current_thread() is threading.main_thread()
    if timeout is not None and math.isnan(timeout):
        raise BpercError("timeout must be a number of seconds, not nan")
    if timeout is not None:
        record.deadline = lib.bperc_control_in(float(timeout))
    if cancel is not None:
        record.poll, record.context = _POLL, cancel._flag
    flag = None
    if main:
        flag = record.cancel = lib.bperc_py_guard()
    before = lib.bperc_control_use(record)
    try:
        yield Guard(flag, cancel)
    except OverflowError as failure:  # of an argument, before the call
        raise BpercError(f"a number is out of its range: {failure}") from None
    finally:
        lib.bperc_control_use(before)
        if main:
            lib.bperc_py_unguard()


# ---- words, paths and numbers


def encoded(said: Any) -> bytes:
    """Text for the library, where it would end at a NUL."""
    out = str(said).encode()
    if b"\0" in out:
        raise BpercError(f"{said!r} has a NUL character in it")
    return out


def encoded_path(path: str | os.PathLike[str]) -> bytes:
    """A path for the library, where it would end at a NUL."""
    out = os.fsencode(path)
    if b"\0" in out:
        raise BpercError(f"the path {os.fspath(path)!r} has a NUL character "
                         "in it")
    return out


def whole(name: str, value: Any, least: int, most: int = 2**63 - 1) -> int:
    """A whole number in its range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") \
            from None
    if not least <= number <= most:
        above = f"at least {least}" if most == 2**63 - 1 else \
            f"from {least} to {most}"
        raise BpercError(f"{name} must be {above}, not {number}")
    return number


def seed_of(value: Any) -> int:
    """A seed: 64 bits."""
    return whole("seed", value, 0, 2**64 - 1)


def threads_of(value: Any) -> int:
    """Threads: 0 is all cores."""
    return whole("threads", value, 0, 2**32 - 1)


# ---- options


def options(table: Any, struct: Any, values: Mapping[str, Any],
            preset: str = "default") -> Any:
    """Fills an options struct from keyword arguments, range checked."""
    error = ffi.new("bperc_error *")
    check(lib.bperc_options_preset(table, struct, encoded(preset), error),
          error)
    for name, value in values.items():
        row = lib.bperc_options_find(table, encoded(name))
        if row == ffi.NULL:
            known = ", ".join(text(table.rows[k].name)
                              for k in range(table.count))
            raise TypeError(f"there is no option '{name}'; there are {known}")
        if isinstance(value, (bool, np.bool_)):
            value = int(value)
        if lib.bperc_options_set(row, struct, encoded(value), error):
            raise BpercError(f"{name}: {text(error.text)}")
    return struct


def option_values(table: Any, struct: Any) -> dict[str, Any]:
    """The values of an options struct."""
    out: dict[str, Any] = {}
    base = ffi.cast("char *", struct)
    buffer = ffi.new("char[128]")
    for k in range(table.count):
        row = table.rows[k]
        at = base + row.offset
        if row.kind == lib.BPERC_OPTION_REAL:
            value: Any = ffi.cast("double *", at)[0]
        elif row.kind == lib.BPERC_OPTION_INT:
            value = int(ffi.cast("int64_t *", at)[0])
        elif row.kind == lib.BPERC_OPTION_FLAG:
            value = bool(ffi.cast("int64_t *", at)[0])
        else:
            value = text(lib.bperc_options_show(ffi.addressof(row), struct,
                                                buffer, 128))
        out[text(row.name)] = value
    return out


def choice(name: str, value: str, known: tuple[str, ...]) -> int:
    """The position of a word in a list; "ising" and "pm" are the same."""
    same = {"ising": "pm", "pm": "ising"}
    if value not in known and same.get(value) in known:
        value = same[value]
    if value not in known:
        raise BpercError(f"{name}: '{value}' is not {', '.join(known[:-1])} "
                         f"or {known[-1]}")
    return known.index(value)


# ---- arrays


def copied(pointer: Any, count: int, kind: Any) -> np.ndarray:
    """A numpy array of so many numbers of the library's memory."""
    if not count:
        return np.zeros(0, kind)
    size = count * np.dtype(kind).itemsize
    return np.frombuffer(ffi.buffer(pointer, size), kind).copy()


def small_numbers(values: Any, wrong: str) -> np.ndarray:
    """Numbers -1, 0 and 1 of any kind and memory order, pandas and sparse
    ones too, as bytes in rows; `wrong` is said of others, except of bytes,
    which whoever takes them looks at."""
    if hasattr(values, "tocsr"):  # a sparse matrix of scipy
        values = values.tocsr()
        small_numbers(values.data, wrong)
        return np.ascontiguousarray(values.astype(np.int8).toarray())
    values = np.asarray(values)
    if values.dtype == object:  # of pandas, with missing values or not
        try:
            values = values.astype(float)
        except (TypeError, ValueError):
            raise BpercError(wrong) from None
    if values.dtype.kind not in "biuf":
        raise BpercError(wrong)
    if values.dtype == np.uint8 and values.size and values.max() > 1:
        raise BpercError(wrong)
    with np.errstate(invalid="ignore"):
        small = np.ascontiguousarray(
            values.view(np.int8) if values.dtype == np.uint8 else values,
            np.int8)
    if values.dtype.itemsize > 1 and not (small == values).all():
        raise BpercError(wrong)
    return small


def pack_bits(bits: Any) -> np.ndarray:
    """Rows of 0/1 as rows of 64-bit words, bit i in word i // 64."""
    bits = np.ascontiguousarray(np.atleast_2d(np.asarray(bits)) != 0)
    words = (bits.shape[1] + 63) // 64
    packed = np.zeros((bits.shape[0], 8 * words), np.uint8)
    some = np.packbits(bits, axis=1, bitorder="little")
    packed[:, :some.shape[1]] = some
    return packed.view("<u8")


def unpack_bits(words: np.ndarray, n: int) -> np.ndarray:
    """The inverse: rows of n values 0/1 as uint8."""
    rows = np.ascontiguousarray(words).reshape(-1, words.shape[-1])
    return np.unpackbits(rows.view(np.uint8), axis=1, count=n,
                         bitorder="little")


# ---- notebooks


def html_table(title: str, rows: Mapping[str, Any]) -> str:
    """A small table for notebooks."""
    import html
    cells = "".join(
        "<tr><th style='text-align:left;padding-right:1em'>"
        f"{html.escape(str(k))}</th><td style='text-align:left'>"
        f"{html.escape(str(v))}</td></tr>" for k, v in rows.items())
    return f"<div><b>{html.escape(title)}</b><table>{cells}</table></div>"
