"""Problems: where they come from, what they are, how they are written."""
from __future__ import annotations

import os
from typing import Any, Iterable, TypeVar

import numpy as np

from ._core import (BpercError, check, choice, copied, encoded, encoded_path,
                    ffi, html_table, lib, pack_bits, seed_of, small_numbers,
                    unpack_bits, whole)

TIES = ("zero", "strict", "either")
WEIGHTS = ("01", "pm")
INPUTS = ("01", "pm")
FORMATS = ("text", "svmlight", "hdf5", "opb", "lp")

Self = TypeVar("Self", bound="Instance")


def _ensemble(n: int, m: int, alpha: float | None, fin: float | None,
              inputs: str, fout: float, teacher: bool, noise: float,
              **groups: int) -> Any:
    """The struct of random problems, without its model."""
    if (alpha is None) == (m < 0):
        raise BpercError("give alpha or m, one of the two")
    if inputs == "01" and fin is None:
        raise BpercError("inputs 0/1 need fin, the probability of a 1")
    used = [name for name, count in groups.items() if count]
    if len(used) > 1:
        raise BpercError(f"give one of {', '.join(groups)}")
    if noise and not used:
        raise BpercError(f"noise needs one of {', '.join(groups)}")
    if not 0 < fout < 1:
        raise BpercError(f"fout must lie between 0 and 1, not at {fout:g}")
    out = ffi.new("bperc_ensemble *")
    out.n, out.m = n, round(alpha * n) if alpha is not None else m
    out.fin = 0.5 if fin is None else fin
    out.fout, out.teacher, out.noise = fout, teacher, noise
    if used:
        out.structure = getattr(lib, "BPERC_PATTERNS_" + used[0].upper())
        out.groups = groups[used[0]]
    return out


def _listed(words: Any) -> str:
    """A word or several as the program takes them; "" for none."""
    if words is None:
        return ""
    if isinstance(words, (str, int, float, np.number)):
        return str(words)
    return ",".join(str(word) for word in words)


def _rebuilt(kind: Any, n: int, m: int, model: bytes, patterns: np.ndarray,
             support: np.ndarray | None, labels: np.ndarray,
             drawn: Any) -> Any:
    """The problem that `Instance.__reduce__` took to pieces."""
    said = ffi.new("bperc_model *")
    ffi.buffer(said)[:] = model
    out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
    check(lib.bperc_instance_new(n, m, said, out, error), error)
    self = kind._from(out[0])
    for pointer, values in ((out[0].patterns, patterns),
                            (out[0].support, support),
                            (out[0].labels, labels)):
        if values is not None and values.nbytes:
            ffi.memmove(pointer, ffi.from_buffer(values), values.nbytes)
    lib.bperc_instance_update_bounds(out[0])
    if drawn is not None:
        e = ffi.new("bperc_ensemble *")
        ffi.buffer(e)[:] = drawn[0]
        self._drawn = (e, drawn[1])
    return self


