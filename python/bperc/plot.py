"""Pictures with matplotlib; every function returns the axes."""
from __future__ import annotations

import numpy as np


def _axes(ax):
    if ax is None:
        import matplotlib.pyplot as plt
        ax = plt.gca()
    return ax


def trajectories(result, order=None, ax=None, most=200, cmap="viridis"):
    """Hidden states of a traced run against steps, coloured by the order in
    which decimation fixes the weights (figure 3a of the paper)."""
    import matplotlib
    ax = _axes(ax)
    if result.trace is None or "hidden" not in result.trace:
        raise ValueError("solve with trace=True first")
    hidden = result.trace["hidden"]
    n = hidden.shape[1]
    rank = np.empty(n)
    rank[np.arange(n) if order is None else np.asarray(order)] = \
        np.linspace(0, 1, n)
    colours = matplotlib.colormaps[cmap]
    for i in np.linspace(0, n - 1, min(n, most)).astype(int):
        ax.plot(result.trace["step"], hidden[:, i], color=colours(rank[i]),
                lw=0.6, alpha=0.7)
    ax.set_xlabel("step")
    ax.set_ylabel("hidden state $h_i$")
    ax.axhline(0, color="0.4", lw=0.6)
    return ax


def cluster_map(space, ax=None, **more):
    """A map of all solutions, coloured by cluster."""
    ax = _axes(ax)
    which, x, y = space.embed(**more)
    clusters = space.clusters()
    ax.scatter(x, y, c=np.minimum(clusters.of[which], 19), cmap="tab20", s=6)
    ax.set_aspect("equal")
    ax.set_title(f"{space.count} solutions, {clusters.count} clusters, "
                 f"$x^*$ = {clusters.parisi_x:.3g}")
    return ax


def margins(problem, w, ax=None):
    """Distribution of sums minus the threshold, by label."""
    ax = _axes(ax)
    sums = problem.check(w).sums - problem.threshold
    for label, colour in ((0, "#4477aa"), (1, "#cc6677")):
        ax.hist(sums[problem.y == label], bins=30, alpha=0.6, color=colour,
                label=f"label {label}")
    ax.axvline(0, color="0.3", lw=0.8)
    ax.set_xlabel("sum minus threshold")
    ax.set_ylabel("patterns")
    ax.legend()
    return ax


def capacity_curve(fin=(0.1, 0.3, 0.5), a=None, ax=None):
    """Theoretical capacity against A."""
    from . import theory
    ax = _axes(ax)
    a = np.linspace(4, 80, 60) if a is None else np.asarray(a)
    for f in fin:
        ax.plot(a, theory.capacity(a, f), label=f"$f_{{in}}$ = {f:g}")
    ax.set_xlabel("$A$")
    ax.set_ylabel(r"$\alpha_c$")
    ax.legend()
    return ax
