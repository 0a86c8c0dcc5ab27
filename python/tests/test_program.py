"""Numbers equal the program's, bit for bit."""
import numpy as np
import pytest

import bperc
from bperc import Problem, theory

SEEDS = range(1, 51)
PROBLEMS = {
    "01": dict(n=61, alpha=0.2, fin=0.3, a=12),
    "pm": dict(n=41, alpha=0.4, weights="pm", inputs="pm"),
    "teacher": dict(n=50, m=20, fin=0.5, a=8.5, teacher=True, ties="strict",
                    kappa=0.5),
}
ENSEMBLES = [
    dict(n=70, alpha=0.31, fin=0.25, a=12.5),
    dict(n=70, m=9, fin=0.25, threshold=3.5, kappa=1, fout=0.2),
    dict(n=33, m=12, weights="pm", inputs="pm", ties="either"),
    dict(n=33, m=12, fin=0.4, a=7, weights="pm", inputs="01", teacher=True),
    dict(n=40, m=24, fin=0.4, a=9, copies=3, noise=0.1),
    dict(n=40, m=24, fin=0.4, a=9, prototypes=4, noise=0.3),
    dict(n=40, m=24, fin=0.4, a=9, source=5, noise=0.05),
]


def flags(settings):
    """Settings of Problem.random as options of `bperc generate`."""
    return [part for name, value in settings.items() for part in
            ([f"--{name}"] if value is True else [f"--{name}", value])]


@pytest.mark.parametrize("solver", bperc.solvers())
@pytest.mark.parametrize("name", PROBLEMS)
def test_weights_of_50_seeds(solver, name, program, tmp_path):
    if solver == "ecp" and name == "pm":
        pytest.skip("extended-CP is for weights 0, 1, 2, ...")
    problems, commands = [], []
    for seed in SEEDS:
        problems.append(Problem.random(seed=seed, **PROBLEMS[name]))
        path = tmp_path / f"{seed}.txt"
        problems[-1].write(path)
        commands.append(["solve", path, "--solver", solver, "--seed", seed,
                         "--ties", problems[-1].ties])
    for seed, p, told in zip(SEEDS, problems, program(*commands)):
        mine = p.solve(solver, seed=seed)
        bits = mine.weights.tolist() if solver == "ecp" else \
            "".join("1" if w > 0 else "0" for w in mine.weights)
        assert bits == told["weights"], (solver, name, seed)
        assert (mine.solved, mine.steps, mine.errors) == \
            (told["solved"], told["steps"], told["errors"])
        assert p.check(mine.weights).errors == mine.errors


@pytest.mark.parametrize("settings", ENSEMBLES, ids=str)
def test_ensembles(settings, program, tmp_path):
    program(["generate", *flags(settings), "--seed", 7, "--out",
             tmp_path / "p.txt"])
    mine = Problem.random(seed=7, **settings)
    read = Problem.read(tmp_path / "p.txt", ties=mine.ties)
    assert (mine.X == read.X).all() and (mine.y == read.y).all()
    assert repr(mine) == repr(read)
    if settings.get("teacher"):
        assert mine.check(mine.teacher).satisfied
        assert mine.fresh(50).check(mine.teacher).satisfied
    else:
        assert mine.teacher is None


def test_spaces(program, tmp_path):
    p = Problem.random(25, m=9, fin=0.3, a=12, seed=3)
    path = tmp_path / "p.txt"
    p.write(path)
    told, fixed, drawn, order = program(
        ["enumerate", path, "--pairs", "--correlations"],
        ["enumerate", path, "--fix", "0=1,7=0"],
        ["enumerate", path, "--sample", 20, "--seed", 5],
        ["decimate", path, "--marginals", "exact"])
    drawn_order, = program(["decimate", path, "--marginals", "exact",
                            "--order", "random", "--seed", 4])
    s = p.solutions()
    assert str(s.count) == told["count"]
    assert s.marginals().tolist() == told["marginals"]
    m = s.moments()
    assert (m.log_count, m.xcorr_mean, m.xcorr_mean_square) == tuple(
        told[k] for k in ("log_count", "xcorr_mean", "xcorr_mean_square"))
    c = s.clusters()
    assert (c.count, c.parisi_x, c.q_same, c.q_diff) == tuple(
        told["clusters"][k] for k in ("count", "parisi_x", "q_same",
                                      "q_diff"))
    told_pairs = told["distance_histogram"]
    assert s.histogram().tolist()[:len(told_pairs)] == told_pairs
    assert [e["mean"] for e in told["local_entropy"]] == \
        s.local_entropy(len(told["local_entropy"])).tolist()
    assert str(p.solutions(fix={0: 1, 7: 0}).count) == fixed["count"]
    assert ["".join(map(str, w)) for w in s.sample(20, seed=5)] == \
        drawn["samples"]
    d = p.decimate("exact")
    assert d.order.tolist() == order["order"]
    assert d.values.tolist() == order["values"]
    random = p.decimate("exact", order="random", seed=4)
    assert random.order.tolist() == drawn_order["order"]
    assert random.values.tolist() == drawn_order["values"]
    assert d.measures["k_index"].tolist() == [
        np.nan if x["k_index"] is None else x["k_index"]
        for x in order["steps"]]