class Instance:
    """Patterns with labels and a threshold; see `Problem`."""

    _drawn: tuple[Any, int] | None = None  # ensemble and seed

    def __init__(self, X: Any, y: Any, a: float | None = None,
                 threshold: float | None = None, weights: str = "01",
                 ties: str = "zero", kappa: float = 0.0, band: float = 0.0):
        inputs = small_numbers(X, "inputs must be 0/1 or -1/0/+1")
        labels = small_numbers(y, "labels must be 0/1 or -1/+1")
        if inputs.ndim != 2 or labels.shape != (inputs.shape[0],):
            raise BpercError("X must be M x N and y have M labels")
        model = self._model(a, threshold, weights, ties, kappa, band=band)
        where = ffi.new("bperc_bytes *")
        where.values = ffi.from_buffer("int8_t[]", inputs) if inputs.size \
            else ffi.NULL
        where.row, where.step = inputs.strides
        out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
        if len(labels):
            where.labels = ffi.from_buffer("int8_t[]", labels)
        check(lib.bperc_instance_from_bytes(
            inputs.shape[1], inputs.shape[0], where, model, out, error), error)
        self._take(out[0])

    @staticmethod
    def _model(a: float | None, threshold: float | None, weights: str,
               ties: str, kappa: float, inputs: str = "01",
               band: float = 0.0) -> Any:
        if inputs == "pm" and a is None and threshold is None:
            threshold = 0.0
        if (a is None) == (threshold is None):
            raise BpercError("give a or threshold, one of the two")
        if a is not None and not a > 0:
            raise BpercError(f"a must be a positive number, not {a:g}")
        model = ffi.new("bperc_model *")
        model.a = 0 if a is None else float(a)
        model.theta = 0 if threshold is None else float(threshold)
        model.kappa = float(kappa)
        model.band = float(band)
        model.ties = choice("ties", ties, TIES)
        model.weights = choice("weights", weights, WEIGHTS)
        model.inputs = choice("inputs", inputs, INPUTS)
        return model

    def _take(self, inst: Any) -> None:
        self._in = ffi.gc(inst, lib.bperc_instance_free,
                          8 * int(inst.m) * int(inst.words))

    @classmethod
    def _from(cls: type[Self], inst: Any) -> Self:
        self = cls.__new__(cls)
        self._take(inst)
        return self

    @classmethod
    def random(cls: type[Self], n: int, alpha: float | None = None,
               m: int | None = None, fin: float | None = None,
               a: float | None = None, *, threshold: float | None = None,
               kappa: float = 0.0, ties: str = "zero", weights: str = "01",
               inputs: str = "01", fout: float | None = None,
               teacher: bool = False, band: float = 0.0,
               copies: int = 0, prototypes: int = 0, source: int = 0,
               noise: float = 0.0, seed: int = 1) -> Self:
        """A random problem: the same bits as `bperc generate` with options of
        the same names.

        n, and m or alpha = m/n : weights and patterns.
        fin : probability of an input 1; fout : of a label 1 (1/2, with a band
            and without a teacher 1).
        band : label 1 wants |sum - threshold| <= band, label 0 more.
        a : threshold n/a, or threshold itself (0 for inputs "pm").
        teacher : labels are the outputs of planted weights, `p.teacher`.
        copies, prototypes, source : patterns that resemble each other, with
            noise, the probability of an input to be drawn again.

        >>> bperc.Problem.random(480, alpha=0.2, fin=0.3, a=40)
        <Problem N = 480, M = 96, threshold 12, weights 01, ties zero>
        >>> p = bperc.Problem.random(101, alpha=0.5, weights="pm", inputs="pm",
        ...                          teacher=True)
        >>> p.check(p.teacher).satisfied
        True
        """
        if fout is None:
            fout = 1.0 if band > 0 and not teacher else 0.5
        if band > 0 and not 0 <= fout <= 1:
            raise BpercError(f"fout must lie between 0 and 1, not at {fout:g}")
        e = _ensemble(n, -1 if m is None else m, alpha, fin, inputs,
                      0.5 if band > 0 else fout,
                      teacher, noise, copies=copies, prototypes=prototypes,
                      source=source)
        e.fout = max(fout, 1e-300)
        e.model = cls._model(a, threshold, weights, ties, kappa, inputs,
                             band)[0]
        error, out = ffi.new("bperc_error *"), ffi.new("bperc_instance **")
        check(lib.bperc_ensemble_check(e, error), error)
        seed = seed_of(seed)
        check(lib.bperc_ensemble_draw(e, seed, out, error), error)
        self = cls._from(out[0])
        self._drawn = (e, seed)
        return self

    @property
    def teacher(self) -> np.ndarray | None:
        """The planted weights of `random(..., teacher=True)`, else None."""
        if self._drawn is None or not self._drawn[0].teacher:
            return None
        out, error = ffi.new("uint64_t **"), ffi.new("bperc_error *")
        check(lib.bperc_ensemble_teacher(*self._drawn, out, error), error)
        try:
            return self._bits_out(out[0])
        finally:
            lib.bperc_free(out[0])

    def fresh(self: Self, m: int | None = None) -> Self:
        """Further patterns of the same teacher, m of them or as many as here:
        none of them is in a problem of this seed.

        >>> p = bperc.Problem.random(101, alpha=0.5, inputs="pm", weights="pm",
        ...                          teacher=True)
        >>> p.fresh(1000).check(p.teacher).errors
        0
        """
        if self.teacher is None or self._drawn is None:
            raise BpercError("only a random problem with a teacher has more "
                             "patterns")
        e = ffi.new("bperc_ensemble *", self._drawn[0][0])
        e.m = e.m if m is None else whole("m", m, 0)
        out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
        check(lib.bperc_ensemble_test(e, self._drawn[1], out, error), error)
        return self._from(out[0])

    @classmethod
    def read(cls: type[Self], path: str | os.PathLike[str], *,
             ties: str = "zero", a: float | None = None,
             threshold: float | None = None, kappa: float | None = None,
             band: float | None = None,
             weights: str | None = None, n: int = 0,
             label: str | int | None = None,
             positive: Any = None, binarise: str | float | None = None,
             binarize: str | float | None = None, drop: Iterable[str | int] = (), complement: bool = False) -> Self:
        """Reads a text, svmlight or HDF5 file, or a table (CSV, TSV, .npy,
        svmlight with values), in the way of the program. What is given here
        stands instead of what the file says; tables and svmlight files of
        other programs need a or threshold, the latter n when wider than their
        largest index.

        Of a table: label, the column of the labels by name or number from 1;
        positive, a label or a list of those that count as 1; binarise, how
        numbers become inputs ("median", "mean", a number, "levels=K"); drop,
        columns that are not used. binarize is another spelling. complement adds the negation of every
        input."""
        if a is not None and threshold is not None:
            raise BpercError("give a or threshold, not both")
        how = ffi.new("bperc_read_options *")
        how.ties, how.n = choice("ties", ties, TIES), n
        for value, bit, name in ((a, lib.BPERC_GIVEN_A, "a"),
                                 (threshold, lib.BPERC_GIVEN_THRESHOLD,
                                  "threshold"),
                                 (kappa, lib.BPERC_GIVEN_KAPPA, "kappa"),
                                 (band, lib.BPERC_GIVEN_BAND, "band")):
            if value is not None:
                how.given |= bit
                setattr(how, name, float(value))
        if weights is not None:
            how.given |= lib.BPERC_GIVEN_WEIGHTS
            how.weights = choice("weights", weights, WEIGHTS)
        if binarise is not None and binarize is not None:
            raise BpercError("give binarise or binarize, not both")
        binarise = binarize if binarise is None else binarise
        rules, kept = ffi.new("bperc_data_options *"), []
        for name, words in (("label", label), ("positive", positive),
                            ("binarise", binarise), ("drop", drop)):
            said = _listed(words)
            if said:
                kept.append(ffi.new("char[]", encoded(said)))
                setattr(rules, name, kept[-1])
        rules.complement = complement
        out, error = ffi.new("bperc_instance **"), ffi.new("bperc_error *")
        check(lib.bperc_data_read(encoded_path(path), rules, how, ffi.NULL, out,
                                  error), error)
        return cls._from(out[0])

    def write(self, path: str | os.PathLike[str],
              format: str = "text") -> None:
        """Writes text, svmlight, hdf5, opb or lp."""
        error = ffi.new("bperc_error *")
        check(lib.bperc_instance_write(
            self._in, choice("format", format, FORMATS), encoded_path(path),
            error), error)

    # ---- copies, and the way to other processes

    def __reduce__(self) -> Any:
        inst, drawn = self._in, self._drawn
        rows = self.m * int(inst.words)
        signed = inst.support != ffi.NULL
        return _rebuilt, (
            type(self), self.n, self.m,
            bytes(ffi.buffer(ffi.new("bperc_model *",
                                     lib.bperc_instance_model(inst)))),
            copied(inst.patterns, rows, "<u8"),
            copied(inst.support, rows, "<u8") if signed else None, self.y,
            drawn and (bytes(ffi.buffer(drawn[0])), drawn[1]))

    # ---- what it is

    @property
    def n(self) -> int:
        """Number of weights."""
        return int(self._in.n)

    @property
    def m(self) -> int:
        """Number of patterns."""
        return int(self._in.m)

    @property
    def alpha(self) -> float:
        """Patterns per weight."""
        return self.m / self.n

    @property
    def threshold(self) -> float:
        """Label 1 wants sums above it."""
        return float(self._in.theta)

    @property
    def kappa(self) -> float:
        """Margin of stability."""
        return float(self._in.kappa)

    @property
    def band(self) -> float:
        """Label 1 wants |sum - threshold| up to it, label 0 more; 0: none."""
        return float(self._in.band)

    @property
    def ties(self) -> str:
        """What a sum on the threshold means."""
        return TIES[self._in.ties]

    @property
    def weights(self) -> str:
        """Values of a weight: "01", or "pm" for -1/+1."""
        return WEIGHTS[self._in.weights]

    def _rows(self, pointer: Any) -> np.ndarray:
        words = copied(pointer, self.m * int(self._in.words), "<u8")
        return unpack_bits(words.reshape(self.m, int(self._in.words)), self.n)

    @property
    def X(self) -> np.ndarray:
        """The inputs, M x N."""
        plus = self._rows(self._in.patterns)
        if self._in.inputs == lib.BPERC_INPUTS_01:
            return plus
        signed = 2 * plus.astype(np.int8) - 1
        if self._in.inputs == lib.BPERC_INPUTS_SIGNED:
            signed *= self._rows(self._in.support).astype(np.int8)
        return signed

    @property
    def y(self) -> np.ndarray:
        """The labels, 0/1."""
        return copied(self._in.labels, self.m, np.uint8)

    def __repr__(self) -> str:
        margin = f", kappa {self.kappa:g}" if self.kappa else \
            f", band {self.band:g}" if self.band else ""
        return (f"<Problem N = {self.n}, M = {self.m}, threshold "
                f"{self.threshold:g}{margin}, weights {self.weights}, ties "
                f"{self.ties}>")

    def _repr_html_(self) -> str:
        ones = int(self.y.sum())
        inputs = {lib.BPERC_INPUTS_01: "0, 1", lib.BPERC_INPUTS_PM: "-1, +1",
                  lib.BPERC_INPUTS_SIGNED: "-1, 0, +1"}[self._in.inputs]
        rows = {"weights": f"N = {self.n}, each "
                f"{'0 or 1' if self.weights == '01' else '-1 or +1'}",
                "patterns": f"M = {self.m}, \N{GREEK SMALL LETTER ALPHA} = "
                f"{self.alpha:.3g}, {ones} with label 1",
                "inputs": inputs,
                "threshold": f"{self.threshold:g}, ties: {self.ties}"}
        if self.kappa:
            rows["margin"] = f"\N{GREEK SMALL LETTER KAPPA} = {self.kappa:g}"
        if self.band:
            rows["band"] = f"label 1: |sum - threshold| up to {self.band:g}"
        return html_table("Binary perceptron problem", rows)

    # ---- weights in and out

    def _bits_in(self, w: Any) -> Any:
        low = 0 if self.weights == "01" else -1
        wrong = f"weights must be {low} or 1"
        w = small_numbers(w, wrong)
        if w.shape != (self.n,):
            raise BpercError(f"{self.n} weights are wanted, not an array of "
                             f"shape {w.shape}")
        if not ((w == low) | (w == 1)).all():
            raise BpercError(wrong)
        return ffi.from_buffer("uint64_t[]", pack_bits(w > 0))

    def _bits_out(self, pointer: Any) -> np.ndarray:
        words = copied(pointer, int(self._in.words), "<u8").reshape(1, -1)
        bits = unpack_bits(words, self.n)[0]
        return bits if self.weights == "01" else 2 * bits.astype(np.int8) - 1
