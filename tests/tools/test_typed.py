"""What must not compile does not: a solver is no decimation, a decimation
that is only read is not stepped."""
import os
import pathlib
import shlex
import subprocess
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = """
#include <bperc/bperc.h>
int main(void) {
  bperc_solver *s = 0;
  const bperc_solver *seen = s;
  const bperc_bpd *bpd = bperc_bpd_of(s);
  size_t count;
  %s
  return bpd != 0 && seen != 0;
}
"""
#: Statements and whether they are right.
STATEMENTS = [
    ("bperc_solver_step(s); bperc_bpd_order(bpd);", True),
    ("bperc_bpd_records(bperc_bpd_of(seen), &count);", True),
    ("bperc_bpd_order(s);", False),
    ("bperc_bpd_records(seen, &count);", False),
    ("bperc_bpd_gave_up(s);", False),
    ("bperc_bpd_engine(s);", False),
    ("bperc_bpd_entropies(s);", False),
    ("bperc_solver_step(bpd);", False),
    ("bperc_solver_step(seen);", False),
    ("bperc_solver_free(bpd);", False),
    ("bperc_solver_adopt(s, bpd);", False),
]


def compiles(statement, command, language):
    """What the compiler says about it, or None when it is fine."""
    done = subprocess.run(
        [*shlex.split(command), "-x", language, "-pedantic-errors",
         "-fsyntax-only", "-I", str(TOP / "include"), "-"],
        input=PROGRAM % statement, text=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    return done.stderr if done.returncode else None


class Types(unittest.TestCase):
    def check_language(self, command, language, *words):
        for statement, right in STATEMENTS:
            said = compiles(statement, command, language)
            if right:
                self.assertIsNone(said, statement)
            else:
                self.assertIsNotNone(said, statement)
                self.assertRegex(said, "|".join(words))

    def test_c(self):
        self.check_language(os.environ.get("CC", "cc"), "c",
                            "incompatible pointer", "discards")

    def test_c_plus_plus(self):
        self.check_language(os.environ.get("CXX", "c++"), "c++",
                            "cannot convert", "invalid conversion",
                            "no matching function")


if __name__ == "__main__":
    unittest.main()