def test_messages_and_walks(program, tmp_path):
    p = Problem.random(60, alpha=0.2, fin=0.3, a=12)
    path, weights = tmp_path / "p.txt", tmp_path / "w.txt"
    p.write(path)
    w = p.solve("sbpi").weights
    weights.write_text("".join(map(str, w)) + "\n")
    bp, centred, local, walk, order, drawn = program(
        ["bp", path], ["bp", path, "--centred"],
        ["local-entropy", path, weights, "--points", 5],
        ["walk", path, weights, "--sweeps", 100],
        ["decimate", path], ["decimate", path, "--order", "random"])
    for told, mine in ((bp, p.bp()), (centred, p.bp(centred=True))):
        assert mine.marginals.tolist() == told["marginals"]
        assert (mine.entropy, mine.iterations, mine.converged) == tuple(
            told[k] for k in ("entropy", "iterations", "converged"))
    mine = p.local_entropy(w, points=5)
    for told, point in zip(local["points"], mine):
        if point["converged"]:
            assert (told["x"], told["distance"], told["entropy"]) == tuple(
                point[["x", "distance", "entropy"]])
    end = p.walk(w, 100)
    assert "".join(map(str, end.weights)) == walk["weights"]
    assert (end.moves, end.distance) == (walk["moves"], walk["distance"])
    d = p.decimate()
    assert d.order.tolist() == order["order"]
    assert p.decimate(order="random").order.tolist() == drawn["order"]
    assert d.log_count[:-1].tolist() == [
        x["log_count"] for x in order["steps"][:-1]]


def test_restarts_starts_and_costs(program, tmp_path):
    p = Problem.random(41, m=60, fin=0.5, a=12, seed=3)  # far above capacity
    path, weights = tmp_path / "p.txt", tmp_path / "w.txt"
    p.write(path)
    first = p.solve("sbpi", max_sweeps=20).weights
    weights.write_text("".join(map(str, first)) + "\n")
    for how, flags in ((dict(restarts=5), ["--restarts", 5]),
                       (dict(initial=first), ["--initial", weights]),
                       (dict(class_weight=(1, 3)), ["--class-weights", "1,3"]),
                       (dict(class_weight="balanced"),
                        ["--class-weights", "balanced"])):
        told, = program(["solve", path, "--solver", "sbpi", "--max-sweeps", 20,
                         *flags])
        mine = p.solve("sbpi", max_sweeps=20, **how)
        assert "".join(map(str, mine.weights)) == told["weights"], how
        assert mine.errors == told["errors"]


def test_theory(program):
    capacity, entropy, fp, ld, geometry = program(
        ["theory", "capacity", "--a", 12.5, "--fin", 0.31, "--fout", 0.4],
        ["theory", "entropy", "--a", 12.5, "--fin", 0.31, "--alpha", 0.2],
        ["theory", "franz-parisi", "--alpha", 0.2, "--a", 40, "--fin", 0.5,
         "--distances", "0.01,0.03"],
        ["theory", "large-deviation", "--alpha", 0.2, "--a", 40, "--fin", 0.5,
         "--distances", "0.01,0.03"],
        ["theory", "geometry", "--alpha", 0.2, "--a", 40, "--fin", 0.5,
         "--x", "0.5,1"])
    assert theory.capacity(12.5, 0.31, fout=0.4) == capacity["alpha_c"]
    assert theory.entropy(0.2, 12.5, 0.31) == entropy["entropy"]
    assert theory.overlap(0.2, 12.5, 0.31) == entropy["overlap"]
    for told, mine in ((fp, theory.franz_parisi([0.01, 0.03], 0.2)),
                       (ld, theory.large_deviation([0.01, 0.03], 0.2))):
        for name in ("distance", "entropy", "bound", "slope"):
            assert mine[name].tolist() == [p[name] for p in told["points"]]
    states = theory.geometry(0.2, x=[0.5, 1.0])
    for told, mine in zip(geometry["points"], states):
        assert mine["q_same"] == told["q_same"]
        assert mine["complexity"] == told["complexity"]
