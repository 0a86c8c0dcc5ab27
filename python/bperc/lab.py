"""Sweeps over many random problems, as pandas tables."""
from __future__ import annotations

import io
import os
import tempfile
from typing import Any, Mapping

from ._core import check, control, ffi, lib, text


def _plan_text(plan: Mapping[str, Any]) -> str:
    """A plan from a dict: {"measurement": ..., "n": 480, "fin": [0.1, 0.3]},
    or {block name: such a dict, ...}."""
    if "measurement" in plan:
        plan = {"run": plan}
    lines = []
    for block, keys in plan.items():
        lines.append(f"[block {block}]")
        for key, value in keys.items():
            if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
                value = " ".join(str(v) for v in value)
            lines.append(f"{key} = {value}")
    return "\n".join(lines) + "\n"


def _experiment(plan):
    error, out = ffi.new("bperc_error *"), ffi.new("bperc_experiment **")
    if isinstance(plan, Mapping):
        said = _plan_text(plan).encode()
        status = lib.bperc_experiment_parse(b"plan", said, len(said), out,
                                            error)
    else:
        status = lib.bperc_experiment_read(os.fsencode(plan), out, error)
    check(status, error)
    return ffi.gc(out[0], lib.bperc_experiment_free)


def _frame(tables, k):
    import pandas
    with tempfile.TemporaryFile("w+b", buffering=0) as file:
        stream = ffi.cast("FILE *", file)
        lib.bperc_tables_print(tables, k, stream)
        lib.fflush(stream)
        file.seek(0)
        return pandas.read_csv(io.BytesIO(file.read()), sep="\t", comment="#")


def sweep(plan, *, store: str | os.PathLike | None = None,
          scale: str = "quick", seed: int = 1, threads: int = 0,
          timeout: float | None = None):
    """Runs a plan (a file, an experiment folder, or a dict) and returns its
    table as a DataFrame, or a dict of DataFrames when it has several.

    Results stay in `store`; an interrupted sweep goes on from there.
    """
    x = _experiment(plan)
    error, out = ffi.new("bperc_error *"), ffi.new("bperc_store **")
    how = ffi.new("bperc_sweep_options *", {
        "scale": {"quick": lib.BPERC_SCALE_QUICK,
                  "paper": lib.BPERC_SCALE_PAPER}[scale],
        "seed": seed, "threads": threads})
    with tempfile.TemporaryDirectory() as scratch:
        path = os.fsencode(store if store is not None
                           else os.path.join(scratch, "store.db"))
        check(lib.bperc_store_open(path, lib.BPERC_STORE_WRITE, out, error),
              error)
        db = ffi.gc(out[0], lib.bperc_store_close)
        state = ffi.new("bperc_sweep_state *")
        with control(timeout) as flag:
            status = lib.bperc_sweep_run(ffi.new("bperc_experiment *[]", [x]),
                                         1, db, how, state, error)
        check(status, error, flag)
        tables = ffi.new("bperc_tables **")
        check(lib.bperc_tables_collect(x, db, how.scale, seed, tables, error),
              error)
        found = ffi.gc(tables[0], lib.bperc_tables_free)
        frames = {text(lib.bperc_tables_name(found, k)): _frame(found, k)
                  for k in range(lib.bperc_tables_count(found))}
        ffi.release(db)
    return next(iter(frames.values())) if len(frames) == 1 else frames


def read_store(path: str | os.PathLike):
    """Every task of a store as a DataFrame: key, measurement, inputs, status,
    seconds; see `bperc store export --csv` for the results."""
    import sqlite3

    import pandas
    with sqlite3.connect(f"file:{os.fspath(path)}?mode=ro", uri=True) as db:
        names = [row[0] for row in db.execute(
            "select name from sqlite_master where type = 'table'")]
        if "result" not in names:
            raise ValueError(f"{path}: not a store of bperc")
        columns = [row[1] for row in db.execute("pragma table_info(result)")]
        kept = [c for c in columns if c not in ("data", "result", "blob")]
        return pandas.read_sql_query(
            f"select {', '.join(kept)} from result", db)
