"""The exact solution space."""
from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

import numpy as np

from ._core import (BpercError, Cancel, check, control, copied, encoded_path,
                    ffi, html_table, lib, options, seed_of, threads_of,
                    unpack_bits, whole)
from .result import Decimation

if TYPE_CHECKING:
    from .problem import Problem


class Clusters:
    """Solutions connected by flips of single weights.

    count : how many clusters; of : the cluster of each solution
    sizes : descending; frozen : per cluster, weights with one value in it
    parisi_x : x* = 1 - sum (size / count)^2
    q_same, q_diff : overlaps inside and between clusters
    """

    def __init__(self, c: Any, space: "SolutionSpace", flips: int):
        self._c, self._space, self._flips = c, space, flips
        self.count = int(c.count)
        self.of = copied(c.of, space.count, np.uint32)
        self.sizes = copied(c.size, self.count, np.uint32)
        self.parisi_x = float(c.parisi_x)
        self.q_same, self.q_diff = float(c.q_same), float(c.q_diff)

    def __reduce__(self) -> Any:
        return SolutionSpace.clusters, (self._space, self._flips)

    @property
    def frozen(self) -> np.ndarray:
        """Per cluster, how many weights have one value in all of it."""
        out = np.zeros(self.count + 1, np.uint32)
        check(lib.bperc_clusters_frozen(self._c, self._space._s,
                                        ffi.from_buffer("uint32_t[]", out)))
        return out[:-1]

    def overlaps(self, most: int = 10) -> np.ndarray:
        """Mean overlap of solutions of two clusters, for the largest ones."""
        k = min(most, self.count)
        out = np.zeros((k, k))
        if k:
            check(lib.bperc_clusters_overlaps(
                self._c, self._space._s, k, ffi.from_buffer("double[]", out)))
        return out

    def __repr__(self) -> str:
        largest = int(self.sizes[0]) if self.count else 0
        return (f"<Clusters {self.count}, largest {largest}, x* = "
                f"{self.parisi_x:.4g}>")

    def _repr_html_(self) -> str:
        first = ", ".join(map(str, self.sizes[:8])) + \
            (", ..." if self.count > 8 else "")
        return html_table(f"{self.count} clusters", {
            "sizes": first, "x*": f"{self.parisi_x:.4g}",
            "overlap inside": f"{self.q_same:.4g}",
            "overlap between": f"{self.q_diff:.4g}"})


class Map(NamedTuple):
    """Solutions as points of the plane: which solution a point is, its
    coordinates, and Sammon's stress of the picture."""

    solution: np.ndarray
    x: np.ndarray
    y: np.ndarray
    stress: float

    def __repr__(self) -> str:
        return f"<Map of {len(self.x)} solutions, stress {self.stress:.4g}>"


class Moments(NamedTuple):
    """log_count; entropy per weight that is not fixed; means of c_ij and its
    square over pairs of different weights."""

    log_count: float
    entropy: float
    xcorr_mean: float
    xcorr_mean_square: float

    def __repr__(self) -> str:
        return (f"<Moments entropy {self.entropy:.6g} per weight, mean "
                f"correlation {self.xcorr_mean:.3g}>")


def _rebuilt(problem: "Problem", fix: dict[int, int], parts: dict[str, Any],
             column: np.ndarray, fixed: np.ndarray,
             bits: np.ndarray) -> "SolutionSpace":
    """The list that `SolutionSpace.__reduce__` took to pieces; its arrays are
    numpy's."""
    s = ffi.new("bperc_solutions *", parts)
    s.column = ffi.from_buffer("uint32_t[]", column)
    s.fixed = ffi.from_buffer("int8_t[]", fixed)
    s.bits = ffi.from_buffer("uint64_t[]", bits)
    space = SolutionSpace.__new__(SolutionSpace)
    space.problem, space.fix, space._s = problem, fix, s
    space._arrays = (column, fixed, bits)
    return space


