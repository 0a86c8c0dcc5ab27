"""Sweeps over many random problems, as pandas tables."""
from __future__ import annotations

import contextlib
import io
import os
import tempfile
from typing import (TYPE_CHECKING, Any, Callable, Iterable, Iterator,
                    Mapping)

import numpy as np

from ._core import (BpercError, Cancel, check, choice, control, encoded,
                    encoded_path, ffi, lib, seed_of, text)
from ._watch import Caller

if TYPE_CHECKING:
    import pandas

Path = "str | os.PathLike[str]"


# ---- plans


def _words(value: Any) -> str:
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return " ".join(_words(v) for v in value)
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def plan_text(plan: Mapping[str, Any]) -> str:
    """A plan as a file has it, from a dict {"measurement": ..., "n": 480,
    "fin": [0.1, 0.3]}, or {block name: such a dict, ...}.

    >>> print(bperc.lab.plan_text({"measurement": "toy", "x": [0, 0.5]}))
    [block run]
    measurement = toy
    x = 0 0.5
    <BLANKLINE>
    """
    if "measurement" in plan:
        plan = {"run": plan}
    lines = []
    for block, keys in plan.items():
        if not isinstance(keys, Mapping):
            raise BpercError(f"plan: '{block}' is not a block (a dict with a "
                             "measurement)")
        lines.append(f"[block {block}]")
        lines += [f"{key} = {_words(value)}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def _laboratory() -> Any:
    error, out = ffi.new("bperc_error *"), ffi.new("bperc_lab **")
    check(lib.bperc_lab_new(out, error), error)
    return ffi.gc(out[0], lib.bperc_lab_free)


def _add(lab: Any, plan: Any, said: str | None) -> None:
    """Adds an experiment, with claims as text or as its folder has them."""
    error, x = ffi.new("bperc_error *"), ffi.new("bperc_experiment **")
    judge = ffi.new("bperc_judge **")
    if isinstance(plan, Mapping):
        words = encoded(plan_text(plan))
        status = lib.bperc_experiment_parse(b"plan", words, len(words), x,
                                            error)
    else:
        status = lib.bperc_experiment_read(encoded_path(plan), x, error)
    check(status, error)
    claimed = None if said is None else encoded(said)
    status = (lib.bperc_judge_read(x[0], judge, error) if claimed is None else
              lib.bperc_judge_parse(x[0], b"claims", claimed, len(claimed),
                                    judge, error))
    if status != 0:
        lib.bperc_experiment_free(x[0])
    check(status, error)
    check(lib.bperc_lab_add(lab, x[0], judge[0], error), error)


def _experiments(plan: Any, said: str | None = None) -> Any:
    """The experiment of a plan, or all experiments of a folder."""
    lab, error = _laboratory(), ffi.new("bperc_error *")
    if isinstance(plan, Mapping) or not os.path.isdir(plan) or \
            os.path.exists(os.path.join(plan, "plan")):
        _add(lab, plan, said)
    elif said is None:
        check(lib.bperc_lab_read_folder(lab, encoded_path(plan), error), error)
    else:
        raise BpercError("claims as text are those of one experiment, not of "
                         "a folder of them")
    return lab


@contextlib.contextmanager
def _store(path: Any, write: bool) -> Iterator[Any]:
    """An open store; one in memory when there is no path."""
    error, out = ffi.new("bperc_error *"), ffi.new("bperc_store **")
    name = b":memory:" if path is None else encoded_path(path)
    check(lib.bperc_store_open(name, lib.BPERC_STORE_WRITE if write else
                               lib.BPERC_STORE_READ, out, error), error)
    try:
        yield out[0]
    finally:
        lib.bperc_store_close(out[0])


def _scale(scale: str) -> int:
    return choice("scale", scale, ("quick", "paper"))


# ---- running


@ffi.def_extern()
def bperc_py_progress(context: Any, state: Any) -> None:
    ffi.from_handle(context).seen(int(state.found + state.done),
                                  int(state.total))


def _run(lab: Any, store: Any, scale: int, seed: int, threads: int,
         shard: tuple[int, int], retry: bool,
         callback: Callable[[int, int], Any] | None, timeout: float | None,
         cancel: Cancel | None) -> None:
    how = ffi.new("bperc_sweep_options *", {
        "scale": scale, "seed": seed_of(seed), "threads": threads, "retry": retry,
        "shard": shard[0], "shards": shard[1]})
    caller = Caller(callback, cancel) if callback is not None else None
    if caller is not None:
        handle = ffi.new_handle(caller)
        how.watch, how.context = lib.bperc_py_progress, handle
        cancel = caller.stop
    state, error = ffi.new("bperc_sweep_state *"), ffi.new("bperc_error *")
    with control(timeout, cancel) as guard:
        status = lib.bperc_lab_run(lab, store, how, state, error)
    if caller is not None:
        caller.check()
    guard.check(status, error)


def _printed(write: Callable[[Any], Any]) -> bytes:
    """What a function of the library writes into a stream."""
    with tempfile.TemporaryFile("w+b", buffering=0) as file:
        stream = ffi.cast("FILE *", file)
        write(stream)
        lib.fflush(stream)
        file.seek(0)
        return file.read()


def _tables(lab: Any, store: Any, scale: int, seed: int) -> Any:
    out, error = ffi.new("bperc_tables **"), ffi.new("bperc_error *")
    x = lib.bperc_lab_experiment(lab, 0)
    check(lib.bperc_judge_tables(x, store, scale, seed, out, error), error)
    return ffi.gc(out[0], lib.bperc_tables_free)


def _column(texts: list[str]) -> Any:
    """Whole numbers, numbers or words."""
    for kind in (int, float):
        try:
            return np.array([kind(word) for word in texts])
        except ValueError:
            continue
    return texts


def _numbers(values: Iterable[float]) -> Any:
    """As the program's tables have them: nine digits."""
    return _column([f"{value:.9g}" if np.isfinite(value) else "nan"
                    for value in values])


def _frame(tables: Any, k: int) -> "pandas.DataFrame":
    import pandas
    rows = range(lib.bperc_table_rows(tables, k))
    columns: dict[str, Any] = {}
    for key in range(lib.bperc_table_keys(tables, k)):
        columns[text(lib.bperc_table_key_name(tables, k, key))] = _column(
            [text(lib.bperc_table_key(tables, k, r, key)) for r in rows])
    for c in range(lib.bperc_table_columns(tables, k)):
        name = text(lib.bperc_table_column_name(tables, k, c))
        cells = [lib.bperc_table_value(tables, k, r, c) for r in rows]
        columns[name] = _numbers(cell.mean for cell in cells)
        if not lib.bperc_table_is_count(tables, k, c):
            columns[name + "_sem"] = _numbers(cell.sem for cell in cells)
            columns[name + "_median"] = _numbers(cell.median for cell in cells)
            columns[name + "_n"] = [int(cell.n) for cell in cells]
    return pandas.DataFrame(columns)


def sweep(plan: Any, *, store: Any = None, scale: str = "quick",
          seed: int = 1, threads: int = 0,
          shard: tuple[int, int] | None = None, retry: bool = False,
          callback: Callable[[int, int], Any] | None = None,
          timeout: float | None = None,
          cancel: Cancel | None = None) -> Any:
    """Runs a plan (a file, an experiment folder, or a dict) and returns its
    table as a DataFrame, or a dict of DataFrames when it has several.

    Results stay in the file `store`; an interrupted sweep goes on from there.
    shard=(k, n) runs part k of n only and returns None: put the stores of all
    parts together with `merge_stores` and sweep once more without it.
    callback(done, total) is told how far it is; a true answer ends the sweep.

    >>> t = bperc.sweep({"measurement": "solving", "n": 100, "alpha": 0.2,
    ...                  "fin": [0.3, 0.5], "a": 20, "instances": 5})
    >>> t[["fin", "solved", "results"]]
       fin  solved  results
    0  0.3       1        5
    1  0.5       1        5
    """
    lab = _experiments(plan)
    with _store(store, True) as db:
        _run(lab, db, _scale(scale), seed, threads, shard or (0, 0), retry,
             callback, timeout, cancel)
        if shard:
            return None
        tables = _tables(lab, db, _scale(scale), seed)
        frames = {text(lib.bperc_tables_name(tables, k)): _frame(tables, k)
                  for k in range(lib.bperc_tables_count(tables))}
    return next(iter(frames.values())) if len(frames) == 1 else frames


# ---- stores


def merge_stores(into: Any, *parts: Any) -> int:
    """Adds the results of stores to another; returns how many were added."""
    added = 0
    with _store(into, True) as db:
        for part in parts:
            error = ffi.new("bperc_error *")
            summary = ffi.new("bperc_store_summary *")
            check(lib.bperc_store_merge(db, encoded_path(part), ffi.NULL,
                                        ffi.NULL, summary, error), error)
            added += int(summary.added)
    return added


def _cell(group: "pandas.DataFrame") -> Any:
    """A scalar result, or a vector in the order of its positions."""
    if group["k"].isna().all():
        return group["value"].iloc[0]
    return group.sort_values("k")["value"].to_numpy()


def read_store(path: Any, *, tidy: bool = False) -> "pandas.DataFrame":
    """Every task of a store: one row per task, with its parameters, its
    scalar results as columns of numbers and its vectors as arrays. tidy=True:
    one row per number, as `bperc store export --csv`."""
    import pandas
    error = ffi.new("bperc_error *")
    with _store(path, False) as db:
        said = _printed(lambda out: check(
            lib.bperc_store_export(db, out, error), error))
    rows = pandas.read_csv(io.BytesIO(said), float_precision="round_trip",
                           dtype={"key": str, "seed": str})
    if tidy:
        return rows
    tasks = rows.drop(columns=["result", "k", "value"]).drop_duplicates("key")
    tasks = tasks.set_index("key")
    named = rows.dropna(subset=["result"])
    for name in named["result"].unique():
        found = named[named["result"] == name].groupby("key")
        tasks[name] = pandas.Series({key: _cell(group)
                                     for key, group in found}, dtype=object)
    return tasks.infer_objects()


# ---- claims


def _measured(claim: Any) -> str:
    words = ffi.gc(lib.bperc_claim_measured(ffi.addressof(claim)),
                   lib.bperc_free)
    if words == ffi.NULL:
        raise MemoryError("no memory for a sentence")
    return text(words)


def _verdicts(lab: Any, k: int, store: Any, scale: int,
              seed: int) -> list[dict[str, Any]]:
    error, found = ffi.new("bperc_error *"), ffi.new("bperc_claims *")
    how = ffi.new("bperc_sweep_options *", {"scale": scale, "seed": seed_of(seed)})
    check(lib.bperc_lab_verdicts(lab, k, store, how, found, error), error)
    x = lib.bperc_lab_experiment(lab, k)
    try:
        return [{"id": text(c.id),
                 "verdict": text(lib.bperc_claim_verdict_name(c.verdict)),
                 "text": text(c.text), "measured": _measured(c),
                 "expected": text(c.expected),
                 "experiment": text(lib.bperc_experiment_name(x)),
                 "source": text(lib.bperc_claim_source_name(c.source)),
                 "quote": text(c.quote), "place": text(c.place),
                 "why": text(c.why)}
                for c in found.claims[0:found.count]]
    finally:
        lib.bperc_claims_clear(found)


def claims(plan: Any, said: str | None = None, *, store: Any = None,
           run: bool = True, scale: str = "quick", seed: int = 1,
           threads: int = 0, timeout: float | None = None,
           cancel: Cancel | None = None) -> "pandas.DataFrame":
    """Claims and their verdicts: one row per claim of an experiment folder,
    of all experiments of a folder, or of a plan with claims as text.

    What `store` does not have is run first; run=False leaves experiments out
    that are not measured.

    >>> plan = {"measurement": "toy", "x": [0, 1, 2], "instances": 9,
    ...         "top": 2}
    >>> said = '''[claim C1]
    ... text = y grows with x
    ... expected = grows
    ... test = trend table=run y=y x=x direction=up'''
    >>> bperc.claims(plan, said)[["id", "verdict", "text"]]
       id verdict            text
    0  C1   holds  y grows with x
    """
    import pandas
    rows: list[dict[str, Any]] = []
    lab = _experiments(plan, said)
    with _store(store, run) as db:
        if run:
            _run(lab, db, _scale(scale), seed, threads, (0, 0), False, None,
                 timeout, cancel)
        for k in range(lib.bperc_lab_count(lab)):
            rows += _verdicts(lab, k, db, _scale(scale), seed)
    return pandas.DataFrame(rows, columns=[
        "id", "verdict", "text", "measured", "expected", "experiment",
        "source", "quote", "place", "why"])
