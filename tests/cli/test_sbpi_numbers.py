"""SBPI reproduces the measured behaviour: docs/choices.md 2 and 11."""
from harness import Case, main


class Numbers(Case):
    def solving(self, fin, *more, trials=500):
        return self.run_json("solving-time", "--n", 480, "--alpha", 0.2,
                             "--fin", fin, "--a", 40, "--trials", trials,
                             *more)

    def test_sweeps_and_success(self):
        for fin, median, slack, least in ((0.1, 7, 0.15, 0.99),
                                          (0.2, 12, 0.15, 0.99),
                                          (0.3, 20, 0.15, 0.99),
                                          (0.4, 30, 0.15, 0.99),
                                          (0.5, 55, 0.25, 0.94)):
            told = self.solving(fin)
            self.assertGreaterEqual(told["fraction"], least, fin)
            self.assertLessEqual(abs(told["steps_median"] - median),
                                 slack * median, (fin, told["steps_median"]))

    def test_the_printed_margin_rule_destroys_solutions(self):
        told = self.solving(0.5, "--margin", "printed", trials=300)
        self.assertTrue(0.04 <= told["fraction"] <= 0.12, told["fraction"])

    def test_strict_ties_hardly_solve(self):
        told = self.solving(0.5, "--ties", "strict", trials=100)
        self.assertLess(told["fraction"], 0.25)

    def test_capacities(self):
        for fin, a, expected, error in ((0.1, 40, 0.529, 0.01),
                                        (0.3, 40, 0.327, 0.004),
                                        (0.5, 40, 0.224, 0.003),
                                        (0.5, 20, 0.336, 0.004)):
            told = self.run_json("capacity", "--n", 480, "--fin", fin, "--a", a,
                                 "--trials", 12)
            slack = 3 * (told["sem"]**2 + error**2)**0.5
            self.assertLessEqual(abs(told["capacity"] - expected), slack,
                                 (fin, a, told["capacity"]))

    def test_large(self):
        path = self.generate(n=10000, alpha=0.19, fin=0.5, a=40, seed=2)
        told = self.run_json("solve", path, "--solver", "sbpi")
        self.assertTrue(told["solved"])
        self.assertTrue(300 < told["steps"] < 4000, told["steps"])


if __name__ == "__main__":
    main()