class SolutionSpace:
    """All solutions of a problem, in ascending order of their words.

    >>> s = bperc.Problem([[1, 1, 1]], [1], threshold=1.5).solutions()
    >>> len(s), s.array.tolist()
    (4, [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> s[1], s[:2].shape
    (array([1, 0, 1], dtype=uint8), (2, 3))
    """

    def __init__(self, problem: "Problem", s: Any, fix: dict[int, int]):
        self.problem, self.fix = problem, fix
        self._s = ffi.gc(s, lib.bperc_solutions_free,
                         8 * int(s.count) * int(s.words))

    _arrays: Any = None  # what the list points to when numpy has it

    def __reduce__(self) -> Any:
        s = self._s
        size = int(s.count) * int(s.words)
        parts: dict[str, Any] = {
            name: int(getattr(s, name)) for name in
            ("n", "columns", "unfixed", "words", "count")}
        parts.update(live=list(s.live), complete=bool(s.complete))
        return _rebuilt, (
            self.problem, self.fix, parts,
            np.append(self.columns, np.uint32(0)).astype(np.uint32),
            copied(s.fixed, self.n, np.int8),
            copied(s.bits, size, "<u8") if size else np.zeros(1, "<u8"))

    @property
    def count(self) -> int:
        """Number of solutions listed."""
        return int(self._s.count)

    @property
    def complete(self) -> bool:
        """False: a limit was reached, there are more."""
        return bool(self._s.complete)

    @property
    def n(self) -> int:
        """Number of weights of the problem."""
        return int(self._s.n)

    @property
    def columns(self) -> np.ndarray:
        """The weights that are not fixed: bit j of a word is columns[j]."""
        return copied(self._s.column, int(self._s.columns), np.uint32)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes all solutions to an HDF5 file, 8 weights to a byte;
        `Problem.read_solutions` reads it."""
        error = ffi.new("bperc_error *")
        check(lib.bperc_solutions_write(self._s, ffi.NULL, encoded_path(path),
                                        error), error)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        more = "" if self.complete else ", not complete"
        return f"<SolutionSpace {self.count} solutions of {self.n} weights" \
            f"{more}>"

    def _repr_html_(self) -> str:
        rows: dict[str, Any] = {
            "solutions": f"{self.count}" + ("" if self.complete
                                            else " listed, there are more"),
            "weights": f"{self.n}, {self.n - len(self.columns)} of them fixed",
            "entropy": f"{self.entropy:.4g} per weight"}
        if self.count:
            p = self.marginals()
            rows["the same in all"] = f"{int(((p == 0) | (p == 1)).sum())} " \
                "weights"
        return html_table("Solution space", rows)

    # ---- the solutions themselves

    @property
    def words(self) -> np.ndarray:
        """The packed solutions, count x words, without a copy: the array
        shows the library's own memory and keeps it alive."""
        size = 8 * self.count * int(self._s.words)
        if not size:
            return np.zeros((0, int(self._s.words)), "<u8")
        view = np.frombuffer(ffi.buffer(self._s.bits, size), "<u8")
        view = view.reshape(self.count, int(self._s.words))
        view.flags.writeable = False
        return _Kept(view, self)

    @property
    def address(self) -> int:
        """Where the library keeps the words: that of the array `words`."""
        return int(ffi.cast("uintptr_t", self._s.bits))

    @property
    def array(self) -> np.ndarray:
        """The solutions as count x N values of the weights, unpacked now;
        `s[k]` and `s[i:j]` unpack only those rows."""
        return self._unpacked(self.words)

    def __getitem__(self, which: Any) -> np.ndarray:
        words = np.asarray(self.words)[which]
        rows = self._unpacked(words.reshape(-1, int(self._s.words)))
        return rows[0] if words.ndim == 1 else rows

    def __iter__(self) -> Iterator[np.ndarray]:
        for k in range(self.count):
            yield self[k]

    def _unpacked(self, words: np.ndarray) -> np.ndarray:
        bits = unpack_bits(np.asarray(words), int(self._s.columns))
        if len(self.columns) != self.n:  # some weights were fixed
            fixed = copied(self._s.fixed, self.n, np.int8)
            whole = np.tile(np.maximum(fixed, 0).astype(np.uint8),
                            (len(bits), 1))
            whole[:, self.columns] = bits
            bits = whole
        if self.problem.weights == "pm":
            return 2 * bits.astype(np.int8) - 1
        return bits

    def sample(self, k: int, seed: int = 1) -> np.ndarray:
        """k solutions drawn uniformly, with replacement, from all of them,
        also when the list is not complete; as `bperc enumerate --sample`."""
        return self.problem.sample(k, seed, fix=self.fix)

    # ---- measures

    @property
    def entropy(self) -> float:
        """log(count) / N."""
        return math.log(self.count) / self.n if self.count else -math.inf

    def _moments(self, correlations: Any = ffi.NULL) -> Any:
        out = ffi.new("bperc_moments *")
        check(lib.bperc_solutions_moments(self._s, out, ffi.NULL,
                                          correlations))
        return out

    def moments(self) -> Moments:
        """Entropy and mean correlations."""
        out = self._moments()
        return Moments(out.log_count, out.entropy, out.xcorr_mean,
                       out.xcorr_mean_square)

    def marginals(self) -> np.ndarray:
        """P(bit of weight i is 1), for all N weights.

        >>> s = bperc.Problem([[1, 1, 1]], [1], threshold=1.5).solutions()
        >>> s.marginals()
        array([0.75, 0.75, 0.75])
        """
        ones = np.zeros(int(self._s.columns) + 1, np.uint64)
        lib.bperc_solutions_ones(self._s, ffi.from_buffer("uint64_t[]", ones))
        out = copied(self._s.fixed, self.n, np.int8).astype(float)
        out[self.columns] = ones[:-1] / self.count if self.count else np.nan
        return out

    def correlations(self) -> np.ndarray:
        """c_ij = <b_i b_j> - <b_i><b_j> of the bits that are not fixed
        (`columns`)."""
        k = int(self._s.columns)
        out = np.zeros((k, k))
        self._moments(ffi.from_buffer("double[]", out) if k else ffi.NULL)
        return out

    def clusters(self, flips: int = 1, *, timeout: float | None = None,
                 cancel: Cancel | None = None) -> Clusters:
        """Connected components under flips of one weight, or of up to two.

        >>> p = bperc.Problem.random(25, m=9, fin=0.3, a=12, seed=3)
        >>> p.solutions().clusters()
        <Clusters 7, largest 3124, x* = 0.0251>
        """
        out = ffi.new("bperc_clusters **")
        with control(timeout, cancel) as guard:
            status = lib.bperc_clusters_within(self._s, flips, out)
        guard.check(status)
        return Clusters(ffi.gc(out[0], lib.bperc_clusters_free), self,
                        flips)

    def near(self, d: int, *, timeout: float | None = None,
             cancel: Cancel | None = None) -> np.ndarray:
        """near(d)[k, e]: solutions at distance e <= d from solution k.

        >>> s = bperc.Problem([[1, 1, 1]], [1], threshold=1.5).solutions()
        >>> s.near(2).tolist()
        [[1, 1, 2], [1, 1, 2], [1, 1, 2], [1, 3, 0]]
        """
        out = np.zeros((self.count, whole("d", d, 0) + 1), np.uint32)
        if not self.count:
            return out
        with control(timeout, cancel) as guard:
            status = lib.bperc_solutions_near(
                self._s, d, lib.BPERC_NEAR_CHOOSE,
                ffi.from_buffer("uint32_t[]", out))
        guard.check(status)
        return out

    def around(self, w: Any, d: int) -> np.ndarray:
        """Solutions at distance 0, 1, ..., d from any configuration w."""
        out = np.zeros(whole("d", d, 0) + 1, np.uint64)
        lib.bperc_solutions_around(self._s, self.problem._bits_in(w), d,
                                   ffi.from_buffer("uint64_t[]", out))
        return out

    def local_entropy(self, d: int) -> np.ndarray:
        """Mean over solutions of (1/N) log(solutions at distance e), for
        e = 1, ..., d; 0 counts where there are none."""
        near = self.near(d)
        out = np.full(d + 1, np.nan)
        if self.count:
            lib.bperc_near_entropy(ffi.from_buffer("uint32_t[]", near), d,
                                   self.n, ffi.NULL, self.count,
                                   ffi.from_buffer("double[]", out))
        return out[:-1]

    def histogram(self, *, timeout: float | None = None,
                  cancel: Cancel | None = None) -> np.ndarray:
        """Unordered pairs of solutions by Hamming distance 0, 1, ..."""
        out = np.zeros(int(self._s.columns) + 1, np.uint64)
        with control(timeout, cancel) as guard:
            status = lib.bperc_solutions_distances(
                self._s, lib.BPERC_NEAR_CHOOSE,
                ffi.from_buffer("uint64_t[]", out))
        guard.check(status)
        return out

    def embed(self, *, seed: int = 1, threads: int = 0,
              timeout: float | None = None, cancel: Cancel | None = None,
              **more: Any) -> Map:
        """A map of the solutions (at most `points`) in the plane whose
        distances are as near as possible to Hamming distances (Sammon)."""
        error, out = ffi.new("bperc_error *"), ffi.new("bperc_embedding **")
        values = options(lib.bperc_embed_option_table(),
                         ffi.new("bperc_embed_options *"), more)
        how = ffi.new("bperc_space_options *",
                      {"seed": seed_of(seed), "threads": threads_of(threads)})
        with control(timeout, cancel) as guard:
            status = lib.bperc_embed(self._s, values, how, out, error)
        guard.check(status, error)
        e = ffi.gc(out[0], lib.bperc_embedding_free)
        k = int(e.count)
        return Map(copied(e.solution, k, np.uint32), copied(e.x, k, float),
                   copied(e.y, k, float), e.stress)


