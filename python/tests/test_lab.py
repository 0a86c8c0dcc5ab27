"""Sweeps, stores and claims."""
import numpy as np
import pytest

import bperc

pandas = pytest.importorskip("pandas")
TOY = {"measurement": "toy", "x": [0, 0.5, 2], "instances": 4, "top": 2}
SOLVING = {"measurement": "solving", "n": [80, 100], "alpha": 0.2,
           "fin": 0.3, "a": 20.5, "instances": 3}


def test_tables_of_a_dict():
    t = bperc.sweep(SOLVING)
    assert isinstance(t, pandas.DataFrame) and t["n"].tolist() == [80, 100]
    assert (t["results"] == 3).all() and (t["solved"] == 1).all()
    both = bperc.sweep({"one": SOLVING, "two": {**SOLVING, "fin": 0.5}})
    assert set(both) == {"one", "two"} and both["one"].equals(t)


def test_tables_equal_the_programs(program, tmp_path):
    plan, out = tmp_path / "my.plan", tmp_path / "out"
    plan.write_text(bperc.lab.plan_text({"run": SOLVING}))
    program(["sweep", plan, "--out", out])
    told = pandas.read_csv(out / "my" / "run.tsv", sep="\t",
                           float_precision="round_trip")
    mine = bperc.sweep(plan)
    assert list(mine) == list(told)
    timed = [c for c in told if "seconds" in c]
    assert mine.drop(columns=timed).equals(told.drop(columns=timed))


def test_shards_and_stores(tmp_path):
    parts = [tmp_path / f"{k}.db" for k in (1, 2, 3)]
    for k, part in enumerate(parts):
        assert bperc.sweep(TOY, store=part, shard=(k + 1, 3)) is None
    whole = tmp_path / "whole.db"
    assert bperc.merge_stores(whole, *parts) == 12
    assert bperc.merge_stores(whole, *parts) == 0
    seen = []
    merged = bperc.sweep(TOY, store=whole,
                         callback=lambda done, total: seen.append(
                             (done, total)))
    assert seen[0] == (12, 12)  # nothing is left to run
    alone = bperc.sweep(TOY)
    assert merged["run"].equals(alone["run"])
    tasks = bperc.read_store(whole)
    assert len(tasks) == 12 and set(tasks["measurement"]) == {"toy"}
    means = tasks.groupby("x")["y"].mean()
    np.testing.assert_allclose(means.to_numpy(dtype=float),
                               alone["run"]["y"], atol=1e-12)
    numbers = bperc.read_store(whole, tidy=True)
    assert len(numbers) > 12 and {"result", "k", "value"} <= set(numbers)
    vector = numbers[numbers["k"].notna()]["result"].iloc[0]
    assert tasks[vector].map(len).gt(1).all()


def test_claims(tmp_path):
    said = """[claim C1]
text = y grows with x
expected = grows
test = trend table=run y=y x=x direction=up
[claim C2]
text = y falls with x
expected = falls
test = trend table=run y=y x=x direction=down
"""
    plan = {**TOY, "instances": 20}
    judged = bperc.claims(plan, said)
    assert judged["verdict"].tolist() == ["holds", "fails"]
    for name in ("one", "two"):
        folder = tmp_path / "experiments" / name
        folder.mkdir(parents=True)
        (folder / "plan").write_text(bperc.lab.plan_text(plan))
        (folder / "claims").write_text(said)
    store = tmp_path / "s.db"
    both = bperc.claims(tmp_path / "experiments", store=store)
    assert both["verdict"].tolist() == ["holds", "fails"] * 2
    assert both["experiment"].tolist() == ["one"] * 2 + ["two"] * 2
    other = bperc.claims(tmp_path / "experiments", store=store, run=False,
                         seed=5)
    assert len(other) == 0  # not measured with this seed


def test_bad_plans(tmp_path):
    with pytest.raises(bperc.BpercError, match="measurement"):
        bperc.sweep({"measurement": "no such thing"})
    with pytest.raises(bperc.BpercError, match="block"):
        bperc.sweep({"n": 3})
    with pytest.raises(bperc.BpercError, match="alph"):
        bperc.sweep({**SOLVING, "alph": 0.3})
    with pytest.raises(bperc.BpercError, match="scale"):
        bperc.sweep(TOY, scale="large")
    with pytest.raises((bperc.BpercError, OSError)):
        bperc.read_store(tmp_path / "nothing.db")
    with pytest.raises(ZeroDivisionError):
        bperc.sweep(TOY, callback=lambda done, total: 1 / 0)
