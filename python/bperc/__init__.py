"""bperc: perceptrons whose weights are bits.

>>> import bperc
>>> p = bperc.Problem.random(480, alpha=0.2, fin=0.3, a=40)
>>> r = p.solve("sbpi")
>>> r.solved, r.steps
(True, 26)
"""
from typing import TYPE_CHECKING, Any

from . import lab, plot, theory
from ._core import BpercError, Cancel, Cancelled, lib as _lib, text as _text
from .lab import claims, merge_stores, read_store, sweep
from .problem import Problem, solvers
from .result import Beliefs, Check, Decimation, Inference, Result, Trace, Walk
from .space import Clusters, Map, Moments, SolutionSpace

if TYPE_CHECKING:
    from .estimator import BinaryPerceptronClassifier

__version__ = _text(_lib.bperc_version())
__all__ = ["Beliefs", "BinaryPerceptronClassifier", "BpercError", "Cancel",
           "Cancelled", "Check", "Clusters", "Decimation", "Inference", "Map", "Moments",
           "Problem", "Result", "SolutionSpace", "Trace", "Walk", "claims",
           "lab", "merge_stores", "plot", "read_store", "solvers", "sweep",
           "theory"]


def __getattr__(name: str) -> Any:
    if name == "BinaryPerceptronClassifier":  # needs scikit-learn
        from .estimator import BinaryPerceptronClassifier
        return BinaryPerceptronClassifier
    raise AttributeError(f"module 'bperc' has no attribute '{name}'")
