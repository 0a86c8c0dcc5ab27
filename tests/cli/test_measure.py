"""capacity, solving-time and walk."""
import json

from harness import Case, OnTerminal, main


class Measure(Case):
    def test_capacity(self):
        args = ("capacity", "--solver", "sbpi", "--n", 96, "--fin", 0.3, "--a",
                12, "--trials", 6)
        told = self.run_json(*args, "--threads", 1)
        again = self.run_json(*args, "--threads", 2)
        for one in told, again:
            one.pop("seconds")
        self.assertEqual(told, again)
        self.assertEqual(told["trials"], 6)
        each = [p / 96 for p in told["patterns"]]
        mean = sum(each) / 6
        self.assertAlmostEqual(told["capacity"], mean, 12)
        self.assertAlmostEqual(
            told["sem"], (sum((x - mean)**2 for x in each) / 30)**0.5, 12)
        self.assertTrue(0.1 < told["capacity"] < 1)
        theory = self.run_json("theory", "capacity", "--a", 12, "--fin", 0.3)
        self.assertEqual(told["theory"], theory["alpha_c"])
        warm = self.run_json(*args, "--warm")
        self.assertNotEqual(warm["patterns"], told["patterns"])

    def test_theory_beside_it(self):
        args = ("capacity", "--solver", "sbpi", "--n", 25, "--trials", 2)
        pm = ("--weights", "pm", "--inputs", "pm")
        told = self.run_json(*args, *pm)
        self.assertAlmostEqual(told["theory"], 0.8330786, delta=1e-6)
        self.assertIn("theory   0.8331", self.run_ok(*args, *pm))
        kappa = self.run_json(*args, *pm, "--kappa", 1)["theory"]
        same = self.run_json("theory", "capacity", "--weights", "pm",
                             "--kappa-sum", 1, "--n", 25)
        self.assertAlmostEqual(kappa, same["alpha_c"], 12)
        self.assertAlmostEqual(same["kappa"], 0.2, 12)
        band = self.run_json(*args, *pm, "--band", 5)["theory"]
        self.assertAlmostEqual(band, 1.8158755, delta=1e-6)
        for other in (("--threshold", 3), ("--teacher",), ("--copies", 2)):
            self.assertIsNone(self.run_json(*args, *pm, *other)["theory"])
        self.run_bad("theory", "capacity", "--weights", "pm", "--kappa-sum",
                     1, status=2, says="--n")
        self.run_bad("theory", "capacity", "--weights", "pm", "--kappa-sum",
                     1, "--n", 9, "--kappa", 1, status=2, says="not both")

    def test_an_interrupt_keeps_what_is_finished(self):
        """The answer is that of the trials before the first unfinished one."""
        ensemble = ("--n", 96, "--fin", 0.3, "--a", 12)
        args = ("capacity", "--solver", "sbpi", *ensemble, "--threads", 1)
        run = OnTerminal(*args, "--trials", 10**6, "--json")
        self.assertTrue(run.read_until("trials: "), run.shown)
        code, out = run.interrupt()
        self.assertEqual(code, 130)
        told = json.loads(out)
        self.assertIn(f"the first {told['trials']} of 1000000 trials",
                      run.shown)
        short = self.run_json(*args, "--trials", told["trials"])
        self.assertEqual(short["patterns"], told["patterns"])
        run = OnTerminal("solving-time", *ensemble, "--alpha", 0.2, "--trials",
                         10**6, "--threads", 1, "--json")
        self.assertTrue(run.read_until("instances: "), run.shown)
        code, out = run.interrupt()
        self.assertEqual(code, 130)
        self.assertIn(f"the first {json.loads(out)['trials']} of", run.shown)
        path = self.generate(n=3000, alpha=0.25, fin=0.5, a=40)
        run = OnTerminal("decimate", path, "--marginals", "bp",
                         "--max-iterations", 20, "--json")  # 3000 steps
        self.assertTrue(run.read_until("weights fixed"), run.shown)
        code, out = run.interrupt()
        self.assertEqual(code, 130)
        told = json.loads(out)
        self.assertEqual(len(told["steps"]), len(told["order"]) + 1)
        self.assertIn(f"the first {len(told['order'])} of 3000 weights",
                      run.shown)

    def test_solving_time(self):
        args = ("solving-time", "--n", 480, "--alpha", 0.2, "--fin", 0.2,
                "--a", 40, "--trials", 40)
        told = self.run_json(*args, "--each")
        self.assertEqual((told["trials"], told["m"]), (40, 96))
        self.assertGreaterEqual(told["fraction"], 0.95)
        self.assertTrue(10 <= told["steps_median"] <= 14)
        steps = sorted(x["steps"] for x in told["each"] if x["solved"])
        self.assertAlmostEqual(told["steps_mean"], sum(steps) / len(steps), 9)
        portable = self.run_json(*args, "--threads", 1,
                                 env={"BPERC_ISA": "portable"})
        self.assertEqual(portable["steps_mean"], told["steps_mean"])
        self.assertIn("solved   40", self.run_ok(*args))

    def test_contradictory_instances_are_counted(self):
        told = self.run_json("solving-time", "--n", 100, "--m", 20, "--fin",
                             0.05, "--a", 10, "--trials", 10)
        self.assertEqual((told["solved"], told["contradictory"]), (0, 10))
        self.assertIsNone(told["steps_median"])

    def test_what_is_missing_is_named(self):
        self.run_bad("capacity", "--n", 10, status=2, says="--fin")
        self.run_bad("solving-time", "--n", 10, "--fin", 0.3, "--a", 4,
                     status=2, says="--alpha")


