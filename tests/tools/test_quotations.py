"""Quotations are found by letters and digits, and what is changed is not found."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
PATH = str(pathlib.Path(__file__).resolve().parents[2] / "tools/quotations")
LOADER = importlib.machinery.SourceFileLoader("quotations", PATH)
SPEC = importlib.util.spec_from_loader("quotations", LOADER)
tool = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(tool)

PAPER = r"""We found $t_{i}^{\text{fix}}\approx0$ for early
weights \cite{A1} (\textbf{Fig.\ref{fig:a}b}); % a comment
and it is large, when $N\rightarrow\infty$, for late ones."""


class Quotations(unittest.TestCase):
    def found(self, quotation):
        span = tool.find_span(quotation, tool.letters(PAPER)[0])
        return span is not None

    def test_finds_words_and_formulas(self):
        self.assertTrue(self.found("t_i^fix ~ 0 for early weights"))
        self.assertTrue(self.found("for early weights ... and it is large"))
        self.assertTrue(self.found("and it is large, when N -> infinity, for"))
        self.assertTrue(self.found("[t_fix] is large"))

    def test_does_not_find_what_is_not_there(self):
        self.assertFalse(self.found("t_i^fix ~ 1 for early weights"))
        self.assertFalse(self.found("and it is large ... for early weights"))
        self.assertFalse(self.found("a comment"))
        self.assertFalse(self.found("A1"))

    def test_excerpts_of_the_repository_are_short(self):
        kept = tool.excerpts()
        self.assertGreater(len(kept), 60)
        self.assertLess(max(map(len, kept.values())), tool.LONGEST)


if __name__ == "__main__":
    unittest.main()