class _Kept(np.ndarray):
    """A view that keeps the owner of its memory alive."""

    _owner: Any

    def __new__(cls, view: np.ndarray, owner: Any) -> "_Kept":
        out = view.view(cls)
        out._owner = owner
        return out

    def __array_finalize__(self, other: Any) -> None:
        self._owner = getattr(other, "_owner", None)


# ---- exact decimation

_NUMBERS = ("fixed", "clusters", "largest")
_REALS = ("log_count", "entropy", "xcorr_mean", "xcorr_mean_square",
          "parisi_x", "q_same", "q_diff", "k_index")
_MEASURES = [*((name, np.int64) for name in _NUMBERS),
             *((name, np.float64) for name in _REALS),
             ("local_entropy", np.float64, 3)]


def _along(space: SolutionSpace, order: Any, timeout: float | None,
           cancel: Cancel | None) -> np.ndarray:
    """Exact measures with 0, 1, ... weights of an order fixed."""
    steps = ffi.new("bperc_exact_step[]", order.fixed + 1)
    error = ffi.new("bperc_error *")
    with control(timeout, cancel) as guard:
        status = lib.bperc_exact_along(space._s, lib.BPERC_ALONG_FULL, order,
                                       0, steps, error)
    guard.check(status, error)
    out = np.zeros(order.fixed + 1, dtype=_MEASURES)
    for k, step in enumerate(steps):
        for name in _NUMBERS + _REALS:
            out[name][k] = getattr(step, name)
        out["local_entropy"][k] = list(step.local_entropy)
    return out


def decimate_exactly(problem: "Problem", seed: int | None, threads: int,
                     timeout: float | None, cancel: Cancel | None,
                     more: dict[str, Any]) -> Decimation:
    """Decimation by exact marginals, with exact measures of every step; in
    random order with a seed."""
    space = problem.solutions(threads=threads, timeout=timeout, cancel=cancel,
                              **more)
    if not space.complete:
        raise BpercError(f"more than {space.count} solutions: too many to "
                         "list")
    order, error = ffi.new("bperc_order *"), ffi.new("bperc_error *")
    drawn = ffi.NULL if seed is None else ffi.new("uint64_t *", seed)
    try:
        with control(timeout, cancel) as guard:
            status = lib.bperc_decimate_exactly(problem._in, space._s, drawn,
                                                order, error)
        guard.check(status, error)
        return Decimation(
            order.outcome == lib.BPERC_SOLVED,
            copied(order.weight, order.fixed, np.uint32).astype(int),
            copied(order.value, order.fixed, np.uint8).astype(int),
            copied(order.log_count, order.fixed + 1, float),
            _along(space, order, timeout, cancel))
    finally:
        lib.bperc_order_clear(order)
