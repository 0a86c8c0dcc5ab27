"""Examples in docstrings and README, pictures, types, and locales."""
import doctest
import importlib
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import bperc
from bperc import Problem

HERE = pathlib.Path(__file__).resolve().parent
MODULES = ["", ".instance", ".problem", ".space", ".theory", ".lab"]
needs_pandas = pytest.mark.skipif(
    not importlib.util.find_spec("pandas"), reason="pandas is not there")


def examples(tests):
    if int(np.__version__.split(".")[0]) > 1:  # 0.5, not np.float64(0.5)
        np.set_printoptions(legacy="1.25")
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    failed, tried = runner.summarize()
    assert tried and not failed


@needs_pandas
@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    examples(doctest.DocTestFinder().find(
        importlib.import_module("bperc" + module), globs={"bperc": bperc}))


def test_docstring_of_the_estimator():
    pytest.importorskip("sklearn")
    examples(doctest.DocTestFinder().find(
        bperc.BinaryPerceptronClassifier, globs={"bperc": bperc}))


@needs_pandas
def test_readme():
    pytest.importorskip("sklearn")
    text = (HERE.parent / "README.md").read_text()
    examples([doctest.DocTestParser().get_doctest(text, {}, "README.md", None,
                                                  0)])


def test_every_public_name_has_a_docstring():
    for name in bperc.__all__:
        if name == "BinaryPerceptronClassifier" and \
                not importlib.util.find_spec("sklearn"):
            continue
        thing = getattr(bperc, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for attribute, value in vars(thing).items():
                if attribute[0] != "_" and (callable(value) or
                                            isinstance(value, property)):
                    assert value.__doc__, f"{name}.{attribute}"


def test_pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    p = Problem.random(100, alpha=0.3, fin=0.3, a=20)
    r = p.solve("sbpi", trace=True)
    small = Problem.random(25, m=9, fin=0.3, a=12, seed=3).solutions()
    draw = [lambda ax: bperc.plot.trajectories(r, p.decimate().order, ax=ax),
            lambda ax: bperc.plot.trajectories(r, ax=ax),
            lambda ax: bperc.plot.errors(r, ax=ax),
            lambda ax: bperc.plot.cluster_map(small, ax=ax, points=100),
            lambda ax: bperc.plot.landscape(small, small.near(1)[:, 1], ax=ax,
                                            mark=[0, 5], points=100),
            lambda ax: bperc.plot.margins(p, r.weights, ax=ax),
            lambda ax: bperc.plot.distances(small, ax=ax),
            lambda ax: bperc.plot.capacity_curve(a=[10, 20], ax=ax),
            lambda ax: bperc.plot.capacity_curve(weights="pm", ax=ax),
            lambda ax: bperc.plot.entropy_curve(ax=ax),
            lambda ax: bperc.plot.local_entropy_curve(
                0.2, distances=[0.01, 0.02], ax=ax)]
    for make in draw:
        figure, ax = plt.subplots()
        assert make(ax) is ax
        assert ax.get_xlabel() or not len(ax.get_xticks())
        figure.canvas.draw()
        plt.close(figure)
    ax = bperc.plot.capacity_curve(weights="pm")
    assert len(ax.lines) == 1  # not one for every f_in
    plt.close(ax.figure)
    with pytest.raises(ValueError):
        bperc.plot.trajectories(p.solve("sbpi"))


@pytest.mark.skipif(not importlib.util.find_spec("mypy"),
                    reason="mypy is not there")
def test_types(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports",
         "--disallow-untyped-defs", "--allow-subclassing-any", "--cache-dir",
         tmp_path, HERE.parent / "bperc"], text=True, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stdout


COMMAS = """
import locale, sys
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert "%s" % locale.localeconv()["decimal_point"] == ","
import bperc
assert bperc.Problem.read(sys.argv[1]).threshold == 2
p = bperc.Problem.random(100, alpha=0.2, fin=0.3, a=12.5)
p.write(sys.argv[2])
assert bperc.Problem.read(sys.argv[2]).threshold == 8
print(p.solve("sbpi", p_s=0.25).options["p_s"])
t = bperc.sweep({"measurement": "toy", "x": [0, 0.5], "instances": 2,
                 "noise": 0})["run"]
print(t["x"].tolist(), t["y"].tolist())
"""


def test_decimal_commas(tmp_path):
    """Under a locale with decimal commas numbers keep their points."""
    if not shutil.which("localedef") or \
            not os.path.exists("/usr/share/i18n/locales/de_DE"):
        pytest.skip("no source of a locale with decimal commas")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8",
                    tmp_path / "de_DE.UTF-8"], check=True)
    (tmp_path / "p.txt").write_text("3 1 1.5\n1 111\n")
    done = subprocess.run(
        [sys.executable, "-c", COMMAS, tmp_path / "p.txt", tmp_path / "q.txt"],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "LOCPATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"})
    assert done.stdout.split("\n")[:2] == [
        "0.25", "[0.0, 0.5] [0.0, -0.25]"], done.stderr
