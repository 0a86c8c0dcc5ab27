"""The exact solution space."""
from __future__ import annotations

import math

import numpy as np

from ._core import BpercError, check, control, ffi, lib, options, unpack_bits


class Clusters:
    """Solutions connected by flips of single weights.

    of : the cluster of each solution; sizes : descending.
    parisi_x, q_same, q_diff : x*, overlaps inside and between clusters.
    """

    def __init__(self, c, solutions: int):
        self.count = int(c.count)
        self.of = np.frombuffer(ffi.buffer(c.of, 4 * solutions),
                                np.uint32).copy() if solutions else \
            np.zeros(0, np.uint32)
        self.sizes = np.frombuffer(ffi.buffer(c.size, 4 * self.count),
                                   np.uint32).copy() if self.count else \
            np.zeros(0, np.uint32)
        self.parisi_x, self.q_same, self.q_diff = (c.parisi_x, c.q_same,
                                                   c.q_diff)

    def __repr__(self) -> str:
        largest = int(self.sizes[0]) if self.count else 0
        return (f"<Clusters {self.count}, largest {largest}, x* = "
                f"{self.parisi_x:.4g}>")


class SolutionSpace:
    """All solutions of a problem, in ascending order of their words.

    >>> import bperc
    >>> s = bperc.Problem([[1, 1, 1]], [1], threshold=1.5).solutions()
    >>> len(s), s.array.tolist()
    (4, [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    """

    def __init__(self, problem, limit, threads, timeout):
        error, out = ffi.new("bperc_error *"), ffi.new("bperc_solutions **")
        values = options(lib.bperc_exact_option_table(),
                         ffi.new("bperc_exact_options *"),
                         {} if limit is None else {"limit": int(limit)})
        with control(timeout) as flag:
            status = lib.bperc_exact_list(problem._in, ffi.NULL, values,
                                          threads, ffi.NULL, out, error)
        check(status, error, flag)
        self.problem = problem
        s = out[0]
        self._s = ffi.gc(s, lib.bperc_solutions_free,
                         8 * int(s.count) * int(s.words))

    count = property(lambda self: int(self._s.count),
                     doc="number of solutions listed")
    complete = property(lambda self: bool(self._s.complete),
                        doc="False: a limit was reached, there are more")
    n = property(lambda self: int(self._s.n))

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        more = "" if self.complete else ", not complete"
        return f"<SolutionSpace {self.count} solutions of {self.n} weights" \
            f"{more}>"

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
    def array(self) -> np.ndarray:
        """The solutions as count x N values of the weights."""
        return self._values(self.words)

    def _values(self, words) -> np.ndarray:
        bits = unpack_bits(np.asarray(words), int(self._s.columns))
        if int(self._s.columns) != self.n:  # some weights were fixed
            columns = np.frombuffer(ffi.buffer(
                self._s.column, 4 * int(self._s.columns)), np.uint32)
            fixed = np.frombuffer(ffi.buffer(self._s.fixed, self.n), np.int8)
            whole = np.tile(np.maximum(fixed, 0).astype(np.uint8),
                            (len(bits), 1))
            whole[:, columns] = bits
            bits = whole
        if self.problem.weights == "pm":
            return 2 * bits.astype(np.int8) - 1
        return bits

    @property
    def entropy(self) -> float:
        """log(count) / N."""
        return math.log(self.count) / self.n if self.count else -math.inf

    def marginals(self) -> np.ndarray:
        """P(bit of weight i is 1)."""
        ones = np.zeros(int(self._s.columns), np.uint64)
        lib.bperc_solutions_ones(self._s, ffi.from_buffer("uint64_t[]", ones))
        return ones / self.count if self.count else np.full(len(ones), np.nan)

    def correlations(self) -> np.ndarray:
        """c_ij = <b_i b_j> - <b_i><b_j>, columns x columns."""
        k = int(self._s.columns)
        out, moments = np.zeros((k, k)), ffi.new("bperc_moments *")
        check(lib.bperc_solutions_moments(self._s, moments, ffi.NULL,
                                          ffi.from_buffer("double[]", out)))
        return out

    def clusters(self) -> Clusters:
        """Connected components under flips of single weights."""
        out = ffi.new("bperc_clusters **")
        with control() as flag:
            status = lib.bperc_clusters_new(self._s, out)
        check(status, None, flag)
        found = ffi.gc(out[0], lib.bperc_clusters_free)
        return Clusters(found, self.count)

    def near(self, d: int) -> np.ndarray:
        """near(d)[k, e]: solutions at distance e <= d from solution k."""
        out = np.zeros((self.count, d + 1), np.uint32)
        with control() as flag:
            status = lib.bperc_solutions_near(
                self._s, d, lib.BPERC_NEAR_CHOOSE,
                ffi.from_buffer("uint32_t[]", out))
        check(status, None, flag)
        return out

    def histogram(self) -> np.ndarray:
        """Unordered pairs of solutions by Hamming distance."""
        out = np.zeros(int(self._s.columns) + 1, np.uint64)
        with control() as flag:
            status = lib.bperc_solutions_distances(
                self._s, lib.BPERC_NEAR_CHOOSE,
                ffi.from_buffer("uint64_t[]", out))
        check(status, None, flag)
        return out

    def embed(self, *, seed: int = 1, threads: int = 0,
              timeout: float | None = None, **more):
        """A Sammon map: (which solutions, x, y)."""
        error, out = ffi.new("bperc_error *"), ffi.new("bperc_embedding **")
        values = options(lib.bperc_embed_option_table(),
                         ffi.new("bperc_embed_options *"), more)
        with control(timeout) as flag:
            status = lib.bperc_embed(self._s, values, seed, threads, out,
                                     error)
        check(status, error, flag)
        e = ffi.gc(out[0], lib.bperc_embedding_free)
        k = int(e.count)
        return (np.frombuffer(ffi.buffer(e.solution, 4 * k),
                              np.uint32).copy(),
                np.frombuffer(ffi.buffer(e.x, 8 * k)).copy(),
                np.frombuffer(ffi.buffer(e.y, 8 * k)).copy())

    def sample(self, k: int, seed: int = 1) -> np.ndarray:
        """k solutions drawn uniformly, with replacement."""
        if not self.count:
            raise BpercError("there is no solution to draw")
        if not self.complete:
            raise BpercError("the list is not complete: a sample of it would "
                             "not be uniform")
        rng = np.random.default_rng(seed)
        return self._values(self.words[rng.integers(0, self.count, k)])


class _Kept(np.ndarray):
    """A view that keeps the owner of its memory alive."""

    def __new__(cls, view, owner):
        out = view.view(cls)
        out._owner = owner
        return out

    def __array_finalize__(self, other):
        self._owner = getattr(other, "_owner", None)
