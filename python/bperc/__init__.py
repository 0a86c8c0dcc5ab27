"""bperc: perceptrons whose weights are bits.

>>> import bperc
>>> p = bperc.Problem.random(480, alpha=0.2, fin=0.3, a=40)
>>> r = p.solve("sbpi")
>>> r.solved, r.steps
(True, 26)
"""
from . import plot, theory
from ._core import BpercError, lib as _lib, text as _text
from .lab import read_store, sweep
from .problem import Check, Problem, Result, solvers
from .space import Clusters, SolutionSpace

__version__ = _text(_lib.bperc_version())
__all__ = ["BinaryPerceptronClassifier", "BpercError", "Check", "Clusters",
           "Problem", "Result", "SolutionSpace", "plot", "read_store",
           "solvers", "sweep", "theory"]


def __getattr__(name):
    if name == "BinaryPerceptronClassifier":  # needs scikit-learn
        from .estimator import BinaryPerceptronClassifier
        return BinaryPerceptronClassifier
    raise AttributeError(f"module 'bperc' has no attribute '{name}'")
