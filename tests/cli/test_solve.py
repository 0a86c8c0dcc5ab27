"""solve: every case, the promised keys, contradictions, best weights."""
import glob
import json
import os
import shutil
import subprocess
import unittest
from functools import partialmethod

from harness import BPERC, CASES, Case, OnTerminal, bperc, main

KEYS = {"solver", "solved", "status", "steps", "errors", "n", "m", "ties",
        "seed", "seconds", "weights", "options"}


def patterns_of(path):
    with open(path) as f:
        lines = [x.split() for x in f if not x.startswith("#")]
    n, m, a = int(lines[0][0]), int(lines[0][1]), float(lines[0][2])
    return n, a, [(int(label), bits) for label, bits in lines[1:m + 1]]


def misses(path, weights):
    """Violated patterns by plain sums, ties = zero."""
    n, a, patterns = patterns_of(path)
    bad, weights = 0, list(weights)
    for label, bits in patterns:
        total = sum(w for w, b in zip(weights, bits) if b == "1")
        bad += (total > n / a) != (label == 1)
    return bad


def misses_by_label(path, weights):
    """Violated patterns of labels 0 and 1."""
    n, a, patterns = patterns_of(path)
    bad, weights = [0, 0], list(weights)
    for label, bits in patterns:
        total = sum(w for w, b in zip(weights, bits) if b == "1")
        bad[label] += (total > n / a) != (label == 1)
    return bad


