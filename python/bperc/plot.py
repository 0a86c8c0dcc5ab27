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


def style() -> None:
    """Settings of matplotlib for slides and notebooks: these colours, larger
    letters, no frame above and on the right."""
    import matplotlib
    matplotlib.rcParams.update({
        "axes.prop_cycle": matplotlib.cycler(color=list(COLOURS)),
        "axes.spines.top": False, "axes.spines.right": False,
        "axes.titlesize": "medium", "axes.titleweight": "bold",
        "axes.titlelocation": "left", "font.size": 11, "figure.dpi": 110,
        "figure.constrained_layout.use": True, "legend.frameon": False,
        "lines.linewidth": 1.8})


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


def _bare(ax: "Axes") -> None:
    """A map has no axes: only distances count."""
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)


def _flips(space: "SolutionSpace", which: np.ndarray) -> np.ndarray:
    """Pairs of these solutions that differ in one weight."""
    bits = (space[which] > 0).astype(np.float32)
    ones = bits.sum(axis=1)
    apart = ones[:, None] + ones[None, :] - 2 * bits @ bits.T
    return np.argwhere(np.triu(apart == 1))


def cluster_map(space: "SolutionSpace", ax: Any = None, most: int = 6,
                legend: bool = True, edges: bool = True,
                **more: Any) -> "Axes":
    """A map of the solutions, coloured by cluster: distances in the plane are
    as near as possible to Hamming distances; lines join solutions that differ
    in one weight. Further keywords go to `SolutionSpace.embed`."""
    from matplotlib.collections import LineCollection
    ax = _axes(ax)
    where = space.embed(**more)
    clusters = space.clusters()
    of = clusters.of[where.solution]
    points = np.stack([where.x, where.y], axis=1)
    if edges and len(points):
        ax.add_collection(LineCollection(
            points[_flips(space, where.solution)], colors="0.7",
            linewidths=0.6, zorder=0))
    rest = of >= most
    ax.scatter(*points[rest].T, s=14, color="0.55", linewidths=0,
               label=f"{clusters.count - most} smaller ones"
               if clusters.count > most else None)
    for g in range(min(most, clusters.count)):
        ax.scatter(*points[of == g].T, s=26, marker="osD^vP"[g % 6],
                   color=COLOURS[g % len(COLOURS)], linewidths=0,
                   label=f"{clusters.sizes[g]} solutions")
    _bare(ax)
    ax.set_title(f"{space.count} solutions in {clusters.count} clusters")
    if legend:
        ax.legend(title="clusters", fontsize="small", markerscale=1.3,
                  loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return ax


def landscape(space: "SolutionSpace", height: Any, ax: Any = None,
              label: str = "height", mark: Any = (), marked: str = "marked",
              cmap: str = "viridis", **more: Any) -> "Axes":
    """A map of the solutions, coloured by a number of each of them; circles
    around those whose positions are in `mark`. Further keywords go to
    `SolutionSpace.embed`."""
    ax = _axes(ax)
    where = space.embed(**more)
    shown = np.asarray(height)[where.solution]
    order = np.argsort(shown)  # the highest on top
    points = ax.scatter(where.x[order], where.y[order], c=shown[order], s=16,
                        cmap=cmap, linewidths=0)
    ax.figure.colorbar(points, ax=ax, label=label)
    hit = np.isin(where.solution, np.asarray(mark))
    if hit.any():
        ax.scatter(where.x[hit], where.y[hit], s=60, facecolors="none",
                   edgecolors=COLOURS[1], linewidths=1.5, label=marked)
        ax.legend(loc="upper left", bbox_to_anchor=(0, 0.03), frameon=False)
    _bare(ax)
    return ax


def margins(problem: "Problem", w: Any, ax: Any = None) -> "Axes":
    """How far the sums are from the threshold, by label: label 0 belongs
    below it, label 1 above."""
    ax = _axes(ax)
    found = problem.check(w)
    # sums are whole numbers: the border lies between two of them
    border = np.floor(problem.threshold) + 0.5
    sums, at = found.sums - border, border - problem.threshold
    width = max(1, int(np.ceil(np.ptp(sums) / 40))) if len(sums) else 1
    low, high = (np.floor(sums.min() / width), np.ceil(sums.max() / width)) \
        if len(sums) else (0, 0)
    bins = at + width * np.arange(low, high + 1.5)
    for label, colour in ((0, COLOURS[0]), (1, COLOURS[1])):
        ax.hist(sums[problem.y == label] + at, bins=bins, alpha=0.65, color=colour,
                label=f"label {label}")
    ax.axvline(at, color="0.2", lw=1)
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
    """Theoretical capacity against A, one curve per f_in; with weights="pm",
    which know neither, one line."""
    from . import theory
    ax = _axes(ax)
    if more.get("weights") in ("pm", "ising"):
        end = float(theory.capacity(**more))
        ax.axhline(end, color=COLOURS[0], label=f"weights -1/+1: {end:.4f}")
        ax.set_ylabel(r"capacity $\alpha_c$")
        ax.set_xlabel("$A$ and $f_{in}$ play no part")
        ax.set_ylim(0, max(1.0, 1.1 * end))
        ax.legend(frameon=False)
        return ax
    a = np.linspace(4, 80, 153) if a is None else np.asarray(a)
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
