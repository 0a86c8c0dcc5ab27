"""A small experiment and its sweep; what the tests of sweeps share."""
import os

from harness import Case

PLAN = """title = A toy
[block curve]
measurement = toy
noise = 0.5
top = 2
work = {work}
x = 0:4:1
instances = {instances}
[derive top]
from = curve
rule = argmax
x = x
y = y
"""
CLAIMS = """[claim T1]
text = y has one maximum
expected = one maximum
test = maximum table=curve y=y x=x
[claim T2]
text = the line falls
expected = falls
test = trend table=curve y=line x=x direction=down
"""


def tables(folder):
    found = {}
    for base, _, files in os.walk(folder):
        for name in files:
            if name.endswith((".tsv", ".gp", ".html")):
                with open(os.path.join(base, name)) as f:
                    found[name] = f.read()
    return found


class SweepCase(Case):
    def experiment(self, work=1000, instances=10, claims=CLAIMS):
        folder = self.path("toy")
        os.makedirs(folder, exist_ok=True)
        self.path("toy/plan", PLAN.format(work=work, instances=instances))
        self.path("toy/claims", claims)
        return folder

    def sweep(self, plan, out, *more, status=1, **kw):
        return self.run_json("sweep", plan, "--out", self.path(out), *more,
                             status=status, **kw)
