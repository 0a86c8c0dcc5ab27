"""A small checker of proofs in the format of VeriPB 3.0, as far as bperc writes them.

    proof_checker.py FORMULA.opb PROOF.pbp

Written from the description of the format, shares nothing with the library. A
constraint is a dict literal -> factor > 0 and a degree; a literal is +v or -v.
`check` returns what is concluded ("UNSAT" or ("BOUNDS", value)) and raises Wrong
for the first line that does not follow.
"""
import re
import sys


class Wrong(Exception):
    pass


def normal(terms, degree):
    """At most one literal of each variable, factors above 0."""
    found = {}
    for factor, literal in terms:
        if factor < 0:  # a x = a - a (not x)
            factor, literal, degree = -factor, -literal, degree - factor
        if factor == 0:
            continue
        other = min(found.get(-literal, 0), factor)
        found[-literal] = found.get(-literal, 0) - other
        found[literal] = found.get(literal, 0) + factor - other
        degree -= other
    return {l: a for l, a in found.items() if a > 0}, degree


def literal_of(word):
    match = re.fullmatch(r"(~?)x([1-9]\d*)", word)
    if not match:
        raise Wrong(f"no literal: {word}")
    return -int(match[2]) if match[1] else int(match[2])


def parse_terms(words):
    if len(words) % 2:
        raise Wrong("a factor without a literal")
    return [(int(a), literal_of(x)) for a, x in zip(words[::2], words[1::2])]


def parse_constraint(text):
    left, sign, right = text.partition(">=")
    if not sign:
        raise Wrong(f"no constraint: {text}")
    return normal(parse_terms(left.split()), int(right))


def read_formula(text):
    objective, rows = None, []
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("*"):
            continue
        if not line.endswith(";"):
            raise Wrong(f"no end of line: {line}")
        line = line[:-1]
        if line.startswith("min:"):
            objective = parse_terms(line[4:].split())
        else:
            rows.append(parse_constraint(line))
    return objective, rows


def add(x, y):
    terms = [(a, l) for l, a in x[0].items()] + [(a, l) for l, a in y[0].items()]
    return normal(terms, x[1] + y[1])


def saturate(x):
    if x[1] <= 0:
        return {}, 0
    return {l: min(a, x[1]) for l, a in x[0].items()}, x[1]


