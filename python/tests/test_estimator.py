"""The scikit-learn estimator."""
import csv
import os
import pickle

import numpy as np
import pytest

import bperc

pytest.importorskip("sklearn")
from sklearn.datasets import load_breast_cancer, load_iris  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402


def model(**more):
    return bperc.BinaryPerceptronClassifier(
        **{"restarts": 2, "sweeps": 200, "folds": 0, **more})


def test_estimator_checks():
    checks = list(check_estimator(model(restarts=1, sweeps=100),
                                  generate_only=True))
    for estimator, check in checks:
        check(estimator)
    print(len(checks), "checks of scikit-learn")


def test_the_programs_fit(program, tmp_path):
    """Weights and threshold are those of `bperc fit`."""
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:150, :6], y[:150]
    with open(tmp_path / "t.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["label", *(f"x{k}" for k in range(6))])
        for row, label in zip(X, y):
            out.writerow([label, *row.tolist()])
    told, = program(["fit", tmp_path / "t.csv", "--binarise", "levels=8",
                     "--complement", "--folds", 3, "--restarts", 2,
                     "--sweeps", 200, "--model-out", tmp_path / "m"])
    mine = model(binarize="levels=8", folds=3).fit(X, y)
    assert -mine.intercept_[0] == told["threshold"]
    bits = [line.split()[1] for line in open(tmp_path / "m")
            if line.startswith("bits ")]
    assert "".join(map(str, mine.coef_[0])) == bits[0]
    assert (mine.predict(X) != y).sum() == told["train"]["errors"]
    assert (mine.decision_function(X) > 0).tolist() == \
        (mine.predict(X) == 1).tolist()


def test_classes_and_settings():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    m = model().fit(X, names)
    assert m.coef_.shape[0] == 3 and m.decision_function(X).shape == (150, 3)
    assert m.score(X, names) > 0.9
    assert cross_val_score(model(), X, y, cv=3).mean() > 0.85
    assert (pickle.loads(pickle.dumps(m)).predict(X) == m.predict(X)).all()
    for settings in (dict(binarize="median"), dict(binarize="mean"),
                     dict(binarize=2.0), dict(weights="pm"),
                     dict(complement=False, binarize="levels=3"),
                     dict(class_weight="balanced"),
                     dict(class_weight={0: 1, 1: 3, 2: 1})):
        assert model(**settings).fit(X, y).score(X, y) > 0.6, settings
    bits = (X > X.mean(axis=0)).astype(int)
    assert (model(binarize=None).fit(bits, y).predict(bits) ==
            model(binarize="auto").fit(bits, y).predict(bits)).all()
    fixed = model(threshold=4.0).fit(X, y)
    assert (fixed.intercept_ == -4).all()


def test_threads_change_nothing():
    X, y = load_iris(return_X_y=True)
    one, two = (model(folds=3, n_jobs=jobs).fit(X, y) for jobs in (None, -1))
    assert (one.coef_ == two.coef_).all()
    assert (one.intercept_ == two.intercept_).all()
    cores = len(os.sched_getaffinity(0))
    assert model(n_jobs=-1)._threads() == cores
    assert model(n_jobs=-2)._threads() == max(1, cores - 1)


def test_weights_of_classes_matter():
    """An error on a class with a large weight costs more: fewer of them."""
    rng = np.random.default_rng(4)
    y = (rng.random(300) < 0.5).astype(int)
    X = rng.normal(size=(300, 3)) + 0.7 * y[:, None]
    missed = []
    for weight in (1, 12):
        m = model(class_weight={0: 1, 1: weight}, binarize="levels=4")
        missed.append(int((m.fit(X, y).predict(X[y == 1]) == 0).sum()))
    assert missed[1] < missed[0]


@pytest.mark.parametrize("wrong", [
    dict(binarize="levels"), dict(binarize="x"), dict(threshold="x"),
    dict(class_weight="x"), dict(n_jobs=0), dict(weights="x")])
def test_wrong_settings(wrong):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError):
        model(**wrong).fit(X, y)
