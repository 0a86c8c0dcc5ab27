"""Numbers of rBP and BPD at N = 480, A = 40, alpha = 0.2: those of docs/bp.md
and of the notes, with room for few instances."""
from harness import Case, main

PROBLEM = ("--n", 480, "--alpha", 0.2, "--a", 40)


class Numbers(Case):
    def solving(self, fin, trials, *options):
        told = self.run_json("solving-time", *PROBLEM, "--fin", fin,
                             "--trials", trials, "--seed", 9001, *options)
        return told["solved"] / trials, told["steps_mean"]

    def test_rbp_of_the_paper(self):
        for fin, steps in ((0.1, 30), (0.2, 32), (0.3, 50)):
            solved, mean = self.solving(fin, 40, "--solver", "rbp",
                                        "--preset", "paper", "--gamma", 0.9)
            self.assertGreaterEqual(solved, 0.95)
            self.assertLess(abs(mean / steps - 1), 0.25)
            solved, slow = self.solving(fin, 10, "--solver", "rbp",
                                        "--preset", "paper", "--gamma", 0.99)
            self.assertGreaterEqual(solved, 0.95)
            self.assertGreater(slow, 2 * mean)
        solved, _ = self.solving(0.4, 40, "--solver", "rbp", "--preset",
                                 "paper", "--gamma", 0.9, "--max-steps", 400)
        self.assertTrue(0.2 < solved < 0.7, solved)
        solved, _ = self.solving(0.5, 10, "--solver", "rbp", "--preset",
                                 "paper", "--gamma", 0.9, "--max-steps", 400)
        self.assertLess(solved, 0.5)

    def test_rbp_between_the_sizes_of_the_paper(self):
        solved = 0
        for n in (2000, 2170, 2330, 2499):
            told = self.run_json("solving-time", "--n", n, "--alpha", 0.2,
                                 "--a", 40, "--fin", 0.3, "--trials", 5,
                                 "--seed", n, "--solver", "rbp",
                                 "--max-steps", 1000)
            solved += told["solved"]
        self.assertGreaterEqual(solved, 19)

    def test_gamma_from_experience(self):
        for fin in (0.1, 0.4):
            solved, steps = self.solving(fin, 40, "--solver", "rbp")
            self.assertEqual(solved, 1)
            for gamma in (0.8, 0.9, 0.95):
                _, fixed = self.solving(fin, 40, "--solver", "rbp", "--gamma",
                                        gamma, "--max-steps", 1000)
                self.assertLess(steps, 1.5 * fixed)

    def test_protocols_of_bpd(self):
        for fin in (0.1, 0.3):
            for protocol, trials in (("fast", 6), ("large", 6)):
                solved, _ = self.solving(fin, trials, "--solver", "bpd",
                                         "--protocol", protocol)
                self.assertEqual(solved, 1, (fin, protocol))
        solved, _ = self.solving(0.1, 1, "--solver", "bpd", "--preset",
                                 "paper")
        self.assertEqual(solved, 1)

    def test_one_flip_neighbours(self):
        """The count of local-entropy by plain sums."""
        path, weights = self.path("p.txt"), self.path("w.txt")
        self.run_ok("generate", *PROBLEM, "--fin", 0.3, "--out", path)
        self.run_ok("solve", path, "--weights-out", weights)
        told = self.run_json("local-entropy", path, weights, "--points", 2)
        with open(path) as f:
            rows = [line.split() for line in f if line[0] != "#"][1:]
        with open(weights) as f:
            w = [int(c) for c in f.read().strip()]
        sums = [sum(x for x, c in zip(w, bits) if c == "1")
                for _, bits in rows]
        count = sum(all((s + (1 - 2 * w[i]) * int(bits[i]) > 12) ==
                        (label == "1") for s, (label, bits) in zip(sums, rows))
                    for i in range(480))
        self.assertGreater(count, 0)
        self.assertEqual(told["one_flip"], count)
        told = self.run_json("local-entropy", path, weights, "--points", 2,
                             "--factor", "gaussian")
        self.assertEqual(told["one_flip"], count)


if __name__ == "__main__":
    main()