def divide(x, by):
    return {l: -(-a // by) for l, a in x[0].items()}, -(-x[1] // by)


class Checker:
    def __init__(self, formula):
        self.objective, rows = read_formula(formula)
        self.rows = {k + 1: row for k, row in enumerate(rows)}
        self.count = len(rows)
        self.last = len(rows)
        self.best = None
        self.end = None

    def row(self, word):
        if not re.fullmatch(r"[1-9]\d*", word) or int(word) not in self.rows:
            raise Wrong(f"no constraint {word}")
        return self.rows[int(word)]

    def keep(self, row):
        self.last += 1
        self.rows[self.last] = row

    def pol(self, words):
        stack = []
        for k, word in enumerate(words):
            if word == "+":
                stack.append(add(stack.pop(), stack.pop()))
            elif word == "s":
                stack.append(saturate(stack.pop()))
            elif word in ("*", "d"):
                by, x = stack.pop(), stack.pop()
                if not isinstance(by, int) or by <= 0 or isinstance(x, int):
                    raise Wrong(f"{word} by {by}")
                stack.append(divide(x, by) if word == "d" else
                             ({l: a * by for l, a in x[0].items()}, x[1] * by))
            elif "x" in word:
                stack.append(({literal_of(word): 1}, 0))
            elif k + 1 < len(words) and words[k + 1] in ("*", "d"):
                stack.append(int(word))
            else:
                stack.append(self.row(word))
        if len(stack) != 1 or isinstance(stack[0], int):
            raise Wrong("a derivation leaves more than one constraint")
        self.keep(stack[0])

    def propagates_to_conflict(self, extra):
        """Unit propagation over all constraints and `extra`."""
        rows, true = list(self.rows.values()) + [extra], set()
        changed = True
        while changed:
            changed = False
            for terms, degree in rows:
                slack = sum(a for l, a in terms.items() if -l not in true) - degree
                if slack < 0:
                    return True
                for l, a in terms.items():
                    if a > slack and l not in true and -l not in true:
                        true.add(l)
                        changed = True
        return False

    def rup(self, text):
        terms, degree = parse_constraint(text)
        # not (sum >= d): the sum of negated literals >= total - d + 1
        negated = ({-l: a for l, a in terms.items()},
                   sum(terms.values()) - degree + 1)
        if not self.propagates_to_conflict(negated):
            raise Wrong(f"no unit propagation to a conflict: {text}")
        self.keep((terms, degree))

    def soli(self, words):
        true = {literal_of(w) for w in words}
        if self.objective is None or any(-l in true for l in true):
            raise Wrong("a solution without an objective, or a contradiction in it")
        for terms, degree in self.rows.values():
            if any(l not in true and -l not in true for l in terms):
                raise Wrong("a variable has no value")
            if sum(a for l, a in terms.items() if l in true) < degree:
                raise Wrong("the solution violates a constraint")
        if any(l not in true and -l not in true for _, l in self.objective):
            raise Wrong("a variable of the objective has no value")
        value = sum(a for a, l in self.objective if l in true)
        if self.best is None or value < self.best:
            self.best = value
        self.keep(normal([(-a, l) for a, l in self.objective], 1 - value))

    def conclude(self, words):
        if words == ["NONE"]:
            self.end = "NONE"
        elif len(words) == 3 and words[:2] == ["UNSAT", ":"]:
            self.contradiction(words[2])
            if self.best is not None:
                raise Wrong("UNSAT after a solution")
            self.end = "UNSAT"
        elif len(words) == 5 and words[0] == "BOUNDS" and words[2] == ":":
            self.contradiction(words[3])
            if int(words[1]) != int(words[4]) or int(words[4]) != self.best:
                raise Wrong(f"bounds {words[1]} {words[4]}, best {self.best}")
            self.end = ("BOUNDS", self.best)
        else:
            raise Wrong("conclusion " + " ".join(words))

    def contradiction(self, word):
        terms, degree = self.row(word)
        if sum(terms.values()) >= degree:
            raise Wrong(f"constraint {word} is no contradiction")

    def line(self, text):
        rule, _, rest = text.partition(" ")
        words = rest.split()
        if rule == "pol":
            self.pol(words)
        elif rule == "rup":
            self.rup(rest)
        elif rule == "soli":
            self.soli(words)
        elif rule == "del" and len(words) == 2 and words[0] == "id":
            self.row(words[1])
            if int(words[1]) <= self.count:
                raise Wrong("a constraint of the problem is deleted")
            del self.rows[int(words[1])]
        elif rule == "f" and words == [str(self.count)]:
            pass
        elif text in ("output NONE", "end pseudo-Boolean proof"):
            pass
        elif rule == "conclusion":
            self.conclude(words)
        else:
            raise Wrong(f"unknown: {text}")


def check(formula, proof):
    checker = Checker(formula)
    lines = proof.splitlines()
    if not lines or lines[0] != "pseudo-Boolean proof version 3.0":
        raise Wrong("no head")
    if lines[-1] != "end pseudo-Boolean proof ;":
        raise Wrong("no end")
    for number, line in enumerate(lines[1:], 2):
        if not line.endswith(" ;"):
            raise Wrong(f"line {number}: no end")
        if checker.end and line != "end pseudo-Boolean proof ;":
            raise Wrong(f"line {number}: after the conclusion")
        try:
            checker.line(line[:-2])
        except (Wrong, IndexError, ValueError, TypeError) as wrong:
            raise Wrong(f"line {number}: {wrong}")
    return checker.end


if __name__ == "__main__":
    with open(sys.argv[1]) as formula, open(sys.argv[2]) as proof:
        print(check(formula.read(), proof.read()))