class Walk(Case):
    def setUp(self):
        super().setUp()
        self.instance = self.generate(n=200, alpha=0.1, fin=0.3, a=20)
        self.start = self.path("w.txt")
        self.run_ok("solve", self.instance, "--weights-out", self.start)

    def test_ensembles(self):
        """Every ensemble is generated, read and solved; the teacher checks."""
        for k, more in enumerate((
                ("--weights", "pm", "--inputs", "pm"),
                ("--inputs", "pm", "--threshold", 3, "--kappa", 1),
                ("--fin", 0.3, "--a", 20, "--fout", 0.2),
                ("--fin", 0.3, "--a", 20, "--copies", 3, "--noise", 0.1),
                ("--fin", 0.3, "--a", 20, "--prototypes", 5, "--noise", 0.5),
                ("--fin", 0.3, "--a", 20, "--source", 20, "--noise", 0.2))):
            path, teacher = self.path(f"p{k}.txt"), self.path(f"w{k}")
            made = self.run_json("generate", "--n", 201, "--m", 20, *more,
                                 "--out", path)
            self.assertEqual((made["n"], made["m"]), (201, 20))
            told = self.run_json("solving-time", "--n", 201, "--m", 20, *more,
                                 "--trials", 3, "--solver", "sbpi")
            self.assertEqual(told["solved"], 3, more)
            self.assertEqual(told["weights"], made["weights"])
            made = self.run_json("generate", "--n", 201, "--m", 60, *more,
                                 "--out", path, "--teacher-out", teacher)
            self.assertTrue(made["teacher"])
            if "--copies" not in more:
                self.run_ok("check", path, teacher)
        text = self.run_ok("generate", "--n", 31, "--m", 9, "--fin", 0.4,
                           "--a", 7, "--teacher")
        first = text.split("\n")[0].split()
        self.assertEqual(first[:2], ["#", "teacher"])
        self.run_ok("check", self.path("p", text), self.path("w", first[2]))

    def test_bad_ensembles(self):
        for more, status, says in (
                (("--fin", 0.5, "--threshold", 50), 2, "no sum reaches"),
                (("--fin", 0.5, "--a", 4, "--kappa", -1), 2, "kappa"),
                (("--fin", 0.5, "--a", 4, "--fout", 0), 2, "fout"),
                (("--fin", 0.5, "--a", 4, "--fout", 1), 2, "fout"),
                (("--fin", 0.5, "--a", 4, "--threshold", 1), 2, "not both"),
                (("--fin", 0.5), 2, "--threshold"),
                (("--fin", 0.5, "--a", 4, "--noise", 0.1), 2, "--copies"),
                (("--fin", 0.5, "--a", 4, "--copies", 2, "--source", 3), 2,
                 "one of")):
            self.run_bad("generate", "--n", 10, "--m", 3, *more, status=status,
                         says=says)

    def test_capacity_says_that_it_stopped(self):
        """Ties that satisfy both labels at threshold 0 never fail."""
        told = self.run_json("capacity", "--solver", "sbpi", "--n", 3, "--fin",
                             0, "--threshold", 0, "--ties", "either",
                             "--trials", 2)
        self.assertEqual((told["limit"], told["at_limit"]), (76, 2))

    def test_walk(self):
        out = self.path("end.txt")
        told = self.run_json("walk", self.instance, self.start, "--sweeps", 50,
                             "--weights-out", out)
        self.assertTrue(self.run_json("check", self.instance, out)["satisfied"])
        with open(self.start) as f, open(out) as g:
            start, end = f.read().strip(), g.read().strip()
        self.assertEqual(told["weights"], end)
        self.assertEqual(told["distance"],
                         sum(a != b for a, b in zip(start, end)))
        self.assertGreaterEqual(told["moves"], told["distance"])
        self.assertGreater(told["distance"], 0)
        none = self.run_json("walk", self.instance, self.start, "--sweeps", 0)
        self.assertEqual((none["moves"], none["weights"]), (0, start))

    def test_start_that_is_no_solution(self):
        bad = self.path("bad.txt", "1" * 200 + "\n")
        self.run_bad("walk", self.instance, bad, status=1, says="solution")


if __name__ == "__main__":
    main()
