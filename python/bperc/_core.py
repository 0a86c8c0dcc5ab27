"""Calls into the library: errors, options, interrupts, bit vectors."""
from __future__ import annotations

import contextlib
import threading
from typing import Any, Iterator

import numpy as np

from ._bperc import ffi, lib

__all__ = ["ffi", "lib", "BpercError", "check", "control", "options",
           "pack_bits", "unpack_bits", "text"]

if lib.bperc_abi_version() != 2:
    raise ImportError("the bperc module and libbperc do not belong together")


class BpercError(ValueError):
    """What the library says when a value, file or computation is wrong."""


def text(pointer) -> str:
    return ffi.string(pointer).decode()


def check(status: int, error=None, flag=None) -> None:
    """Turns a status into an exception of the fitting kind."""
    if status == lib.BPERC_OK:
        return
    said = text(error.text) if error is not None else ""
    said = said or text(lib.bperc_status_name(status))
    if status == lib.BPERC_E_MEMORY:
        raise MemoryError(said)
    if status == lib.BPERC_E_IO:
        raise OSError(said)
    if status == lib.BPERC_E_INTERRUPTED:
        if flag is not None and flag[0]:
            raise KeyboardInterrupt
        raise TimeoutError(said)
    raise BpercError(said)


@contextlib.contextmanager
def control(timeout: float | None = None, cancel=None) -> Iterator[Any]:
    """A control for the calls inside: Ctrl-C, a time limit, a cancel flag.

    Yields the flag that Ctrl-C sets (None outside the main thread). `cancel`
    is a one-element int32 array that any thread may set.
    """
    record = ffi.new("bperc_control *")
    flag = None
    main = threading.current_thread() is threading.main_thread()
    if timeout is not None:
        record.deadline = lib.bperc_control_in(float(timeout))
    if main:
        flag = lib.bperc_py_guard()
        record.cancel = flag
    if cancel is not None:
        record.cancel = ffi.from_buffer("int[]", cancel)
    before = lib.bperc_control_use(record)
    try:
        yield flag
    finally:
        lib.bperc_control_use(before)
        if main:
            lib.bperc_py_unguard()


def options(table, struct, values: dict[str, Any], preset: str = "default"):
    """Fills an options struct from keyword arguments, range checked."""
    error = ffi.new("bperc_error *")
    check(lib.bperc_options_preset(table, struct, preset.encode(), error),
          error)
    for name, value in values.items():
        row = lib.bperc_options_find(table, name.encode())
        if row == ffi.NULL:
            known = ", ".join(text(table.rows[k].name)
                              for k in range(table.count))
            raise TypeError(f"there is no option '{name}'; there are {known}")
        if isinstance(value, (bool, np.bool_)):
            value = int(value)
        check(lib.bperc_options_set(row, struct, str(value).encode(), error),
              error)
    return struct


def option_values(table, struct) -> dict[str, Any]:
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


def pack_bits(bits) -> np.ndarray:
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
