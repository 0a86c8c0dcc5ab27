"""Pictures with matplotlib; every function draws into `ax` (or the current
axes) and returns the axes. Colours can be told apart by colour-blind readers.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .problem import Problem
    from .result import Result
    from .space import SolutionSpace

#: Okabe and Ito's colours, in the order of use.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
           "#000000")


def _axes(ax: Any) -> "Axes":
    if ax is None:
        import matplotlib.pyplot as plt
        ax = plt.gca()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def trajectories(result: "Result", order: Any = None, ax: Any = None,
                 most: int = 200, cmap: str = "viridis",
                 colorbar: bool = True) -> "Axes":
    """Hidden states of a traced run against steps, coloured by the order in
    which decimation fixes the weights: `order` is that of
    `Problem.decimate()`; without it, by the step of the last change."""
    import matplotlib
    ax = _axes(ax)
    if result.trace is None or result.trace.hidden is None:
        raise ValueError("solve with trace=True first")
    hidden = result.trace.hidden
    n = hidden.shape[1]
    by = np.argsort(result.t_fix, kind="stable") if order is None \
        else np.asarray(order)
    rank = np.full(n, n - 1)
    rank[by] = np.arange(len(by))
    colours = matplotlib.colormaps[cmap]
    norm = matplotlib.colors.Normalize(0, n - 1)
    shown = by[np.linspace(0, len(by) - 1, min(len(by), most)).astype(int)]
    for i in shown[::-1]:  # those fixed first on top
        ax.plot(result.trace.step, hidden[:, i], lw=0.7, alpha=0.8,
                color=colours(norm(rank[i])))
    ax.axhline(0, color="0.3", lw=0.8)
    ax.set_xlim(result.trace.step[0], result.trace.step[-1])
    ax.set_xlabel(result.step_name)
    ax.set_ylabel("hidden state $h_i$  (weight 1 above 0)")
    if colorbar:
        scale = matplotlib.cm.ScalarMappable(norm, colours)
        ax.figure.colorbar(scale, ax=ax, label="rank of last change"
                           if order is None else "rank in decimation")
    return ax


def errors(result: "Result", ax: Any = None, **line: Any) -> "Axes":
    """Patterns missed against steps of a traced run."""
    ax = _axes(ax)
    if result.trace is None:
        raise ValueError("solve with trace=True first")
    line.setdefault("label", result.solver)
    line.setdefault("color", COLOURS[0])
    ax.plot(result.trace.step, result.trace.errors, **line)
    ax.set_xlabel(result.step_name)
    ax.set_ylabel("patterns missed")
    ax.set_ylim(bottom=0)
    return ax


def cluster_map(space: "SolutionSpace", ax: Any = None, most: int = 6,
                legend: bool = True, **more: Any) -> "Axes":
    """A map of all solutions, coloured by cluster: distances in the plane are
    as near as possible to Hamming distances. Further keywords go to
    `SolutionSpace.embed`."""
    ax = _axes(ax)
    where = space.embed(**more)
    clusters = space.clusters()
    of = clusters.of[where.solution]
    rest = of >= most
    ax.scatter(where.x[rest], where.y[rest], s=9, color="0.75",
               label=f"{clusters.count - most} smaller ones"
               if clusters.count > most else None)
    for g in range(min(most, clusters.count)):
        mine = of == g
        ax.scatter(where.x[mine], where.y[mine], s=9 if g == 0 else 22,
                   marker="osD^vP"[g % 6], linewidths=0,
                   color=COLOURS[g % len(COLOURS)], alpha=0.8,
                   label=f"{clusters.sizes[g]} solutions")
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(f"{space.count} solutions in {clusters.count} clusters")
    if legend:
        ax.legend(title="clusters", fontsize="small", markerscale=1.3,
                  loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return ax


def margins(problem: "Problem", w: Any, ax: Any = None) -> "Axes":
    """How far the sums are from the threshold, by label: label 0 belongs
    below it, label 1 above."""
    ax = _axes(ax)
    found = problem.check(w)
    sums = found.sums - problem.threshold
    low, high = np.floor(sums.min()), np.ceil(sums.max())
    width = max(1, int(np.ceil((high - low) / 40)))
    bins = np.arange(low, high + 2 * width, width) - 0.5 * width
    for label, colour in ((0, COLOURS[0]), (1, COLOURS[1])):
        ax.hist(sums[problem.y == label], bins=bins, alpha=0.65, color=colour,
                label=f"label {label}")
    ax.axvline(0, color="0.2", lw=1)
    if problem.kappa:
        ax.axvspan(-problem.kappa, problem.kappa, color="0.9", zorder=0)
    ax.set_xlabel("sum minus threshold")
    ax.set_ylabel("patterns")
    ax.set_title(f"{found.errors} of {problem.m} patterns on the wrong side")
    ax.legend(frameon=False)
    return ax


def distances(space: "SolutionSpace", ax: Any = None, **line: Any) -> "Axes":
    """Share of the pairs of solutions at each Hamming distance."""
    ax = _axes(ax)
    pairs = space.histogram().astype(float)
    line.setdefault("color", COLOURS[0])
    ax.bar(np.arange(len(pairs)), pairs / max(pairs.sum(), 1.0), width=0.9,
           **line)
    ax.set_xlabel("Hamming distance of two solutions")
    ax.set_ylabel("share of pairs")
    return ax


def capacity_curve(fin: Sequence[float] = (0.1, 0.3, 0.5), a: Any = None,
                   ax: Any = None, **more: Any) -> "Axes":
    """Theoretical capacity against A, one curve per f_in."""
    from . import theory
    ax = _axes(ax)
    a = np.linspace(4, 80, 60) if a is None else np.asarray(a)
    for k, f in enumerate(fin):
        ax.plot(a, theory.capacity(a, f, **more),
                color=COLOURS[k % len(COLOURS)], label=f"$f_{{in}}$ = {f:g}")
    ax.set_xlabel("$A$  (threshold $N/A$)")
    ax.set_ylabel(r"capacity $\alpha_c$")
    ax.legend(frameon=False)
    return ax


def entropy_curve(fin: Sequence[float] = (0.1, 0.3, 0.5), alpha: Any = None,
                  a: float = 40.0, ax: Any = None, **more: Any) -> "Axes":
    """Entropy of solutions against the load, up to capacity."""
    from . import theory
    ax = _axes(ax)
    for k, f in enumerate(fin):
        end = theory.capacity(a, f, **more)
        x = np.linspace(0.01 * end, end, 60) if alpha is None \
            else np.asarray(alpha)
        ax.plot(x, theory.entropy(x, a, f, **more),
                color=COLOURS[k % len(COLOURS)], label=f"$f_{{in}}$ = {f:g}")
    ax.axhline(0, color="0.3", lw=0.8)
    ax.set_xlabel(r"load $\alpha = M/N$")
    ax.set_ylabel("entropy per weight (nats)")
    ax.legend(frameon=False)
    return ax


def local_entropy_curve(alpha: float, a: float = 40.0, fin: float = 0.5,
                        distances: Any = None, weights: str = "01",
                        ax: Any = None) -> "Axes":
    """Solutions around a typical solution, and in the densest region, against
    distance; grey: all configurations."""
    from . import theory
    ax = _axes(ax)
    d = np.linspace(0.001, 0.05, 40) if distances is None \
        else np.asarray(distances)
    dense = theory.large_deviation(d, alpha, a, fin, weights)
    typical = theory.franz_parisi(d, alpha, a, fin, weights)
    ax.plot(d, dense["bound"], color="0.6", ls="--",
            label="all configurations")
    ax.plot(d, dense["entropy"], color=COLOURS[1], label="densest region")
    ax.plot(d, typical["entropy"], color=COLOURS[0],
            label="around a typical solution")
    ax.axhline(0, color="0.3", lw=0.8)
    ax.set_xlabel("distance $D$ (Hamming distance / $N$)")
    ax.set_ylabel("local entropy (nats per weight)")
    ax.legend(frameon=False)
    return ax