class Solve(Case):
    instance = partialmethod(Case.generate, n=120, alpha=0.2, fin=0.3, a=10,
                             seed=1)

    def test_every_case(self):
        files = sorted(glob.glob(os.path.join(CASES, "*.txt")))
        self.assertTrue(files)
        for path in files:
            with open(path[:-4] + ".json") as f:
                expected = json.load(f)
            for ties in "zero", "strict":
                if ties in expected:
                    self.solve_case(path, ties, expected[ties]["n_solutions"])

    def solve_case(self, path, ties, count):
        out = self.path("w.txt")
        status = 0 if count else 1
        told = self.run_json("solve", path, "--weights-out", out, "--ties",
                             ties, status=status)
        self.assertLessEqual(KEYS, set(told))
        self.assertEqual((told["solved"], told["ties"]), (count > 0, ties))
        with open(out) as f:
            self.assertEqual(f.read(), told["weights"] + "\n")
        judged = self.run_json("check", path, out, "--ties", ties,
                               status=status)
        self.assertEqual(judged["errors"], told["errors"], path)

    def test_best_weights_of_a_hopeless_run(self):
        path = self.instance(n=60, alpha=2)
        told = self.run_json("solve", path, "--max-sweeps", 50, "--anyway",
                             status=1)
        self.assertEqual(told["steps"], 50)
        self.assertGreater(told["errors"], 0)
        self.assertLess(told["errors"], 60)
        self.assertEqual(misses(path, map(int, told["weights"])),
                         told["errors"])

    def test_restarts_start_and_costs(self):
        path = self.instance(n=60, alpha=1)
        few = ("--solver", "sbpi", "--max-sweeps", 30)
        plain = self.run_json("solve", path, *few, status=1)
        one = self.run_json("solve", path, *few, "--restarts", 1, status=1)
        many = self.run_json("solve", path, *few, "--restarts", 12, status=1)
        self.assertEqual(plain["weights"], one["weights"])
        self.assertEqual((plain["runs"], many["runs"]), (1, 12))
        self.assertEqual(many["steps"], 12 * 30)
        self.assertLess(many["errors"], plain["errors"])
        self.assertEqual(misses(path, map(int, many["weights"])),
                         many["errors"])
        self.assertEqual(many["restarts"], 12)
        start = self.path("start.txt", many["weights"] + "\n")
        told = self.run_json("solve", path, *few, "--initial", start, status=1)
        self.assertLessEqual(told["errors"], many["errors"])
        self.assertEqual(told["initial"], start)
        costs = self.run_json("solve", path, *few, "--class-weights", "1,9",
                              status=1)
        self.assertEqual(costs["class_weights"], [1, 9])
        missed = misses_by_label(path, map(int, costs["weights"]))
        self.assertEqual(missed[0] + 9 * missed[1], costs["cost"])
        before = misses_by_label(path, map(int, plain["weights"]))
        self.assertLess(missed[1], before[1])

    def test_least_cost_is_proven(self):
        path = self.instance(n=14, alpha=3, a=4)
        told = self.run_json("solve", path, "--class-weights", "2,5", status=1)
        n = 14
        least = min(2 * e[0] + 5 * e[1] for e in
                    (misses_by_label(path, [w >> i & 1 for i in range(n)])
                     for w in range(1 << n)))
        self.assertEqual((told["cost"], told["least_cost"]), (least, least))
        self.assertIn("no weights cost less than %g" % least,
                      self.run_ok("solve", path, "--class-weights", "2,5",
                                  status=1))

    def test_auto_proves_the_fewest_errors_beside_a_contradiction(self):
        with open(self.instance(n=13, alpha=2.5, a=4)) as f:
            head, *rows = f.read().splitlines()
        label, bits = rows[0].split()
        rows.append(f"{1 - int(label)} {bits}")
        path = self.path("c.txt", "\n".join([f"13 {len(rows)} 4"] + rows)
                         + "\n")
        least = min(misses(path, [w >> i & 1 for i in range(13)])
                    for w in range(1 << 13))
        self.assertGreater(least, 2)
        told = self.run_json("solve", path, status=1)
        self.assertEqual((told["errors"], told["unavoidable"]), (least, least))

    def test_what_a_solver_cannot_take(self):
        path = self.instance(n=20, alpha=0.2)
        start = self.path("w.txt", "01" * 10 + "\n")
        for words, said in (
                (("--solver", "exact", "--restarts", 2), "takes no restarts"),
                (("--solver", "bpd", "--initial", start), "cannot begin"),
                (("--solver", "ecp", "--class-weights", "1,2"),
                 "does not weigh errors"),
                (("--class-weights", "1,x"), "neither 'balanced' nor"),
                (("--restarts", 2, "--trace", self.path("t.h5")),
                 "leave out --restarts")):
            self.run_bad("solve", path, *words, status=2, says=said)

    def test_contradictions_are_named_at_once(self):
        path = self.path("c.txt", "4 4 2\n1 1111\n0 0001\n1 0011\n0 1111\n")
        told = self.run_json("solve", path, status=1)
        self.assertEqual((told["status"], told["errors"], told["unavoidable"],
                          told["by"]), ("unsatisfiable", 2, 2, None))
        self.assertEqual(misses(path, map(int, told["weights"])), 2)
        self.assertEqual(self.run_json("solve", path, "--no-anyway",
                                       status=1)["steps"], 0)
        named = [c["patterns"] for c in told["contradictions"]]
        self.assertEqual(named, [[2], [0, 3]])
        self.assertIn("contradiction: patterns 0 and 3",
                      self.run_ok("solve", path, status=1))
        told = self.run_json("solve", path, "--anyway", "--max-sweeps", 30,
                             status=1)
        self.assertEqual((told["status"], told["steps"], told["errors"]),
                         ("unsatisfiable", 30, 2))

    def test_integers_have_fewer_contradictions(self):
        path = self.path("c.txt", "4 2 2\n1 0011\n0 1000\n")
        self.assertEqual(self.run_json("solve", path, status=1)["status"],
                         "unsatisfiable")
        told = self.run_json("solve", path, "--solver", "ecp")
        self.assertIsInstance(told["weights"], list)
        self.assertEqual(misses(path, told["weights"]), 0)

    def test_same_answer_everywhere(self):
        for solver in "sbpi", "ecp", "amp":
            path = self.instance(n=200, a=4 if solver == "ecp" else 10)
            told = []
            for threads, isa in ((1, ""), (2, ""), (1, "portable"),
                                 (1, "avx2")):
                one = self.run_json("solve", path, "--solver", solver,
                                    "--threads", threads, "--seed", 77,
                                    env={"BPERC_ISA": isa})
                one.pop("seconds")
                told.append(one)
            self.assertEqual(told[0], told[1])
            self.assertEqual(told[0], told[2])
            self.assertEqual(told[0], told[3])
            self.assertEqual(misses(path, map(int, told[0]["weights"])), 0)

    @unittest.skipUnless(shutil.which("mpirun") and os.path.exists(
        os.path.join(os.path.dirname(BPERC), "bperc_mpi.so")), "no Open MPI here")
    def test_one_problem_over_ranks(self):
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

        def over(ranks, *args):
            return subprocess.run(
                ["mpirun", "--oversubscribe", "-n", str(ranks), BPERC, "solve",
                 *args], env=env, timeout=300, capture_output=True, text=True)
        for m, iterations in ((100, 40), (140, 60)):  # solved and not
            path = self.generate(n=401, m=m, fin=0.5, a=40, seed=3)
            args = (path, "--solver", "amp", "--rate", "0.1", "--max-iterations",
                    str(iterations), "--json")
            expected = json.loads(bperc("solve", *args)[1])
            for ranks in (2, 3):
                run = over(ranks, *args)
                found = json.loads(run.stdout)
                self.assertEqual(found["ranks"], ranks)
                self.assertEqual(run.returncode, 0 if found["solved"] else 1)
                for key in expected.keys() - {"ranks", "seconds"}:
                    self.assertEqual(found[key], expected[key], key)
        self.assertIn("--solver amp", over(2, path).stderr)

    def test_auto_says_who_solved(self):
        told = self.run_json("solve", self.instance(n=100, alpha=0.05))
        self.assertEqual((told["solver"], told["by"], told["unavoidable"]),
                         ("auto", "sbpi", 0))
        hard = self.instance(n=1000, alpha=0.2, fin=0.5, a=40)
        told = self.run_json("solve", hard, "--quick-sweeps", 0)
        self.assertEqual((told["status"], told["by"]), ("solved", "amp"))
        self.assertIn("solved by amp", self.run_ok("solve", hard,
                                                   "--quick-sweeps", 0))
        self.assertEqual(misses(hard, map(int, told["weights"])), 0)
        again = self.run_json("solve", hard, "--quick-sweeps", 0,
                              "--threads", 1)
        self.assertEqual(again["weights"], told["weights"])

    def test_auto_proves_where_it_can(self):
        rows = ["1 110", "1 011", "1 101", "0 111"]
        path = self.path("u.txt", "3 4 2\n" + "\n".join(rows) + "\n")
        told = self.run_json("solve", path, status=1)
        self.assertEqual((told["status"], told["contradictions"],
                          told["unavoidable"], told["by"]),
                         ("unsatisfiable", [], 1, None))
        self.assertEqual(told["errors"], 1)
        path = self.instance(n=300, alpha=0.6, fin=0.5, a=20)
        told = self.run_json("solve", path, "--max-iterations", 200, status=1)
        self.assertEqual((told["status"], told["unavoidable"], told["steps"]),
                         ("unsolved", None, 300))

    def test_unsatisfiable_comes_before_the_fewest_errors(self):
        """What is proven is kept when the search for the fewest errors ends
        early: by its own budget, or by a signal."""
        path = self.instance(n=40, alpha=1.5, fin=0.5, a=5)
        few = ("--solver", "exact", "--step-nodes", 20000)
        told = self.run_json("solve", path, *few, "--proof-nodes", 30000,
                             status=1)
        self.assertEqual(told["status"], "unsatisfiable")
        self.assertLess(told["unavoidable"], told["errors"])
        told = self.run_json("solve", path, "--proof-slices", 1, status=1)
        self.assertEqual(told["status"], "unsatisfiable")
        run = OnTerminal("solve", path, *few, "--proof-nodes", 10**15, "--json")
        self.assertTrue(run.read_until("unsatisfiable; the fewest errors are"))
        code, out = run.interrupt()
        self.assertEqual(code, 130)
        told = json.loads(out)
        self.assertEqual(told["status"], "unsatisfiable")
        self.assertGreater(told["unavoidable"], 0)

    def test_integer_weights_go_through_check(self):
        path = self.instance(n=100, alpha=0.4, fin=0.4, a=1)
        out = self.path("w.txt")
        self.run_ok("solve", path, "--solver", "ecp", "--weights-out", out)
        self.assertTrue(self.run_json("check", path, out)["satisfied"])

    def test_options_are_checked_and_echoed(self):
        path = self.instance()
        told = self.run_json("solve", path, "--margin", "off", "--p-s", 0.25,
                             "--preset", "paper")
        self.assertEqual(told["options"],
                         {"max_sweeps": 4000, "p_s": 0.25, "margin": "off",
                          "presentation": "shuffled", "k": 10,
                          "freeze": 0, "freeze_at": 0.5})
        self.run_bad("solve", path, "--p-s", 2, status=2, says="range 0 to 1")
        self.run_bad("solve", path, "--solver", "spbi", status=2,
                     says="sbpi|")
        self.run_bad("solve", path, "--solver=sbpi", "--margn", "off", status=2,
                     says="--margin")
        self.run_bad("solve", self.path("none.txt"), status=3,
                     says="none.txt")
        self.run_bad("solve", path, "--weights-out", "/nowhere/w", status=4,
                     says="/nowhere/w")

    def test_the_echo_has_the_values_used(self):
        """Numbers left to the program are echoed as chosen: given back they
        lead to the same weights."""
        path = self.instance()
        for solver, chosen in (("sbpi", ("k",)), ("bpd", ("damping",
                               "tolerance")), ("rbp", ("gamma", "damping",
                                                       "h_max"))):
            first = self.run_json("solve", path, "--solver", solver)
            given = []
            for name in chosen:
                self.assertGreater(first["options"][name], 0)
                given += ["--" + name.replace("_", "-"),
                          repr(first["options"][name])]
            again = self.run_json("solve", path, "--solver", solver, *given)
            self.assertEqual(again["options"], first["options"])
            self.assertEqual(again["weights"], first["weights"])
            asked = self.run_json("solve", path, "--solver", solver,
                                  "--" + chosen[0], "auto")
            self.assertEqual(asked["options"], first["options"])
        told = self.run_json("bp", path)["options"]
        self.assertEqual((told["damping"], told["kernel"]), (0.4, "plain"))
        told = self.run_json("solving-time", "--n", 480, "--alpha", 0.1,
                             "--fin", 0.3, "--a", 40, "--trials", 2)
        self.assertEqual(told["options"]["k"], 21)

    def test_a_file_of_weights_is_one_line(self):
        path, out = self.instance(), self.path("w.txt")
        told = self.run_json("solve", path, "--weights-out", out)
        with open(out) as f:
            self.assertEqual(f.read(), told["weights"] + "\n")

    def test_many_weights_are_not_printed(self):
        path = self.generate(n=1001, m=10, fin=0.3, a=40)
        said = self.run_ok("solve", path)
        self.assertIn("--weights-out FILE writes the 1001 weights", said)
        self.assertNotRegex(said, "[01]{100}")
        path = self.generate(n=1000, m=10, fin=0.3, a=40)
        self.assertRegex(self.run_ok("solve", path), "\n[01]{1000}\n")

    def test_large_seed(self):
        told = self.run_json("solve", self.instance(), "--seed", 2**64 - 1)
        self.assertEqual(int(told["seed"]), 2**64 - 1)

    def endless(self):
        path = self.instance(n=300, alpha=1)
        return ("solve", path, "--max-sweeps", 1000000000, "--anyway", "--json")

    def test_progress_on_a_terminal_only(self):
        path = self.instance(n=300, alpha=1)
        self.assertEqual(bperc("solve", path, "--max-sweeps", 20000,
                               "--anyway")[2], "")
        shown = OnTerminal(*self.endless())
        self.assertTrue(shown.read_until("sweeps", "errors", "per second",
                                         "at most"), shown.shown)
        shown.interrupt()

    def test_interrupted_run_tells_what_it_has(self):
        trace = self.path("t.h5")
        run = OnTerminal(*self.endless(), "--trace", trace,
                         "--trace-weights", "5")
        self.assertTrue(run.read_until("sweeps"), run.shown)
        code, out = run.interrupt()
        self.assertEqual(code, 130)
        told = json.loads(out)
        self.assertEqual(told["status"], "unsolved")
        self.assertGreater(told["steps"], 0)
        self.assertIn("interrupted", run.shown)
        self.assertTrue(os.path.exists(trace))


    def test_a_time_limit_ends_any_search(self):
        """A problem that no weights solve, with a budget without end."""
        path = self.path("no.txt", "70 2 5\n1 " + "1" * 70 + "\n0 " + "1" * 70
                         + "\n")
        code, out, err = bperc("solve", path, "--solver", "sbpi",
                               "--max-sweeps", "1e9", "--time-limit", "0.1",
                               "--json")
        told = json.loads(out)
        self.assertEqual((code, told["errors"], len(told["weights"])),
                         (1, 1, 70))
        self.assertEqual(err, "bperc: stopped at the time limit of 0.1 s\n")
        hard = self.path("hard.txt", "120 1 4\n1 " + "1" * 120 + "\n")
        self.run_bad("enumerate", hard, "--time-limit", "0.1", status=1,
                     says="stopped at the time limit of 0.1 s")

if __name__ == "__main__":
    main()
