"""The module of the explorer, run by node, against the program.

SBPI, AMP and exact search: the same weights, steps and numbers. Theory uses
exp, log and erfc of another C library: to 1e-9.
"""
import json
import math
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from built import EXPLORER, OUT, need  # noqa: E402
from harness import Case  # noqa: E402

SEEDS = range(1, 21)


def ask(module, questions):
    done = subprocess.run(
        ["node", pathlib.Path(__file__).parent / "ask.mjs", OUT, module,
         EXPLORER / "ui"], input=json.dumps(questions), text=True,
        capture_output=True, check=True)
    return json.loads(done.stdout)


class Same(Case):
    def solved_alike(self, solver, module, seeds, **problem):
        asked = []
        for seed in seeds:
            asked += [["problem", dict(problem, seed=seed)],
                      ["run", {"name": solver, "seed": seed}]]
        got = ask(module, asked)[1::2]
        for seed, here in zip(seeds, got):
            path = self.generate(**problem, seed=seed)
            there = self.run_json("solve", path, "--solver", solver, "--seed",
                                  seed, "--threads", 1,
                                  status=0 if here["solved"] else 1)
            yield seed, here, there

    def test_sbpi(self):
        for module in ("simd", "plain"):
            for seed, here, there in self.solved_alike(
                    "sbpi", module, SEEDS, n=480, alpha=0.2, fin=0.3, a=40):
                for key in ("solved", "steps", "errors", "weights"):
                    self.assertEqual(here[key], there[key], (module, seed, key))

    def test_readme(self):
        got = ask("simd", [
            ["problem", {"n": 480, "alpha": 0.2, "fin": 0.3, "a": 40, "seed": 1}],
            ["run", {"name": "sbpi", "seed": 1}]])
        self.assertEqual((got[1]["solved"], got[1]["steps"]), (True, 26))

    def test_amp(self):
        for module in ("simd", "plain"):
            for seed, here, there in self.solved_alike(
                    "amp", module, SEEDS, n=480, alpha=0.2, fin=0.3, a=40):
                for key in ("solved", "steps", "weights"):
                    self.assertEqual(here[key], there[key], (module, seed, key))

    def test_vectors_change_nothing(self):
        """The two modules agree in every bit, whatever the solver."""
        for solver in ("amp", "rbp", "bpd"):
            asked = []
            for seed in range(1, 4):
                asked += [["problem", dict(n=240, alpha=0.2, fin=0.3, a=24,
                                           seed=seed)],
                          ["run", {"name": solver, "seed": seed}]]
            self.assertEqual(ask("simd", asked), ask("plain", asked), solver)

    def test_enumeration(self):
        problem = dict(n=30, alpha=0.5, fin=0.3, a=12)
        asked = []
        for seed in SEEDS:
            asked += [["problem", dict(problem, seed=seed)], ["space", {}],
                      ["count", {}]]
        for module in ("simd", "plain"):
            got, compared = ask(module, asked), 0
            for k, seed in enumerate(SEEDS):
                space = got[3 * k + 1]
                there = self.run_json(
                    "enumerate", self.generate(**problem, seed=seed),
                    "--threads", 1)
                self.assertEqual(space["count"], there["count"], seed)
                self.assertEqual(got[3 * k + 2], there["count"], seed)
                if there["count"] == "0" or not space["listed"]:
                    continue
                compared += 1
                first, clusters = space["steps"][0], there["clusters"]
                self.assertEqual(first["clusters"], clusters["count"])
                self.assertEqual(first["largest"], clusters["largest"])
                self.assertEqual(
                    (first["x"], first["qSame"], first["qDiff"]),
                    (clusters["parisi_x"], clusters["q_same"],
                     clusters["q_diff"]), (module, seed))
            self.assertGreater(compared, 8)

    def test_decimation(self):
        problem = dict(n=30, alpha=0.4, fin=0.3, a=12, seed=2)
        space = ask("simd", [["problem", problem], ["space", {}]])[1]
        there = self.run_json("decimate", self.generate(**problem),
                              "--marginals", "exact", "--threads", 1)
        self.assertEqual([s["weight"] for s in space["steps"][1:]],
                         there["order"])
        for here, step in zip(space["steps"], there["steps"]):
            self.assertEqual((here["x"], here["qSame"], here["clusters"]),
                             (step["parisi_x"], step["q_same"],
                              step["clusters"]))

    def test_large_count(self):
        problem = dict(n=50, alpha=0.36, fin=0.3, a=12, seed=3)
        got = ask("simd", [["problem", problem], ["space", {}]])[1]
        there = self.run_json("enumerate", self.generate(**problem),
                              "--count-only", "--threads", 1)
        self.assertEqual((got["count"], got["listed"]), ("6925485", False))
        self.assertEqual(got["count"], there["count"])

    def test_memory(self):
        """A space of N = 40 near the most that is listed: list, clusters, map."""
        problem = dict(n=40, alpha=0.35, fin=0.3, a=12, seed=8)
        got = ask("simd", [["problem", problem], ["space", {}],
                           ["spaceAfter", {"fixed": 0}], ["memory", {}]])
        self.assertTrue(got[1]["listed"])
        self.assertGreater(int(got[1]["count"]), 50000)
        self.assertLess(got[3], 300e6)
        print(f"N = 40, {got[1]['count']} solutions: {got[3] / 1e6:.0f} MB")

    def near(self, here, there, what):
        self.assertTrue(math.isclose(here, there, rel_tol=1e-9, abs_tol=1e-9),
                        (what, here, there))

    def test_theory(self):
        model = {"alpha": 0.3, "a": 12, "fin": 0.5}
        distances = [0.01, 0.03, 0.06, 0.1, 0.15]
        words = ["--alpha", 0.3, "--a", 12, "--fin", 0.5]
        capacity, entropy, typical, dense = ask("simd", [
            ["capacity", model], ["entropy", model],
            ["local", dict(model, dense=False, distances=distances)],
            ["local", dict(model, dense=True, distances=distances)]])
        self.assertEqual(f"{capacity:.8f}", "0.50331298")
        there = self.run_json("theory", "capacity", "--a", 12, "--fin", 0.5)
        self.near(capacity, there["alpha_c"], "alpha_c")
        there = self.run_json("theory", "entropy", *words)
        self.near(entropy["entropy"], there["entropy"], "entropy")
        self.near(entropy["overlap"], there["overlap"], "overlap")
        listed = ",".join(map(str, distances))
        for name, here in (("franz-parisi", typical),
                           ("large-deviation", dense)):
            there = self.run_json("theory", name, *words, "--distances", listed)
            for k, point in enumerate(there["points"]):
                self.near(here["entropy"][k], point["entropy"], (name, k))
                self.near(here["bound"][k], point["bound"], (name, k))

    def test_fit(self):
        """A table gets the weights that the program gives it."""
        rows = ["label,a,b,c,d,e,f"]
        rows += [f"{int(sum(b[:4]) > 1)}," + ",".join(map(str, b)) for b in
                 ([k >> i & 1 for i in range(6)] for k in range(0, 64, 3))]
        content = "\n".join(rows) + "\n"
        table, fit = ask("simd", [["table", {"content": content}],
                                  ["fit", {"folds": 0, "seed": 1}]])
        model = self.path("model.txt")
        there = self.run_json("fit", self.path("t.csv", content), "--folds", 0,
                              "--thresholds", "0.5,1.5,2.5,3.5,4.5,5.5",
                              "--threads", 1, "--model-out", model)
        self.assertEqual((table["n"], table["m"]), (6, 22))
        self.assertEqual(fit["threshold"], there["threshold"])
        self.assertEqual(fit["errors"], there["train"]["errors"])
        bits = "".join(str(int(w)) for w in fit["weights"])
        with open(model) as f:
            self.assertIn(bits, f.read())


if __name__ == "__main__":
    need("node", "emcc")
    unittest.main()
