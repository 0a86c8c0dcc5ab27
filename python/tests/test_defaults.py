"""One default everywhere: those of the program (its help), of plans (the tables of
the measurements) and of Python (its signatures), side by side. Printed with -s."""
import inspect
import os
import re
import subprocess

import pytest

import bperc
from bperc._core import lib, text

# Python's name of an option, where it is another.
RENAMED = {"time_limit": "timeout"}
# Words of the help for a value that Python writes otherwise.
SAME = {("threads", "all cores"): 0, ("timeout", "no limit"): None,
        ("copies", "once"): 0, ("prototypes", "independent"): 0,
        ("source", "independent"): 0, ("band", "none"): 0}
# The estimator makes bits of numbers for weights that can only add; a table of the
# program is taken as it is. The only two that differ, on purpose.
OWN = {("fit", "binarise"), ("fit", "complement")}
CALLS = {
    "generate": bperc.Problem.random, "solve": bperc.Problem.solve,
    "bp": bperc.Problem.bp, "local-entropy": bperc.Problem.local_entropy,
    "enumerate": bperc.Problem.solutions, "walk": bperc.Problem.walk,
    "decimate": bperc.Problem.decimate, "embed": bperc.SolutionSpace.embed,
    "sweep": bperc.sweep, "theory": bperc.theory.capacity}
PROBLEMS = ("solving", "capacity", "geometry")


def number(word):
    try:
        return float(word)
    except (TypeError, ValueError):
        return word


def program_defaults(command):
    """{option: default} of the help; "needed" where there is none."""
    said = subprocess.run([os.environ["BPERC"], command, "--help"], text=True,
                          capture_output=True, check=True).stdout
    said = re.sub(r"\n {27}", " ", said)
    found = {}
    for name, meaning in re.findall(r"^  --([a-z-]+)(.*)", said, re.M):
        at = re.search(r"default:? ([^();]+)\)", meaning)
        name = name.replace("-", "_")
        if "(needed" in meaning:
            found[name] = "needed"
        elif at and name not in found:
            found[name] = at[1]
    return found


def python_defaults(call):
    return {name: p.default
            for name, p in inspect.signature(call).parameters.items()
            if p.default is not inspect.Parameter.empty}


def plan_defaults(name):
    table = lib.bperc_measurement_find(name.encode()).options()
    found = {}
    for k in range(table.count):
        row = table.rows[k]
        found[text(row.name)] = \
            text(row.choices).split("|")[int(row.initial)] \
            if row.kind == lib.BPERC_OPTION_CHOICE else row.initial
    return found


def agree(name, *values):
    """Whether all that are given are one; what is needed has no default."""
    said = [SAME.get((name, v), v) for v in values
            if v not in ("", "needed")]
    said = [v if v is None else number(v) for v in said]
    return all(v == said[0] for v in said[1:])


def rows():
    """(where, option, program, plan, Python)"""
    for command, call in CALLS.items():
        mine, its = python_defaults(call), program_defaults(command)
        plans = [plan_defaults(name) for name in PROBLEMS] \
            if command == "generate" else [plan_defaults("theory_capacity")] \
            if command == "theory" else []
        for name in sorted(its):
            key = RENAMED.get(name, name)
            values = [plan[key] for plan in plans if key in plan]
            if key in mine or values:
                yield (command, key, its[name], values[0] if values else "",
                       mine.get(key, "") if mine.get(key, 0) is not None or
                       its[name] == "no limit" else "needed")
                assert len(set(map(str, values))) < 2, (key, values)


def estimator_rows():
    pytest.importorskip("sklearn")
    mine = python_defaults(bperc.BinaryPerceptronClassifier.__init__)
    its = program_defaults("fit")
    for name in ("folds", "restarts", "sweeps", "weights"):
        yield "fit", name, its[name], "", mine[name]
    yield "fit", "binarise", "median", "", mine["binarize"]
    yield "fit", "complement", "no", "", mine["complement"]


def test_one_default_everywhere():
    table = [*rows(), *estimator_rows()]
    differ = [row for row in table if not agree(row[1], *row[2:])]
    for row in table:
        print("%-14s%-14s%-16s%-12s%-12s%s" % (
            *map(str, row), "" if row not in differ else
            "own" if row[:2] in OWN else "DIFFERS"))
    print(len(table), "defaults,", len(differ) - len(OWN), "differences")
    assert len(table) > 30
    assert {row[:2] for row in differ} == OWN


def test_the_comparison_sees_a_difference():
    assert agree("fin", "needed", 0.3, 0.3) and agree("threads", "all cores", 0)
    assert not agree("fin", "0.5", 0.3) and not agree("threads", "all cores", 1)
    assert not agree("weights", "01", "pm")


def test_signs_are_even_where_nothing_is_said():
    """Plans, `sweep`, `Problem.random` and `generate`."""
    pytest.importorskip("pandas")
    plan = {"measurement": "solving", "n": 51, "weights": "pm", "inputs": "pm",
            "alpha": [0.5, 0.9], "instances": 4}
    said = bperc.sweep(plan)
    assert said.equals(bperc.sweep({**plan, "fin": 0.5}))
    assert not said.equals(bperc.sweep({**plan, "fin": 0.3}))
    both = bperc.sweep({**plan, "inputs": ["01", "pm"], "a": 2})
    assert both[both.inputs == "pm"].solved.tolist() == said.solved.tolist()


def test_both_spellings(program, tmp_path):
    (tmp_path / "t.csv").write_text("label,x,y\n" + "".join(
        f"{k % 2},{k},{k * k % 7}\n" for k in range(12)))
    fits = program(*(["fit", tmp_path / "t.csv", word, "levels=3", "--weights",
                      kind, "--folds", 0] for word in ("--binarise", "--binarize")
                     for kind in ("pm", "ising")))
    for said in fits:
        assert said["weights"] == fits[0]["weights"]
        assert said["kind"] == "pm"
    read = [bperc.Problem.read(tmp_path / "t.csv", threshold=2, **how)
            for how in (dict(binarise="levels=3"), dict(binarize="levels=3"))]
    assert (read[0].X == read[1].X).all()
    with pytest.raises(bperc.BpercError, match="not both"):
        bperc.Problem.read(tmp_path / "t.csv", threshold=2, binarise="mean",
                           binarize="mean")
    assert bperc.theory.capacity(weights="pm") == \
        bperc.theory.capacity(weights="ising")
    assert bperc.Problem.random(9, m=3, inputs="pm", weights="ising").weights \
        == "pm"


def test_spellings_of_plans(tmp_path):
    pytest.importorskip("pandas")
    tables = [bperc.sweep({"measurement": "theory_alpha_u", "weights": word,
                           "instances": 1}) for word in ("pm", "ising")]
    assert tables[0].equals(tables[1])
    pytest.importorskip("sklearn")
    x, y = [[0.0, 1], [1, 0], [2, 3], [3, 1]], [0, 1, 0, 1]
    models = [bperc.BinaryPerceptronClassifier(folds=0, **how).fit(x, y)
              for how in (dict(binarise="mean"), dict(binarize="mean"))]
    assert (models[0].coef_ == models[1].coef_).all()
