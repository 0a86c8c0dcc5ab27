"""bp, decimate --marginals bp, rbp, bpd, xcorr and local-entropy as commands."""
import json
import re
import math
from functools import partialmethod

from harness import Case, OnTerminal, bperc, case, main


class Bp(Case):
    instance = partialmethod(Case.generate, n=120, alpha=0.15, fin=0.3, a=24,
                             seed=5)

    def test_tree_equals_enumeration(self):
        told = self.run_json("bp", case("e04.txt"))
        with open(case("e04.json")) as f:
            truth = json.load(f)["zero"]
        self.assertTrue(told["converged"])
        self.assertAlmostEqual(told["entropy"],
                               math.log(truth["n_solutions"]) / 12, 9)
        for p, q in zip(told["marginals"], truth["marginals"]):
            self.assertAlmostEqual(p, q, 9)

    def test_forced_weights_converge(self):
        """A tree of one weight that its pattern forces."""
        told = self.run_json("bp", self.path("one.txt", "1 1 4\n0 1\n"))
        self.assertTrue(told["converged"])
        self.assertAlmostEqual(told["entropy"], 0, 9)
        self.assertAlmostEqual(told["marginals"][0], 0, 9)

    def test_many_marginals_are_summed_up(self):
        path = self.instance()
        p = self.run_json("bp", path)["marginals"]
        short = self.run_ok("bp", path)
        every = self.run_ok("bp", path, "--all")
        sure = sum(min(x, 1 - x) < 0.01 for x in p)
        self.assertLess(len(short.splitlines()), 7)
        self.assertIn(f"mean {sum(p) / 120:.6f}, least {min(p):.6f}, most "
                      f"{max(p):.6f}; {sure} are", short)
        self.assertIn(f"   119  {p[119]:.9f}\n", every)
        self.assertIn("weight  P(w = 1)\n",
                      self.run_ok("bp", case("e04.txt")))

    def test_dense_inputs_are_pointed_out(self):
        for fin, args, said in ((0.5, (), True), (0.5, ("--centred",), False),
                                (0.1, (), False)):
            path = self.instance(fin=fin, alpha=0.1)
            text = self.run_ok("bp", path, *args)
            self.assertEqual("--centred corrects" in text, said, text)
        signed = self.path("pm.txt", "3 1 0 weights=pm threshold=0\n1 +-+\n")
        self.assertNotIn("--centred", self.run_ok("bp", signed))

    def test_one_problem_one_answer(self):
        """Neither the kernel nor the size decides what auto means."""
        for fin, factor in ((0.3, "auto"), (0.3, "cheap"), (0.5, "auto")):
            path = self.instance(n=480, alpha=0.2, fin=fin, a=40)
            plain, fast = (self.run_json("bp", path, "--kernel", kernel,
                                         "--factor", factor)
                           for kernel in ("plain", "fast"))
            self.assertAlmostEqual(plain["entropy"], fast["entropy"], 5)
            for p, q in zip(plain["marginals"], fast["marginals"]):
                self.assertAlmostEqual(p, q, 3)

    def test_contradiction_is_an_answer(self):
        path = self.path("bad.txt", "6 1 2\n1 110000\n")
        told = self.run_json("bp", path, status=1)
        self.assertEqual(told["outcome"], "contradiction")

    def test_not_converged_is_status_1(self):
        short = ("bp", self.instance(), "--max-iterations", 3)
        self.assertFalse(self.run_json(*short, status=1)["converged"])
        self.assertRegex(self.run_ok(*short, status=1),
                         r"^not converged after \d+ iterations, residual")

    def test_solvers_find_solutions_that_check(self):
        path, weights = self.instance(), self.path("w.txt")
        for options in (["rbp"], ["rbp", "--gamma", "0.95"],
                        ["rbp", "--preset", "paper"], ["bpd"],
                        ["bpd", "--protocol", "large", "--damping", "0.05"],
                        ["bpd", "--preset", "paper"]):
            told = self.run_json("solve", path, "--solver", *options,
                                 "--weights-out", weights)
            self.assertTrue(told["solved"])
            self.assertTrue(self.run_json("check", path, weights)["satisfied"])
            if options[0] == "bpd":
                self.assertEqual(told["steps"], 120)
                self.assertIsInstance(told["unconverged"], list)

    def test_threads_do_not_matter(self):
        """Large enough for a team of threads, but for the last three."""
        large = self.instance(n=1200, alpha=0.42, fin=0.5, a=40)
        small, weights = self.instance(), self.path("w.txt")
        self.run_ok("solve", large, "--weights-out", weights, "--max-sweeps", 1,
                    "--solver", "sbpi", status=1)
        for args in (("bp", large, "--max-iterations", 5),
                     ("solve", large, "--solver", "rbp", "--max-steps", 5),
                     ("solve", large, "--solver", "amp",
                      "--max-iterations", 20),
                     ("local-entropy", large, weights, "--points", 2,
                      "--max-iterations", 5),
                     ("xcorr", small, "--max-iterations", 20),
                     ("solve", small, "--solver", "bpd"),
                     ("decimate", small, "--marginals", "bp")):
            told = []
            for threads in (1, 2, 3):
                code, out, err = bperc(*args, "--json", "--threads", threads)
                self.assertIn(code, (0, 1), err)
                told.append({key: value for key, value
                             in json.loads(out).items() if key != "seconds"})
            self.assertEqual(told[0], told[1], args)
            self.assertEqual(told[0], told[2], args)

    def test_instruction_sets_agree(self):
        path = self.instance(n=200)
        options = ["bp", path, "--kernel", "fast", "--factor", "gaussian"]
        self.assertEqual(
            self.run_json(*options),
            self.run_json(*options, env={"BPERC_ISA": "portable"}))

    def test_decimate_by_bp(self):
        told = self.run_json("decimate", self.instance(), "--marginals", "bp")
        self.assertTrue(told["solved"])
        self.assertEqual(sorted(told["order"]), list(range(120)))
        self.assertEqual(len(told["steps"]), 121)
        self.assertIsNone(told["steps"][0]["weight"])
        self.assertEqual(told["unconverged"], [])

    def test_xcorr(self):
        exact = self.run_json("xcorr", case("c01.txt"), "--marginals", "exact")
        for estimate in ("condition", "response"):
            told = self.run_json("xcorr", case("c01.txt"), "--estimate",
                                 estimate)
            self.assertTrue(told["converged"])
            ratio = told["xcorr_mean_square"] / exact["xcorr_mean_square"]
            self.assertLess(abs(math.log(ratio)), 0.3)

    def test_xcorr_where_weights_are_forced(self):
        path = self.path("three.txt", "3 1 3\n0 111\n")
        for preset in ("default", "paper"):
            told = self.run_json("xcorr", path, "--preset", preset)
            self.assertTrue(told["converged"])
            self.assertAlmostEqual(told["xcorr_mean"], -0.0625, 6)
            self.assertAlmostEqual(told["xcorr_mean_square"], 0.00390625, 7)
        told = self.run_json("xcorr", path, "--max-iterations", 30, status=1)
        self.assertFalse(told["converged"])

    def test_local_entropy(self):
        path, weights = self.instance(), self.path("w.txt")
        self.run_ok("solve", path, "--weights-out", weights)
        told = self.run_json("local-entropy", path, weights, "--points", 9)
        last = 0
        for point in told["points"]:
            if not point["converged"]:
                continue
            d, f = point["distance"], point["entropy"]
            self.assertGreater(d, last)
            last = d
            self.assertLess(f, -d * math.log(d) - (1 - d) * math.log(1 - d))

    def test_local_entropy_of_no_solution(self):
        """Neighbours are counted around a solution only, not guessed."""
        path = self.generate(n=20, m=5, fin=0.4, a=5)
        zero = self.path("w0.txt", "0" * 20 + "\n")
        told = self.run_json("local-entropy", path, zero, "--points", 2)
        self.assertGreater(told["errors"], 0)
        self.assertIsNone(told["one_flip"])
        self.assertIn("around a solution only", self.run_ok(
            "local-entropy", path, zero, "--points", 2))

    # ---- what is said when belief propagation fails or creeps

    WHY = "as on correlated inputs or near capacity"
    SLOW = ("--update", "damped", "--damping", "0.01", "--threads", "1")

    def said(self, *args, status):
        """(answer, what is said) of a command with --json."""
        code, out, err = bperc(*args, "--json")
        self.assertEqual(code, status, err)
        return (json.loads(out) if out else None), err

    def correlated(self):
        """Few-dimensional inputs on which the first step stalls."""
        return self.generate(n=120, alpha=0.25, fin=0.3, a=24, source=8,
                             noise=0.1, seed=2)

    def test_stalled_decimation_says_why_and_what_to_try(self):
        path = self.correlated()
        for command in (("solve", "--solver", "bpd"), ("decimate",)):
            told, err = self.said(command[0], path, *command[1:], status=0)
            self.assertEqual(told["unconverged"][0]["method"], "last")
            self.assertLess(told["unconverged"][0]["iterations"], 4000)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(self.WHY, err)
            self.assertIn("try --damping 0.01; ", err)
            self.assertIn("--solver sbpi", err)
            self.assertNotIn("--update", err)  # not an option of these
        err = self.said("solve", path, "--solver", "bpd", "--damping", "0.3",
                        "--max-iterations", 3, "--give-up", 0, status=0)[1]
        self.assertIn("--solver sbpi or auto", err)
        self.assertNotIn("try", err)  # --damping was given

    def test_decimation_without_fixed_points_stops(self):
        path = self.correlated()
        few = ("--max-iterations", 3, "--damping", 0.3)
        told, err = self.said("solve", path, "--solver", "bpd", *few, status=1)
        self.assertEqual((told["steps"], len(told["unconverged"])), (5, 5))
        self.assertIn("stopped: none of the first 5 steps found a fixed point",
                      err)
        self.assertIn("(--give-up 0 goes on)", err)
        told, err = self.said("decimate", path, *few, "--give-up", 2, status=1)
        self.assertEqual(len(told["unconverged"]), 2)
        self.assertIn("none of the first 2 steps", err)
        told, err = self.said("solve", path, "--solver", "bpd", *few,
                              "--give-up", 0, status=0)
        self.assertGreater(len(told["unconverged"]), 5)
        self.assertNotIn("stopped", err)

    def test_paper_settings_have_their_own_rule(self):
        """Steps that do not converge belong to them: nothing to suggest."""
        told, err = self.said("solve", self.instance(n=30), "--solver", "bpd",
                              "--preset", "paper", "--max-iterations", 20,
                              "--weights-out", self.path("w.txt"), status=0)
        self.assertGreater(len(told["unconverged"]), 0)
        self.assertEqual(err, "")

    def test_failed_measures_suggest_what_to_try(self):
        path, weights = self.instance(), self.path("w.txt")
        self.run_ok("solve", path, "--weights-out", weights)
        for args, status in ((("bp", path), 1), (("xcorr", path), 1),
                             (("local-entropy", path, weights), 0)):
            err = self.said(*args, "--max-iterations", 2, status=status)[1]
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(self.WHY + "; try --damping 0.01 or --update "
                          "damped; weights alone: solve --solver sbpi",
                          err)
            err = self.said(*args, "--max-iterations", 2, "--update", "damped",
                            status=status)[1]
            self.assertIn("try --damping 0.01; weights", err)

    def test_contradictions_have_no_entropy(self):
        """No weights satisfy these; every pattern alone can hold."""
        path = self.path("no.txt", "2 3 0 threshold=0\n1 10\n1 01\n0 11\n")
        w = self.path("w.txt", "11\n")
        for args in (("bp", path), ("bp", path, "--centred"), ("xcorr", path),
                     ("decimate", path), ("local-entropy", path, w)):
            told = self.said(*args, status=1)[0]
            self.assertEqual(told["outcome"], "contradiction", args)
            self.assertIn(told.get("entropy"), (None,), args)
            self.assertIsNone(told.get("xcorr_mean"), args)
            for x in told.get("steps", []) + told.get("points", []):
                self.assertIsNone(x["entropy"])

    def test_centred_says_what_it_cannot_trust(self):
        """Six inputs 0 a pattern: a fixed point at 0.58 nats, not 0.25."""
        path = self.generate(n=30, m=8, fin=0.8, a=3, seed=5)
        told = self.said("bp", path, "--centred", status=1)[0]
        self.assertEqual((told["outcome"], told["entropy"]), ("doubtful", None))
        told = self.said("bp", self.generate(n=30, m=8, fin=0.5, a=3, seed=1),
                         "--centred", status=0)[0]
        self.assertEqual(told["outcome"], "converged")
        self.assertAlmostEqual(told["entropy_error"], 0.005 + 2 / 30)

    def test_xcorr_names_a_contradiction(self):
        path = self.path("bad.txt", "6 1 2\n1 110000\n")
        code, out, err = bperc("xcorr", path)
        self.assertEqual((code, out, err),
                         (1, "contradiction: pattern 0 cannot hold\n", ""))

    def stopped(self, *args, shows, hint=True):
        """The answer and what was shown of a run that is interrupted as soon
        as it shows this."""
        run = OnTerminal(*args, "--json")
        self.assertTrue(run.read_until(shows), run.shown)
        code, out = run.interrupt()
        self.assertEqual(code, 130, run.shown)
        if hint:
            self.assertIn(self.WHY, run.shown)
        return json.loads(out), run.shown

    def test_bp_shows_progress_and_keeps_the_last_messages(self):
        told, shown = self.stopped("bp", self.instance(), *self.SLOW,
                                   "--damping", "1e-7", "--max-iterations",
                                   "1e9", shows="residual")
        self.assertFalse(told["converged"])
        self.assertGreater(told["iterations"], 0)
        self.assertEqual(len(told["marginals"]), 120)
        self.assertIn("converges slowly", shown)

    def test_xcorr_shows_progress_and_keeps_what_is_done(self):
        path = self.instance(n=300)
        told, shown = self.stopped("xcorr", path, "--sample", 0, *self.SLOW,
                                   shows=" of 300 weights")
        self.assertFalse(told["converged"])
        self.assertGreater(told["sampled"], 0)
        self.assertLess(told["sampled"], 300)
        self.assertIn(f"answer is of {told['sampled']} of 300 weights", shown)
        self.assertIsNotNone(told["xcorr_mean_square"])

    def test_local_entropy_shows_progress_and_keeps_what_is_done(self):
        path, weights = self.instance(n=300), self.path("w.txt")
        self.run_ok("solve", path, "--weights-out", weights)
        told, shown = self.stopped("local-entropy", path, weights, "--points",
                                   90000, *self.SLOW, shows=" of 90000 coup")
        kept = len(told["points"])
        self.assertGreater(kept, 0)
        self.assertLess(kept, 90000)
        self.assertIn(f"first {kept} of 90000 couplings", shown)

    def test_decimation_shows_progress_and_keeps_what_is_done(self):
        path = self.instance(n=300)
        slow = ("--protocol", "paper", "--damping", "0.0001")
        told, shown = self.stopped("decimate", path, *slow,
                                   shows="steps not converged, residual")
        self.assertLess(len(told["order"]), 300)
        some = re.compile(r"\([1-9]\d* not converged\)").search
        told, shown = self.stopped("solve", path, "--solver", "bpd", *slow, shows=some,
                                   hint=False)  # only where the last messages are used
        self.assertLess(told["steps"], 300)


class Infer(Case):
    def test_teacher(self):
        p, t = self.path("p.txt"), self.path("t.txt")
        self.run_ok("generate", "--n", 1001, "--alpha", 0.8, "--weights", "pm",
                    "--inputs", "pm", "--teacher-out", t, "--out", p)
        told = self.run_json("infer", p, "--teacher", t, "--steps")
        theory = self.run_json("theory", "generalisation", "--weights", "pm",
                               "--alpha", 0.8)
        self.assertTrue(told["converged"])
        self.assertEqual(len(told["steps"]), told["iterations"])
        self.assertAlmostEqual(told["overlap_teacher"], theory["overlap_amp"],
                               delta=0.06)
        self.assertAlmostEqual(told["error_bayes"], theory["error_bayes_amp"],
                               delta=0.03)
        self.assertIn("overlap with the teacher",
                      self.run_ok("infer", p, "--teacher", t, "--steps"))
        short = self.run_json("infer", p, "--max-iterations", 2, status=1)
        self.assertFalse(short["converged"])
        self.run_bad("infer", p, "--noise", 0.5, status=2, says="0.5")


if __name__ == "__main__":
    main()
