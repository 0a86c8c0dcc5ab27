"""Proofs: accepted by a checker that shares nothing with the library; damaged ones are
not. Wide problems are proven."""
import random
import re

import proof_checker
from harness import Case, main

KINDS = ((), ("--weights", "pm"), ("--inputs", "pm"),
         ("--weights", "pm", "--inputs", "pm"))


class Proofs(Case):
    def problem(self, k):
        """Number k, of a kind that turns with it; n, path."""
        n = 12 + 2 * (k % 4)
        path = self.path(f"p{k}.txt", self.run_ok(
            "generate", "--n", n, "--fin", 0.5, "--a", 5, "--alpha", 1.6,
            "--seed", k, *KINDS[k % 4]))
        return n, path, ("--ties", ("zero", "strict", "either")[k % 3],
                         *(("--kappa", 0.7) if k % 5 == 4 else ()))

    def read(self, path):
        with open(path) as f:
            return f.read()

    def proven(self, path, model, fewest):
        opb, pbp = self.path("p.opb"), self.path("p.pbp")
        self.run_ok("export", path, *model, "--format", "opb", "--out", opb,
                    *(["--soft"] if fewest else []))
        told = self.run_json("solve", path, *model, "--quick-sweeps", 5,
                             "--max-iterations", 5, "--proof-errors" if fewest
                             else "--proof", pbp, status=1)
        self.assertEqual(told["status"], "unsatisfiable")
        if fewest:
            self.assertEqual(told["proof_errors"]["errors"], told["errors"])
        else:
            self.assertTrue(told["proof"]["proven"])
        return self.read(opb), self.read(pbp), told

    def test_refutations_and_optima(self):
        for k in range(1, 9):
            n, path, model = self.problem(k)
            with self.subTest(k=k, n=n):
                opb, pbp, told = self.proven(path, model, k % 3 == 0)
                self.assertEqual(proof_checker.check(opb, pbp),
                                 ("BOUNDS", told["errors"]) if k % 3 == 0
                                 else "UNSAT")

    def test_damaged_ones_are_refused(self):
        """A line that is missing, a sign, a factor, a bound: whatever is claimed then
        does not follow, or is not what the proof says."""
        dice = random.Random(3)
        _, path, model = self.problem(4)
        opb, pbp, _ = self.proven(path, model, False)
        lines = pbp.splitlines()
        last = len(lines) - 4  # the contradiction that is concluded
        refused = 0
        for _ in range(100):
            at, bad = dice.randrange(2, last + 1), list(lines)
            how = dice.randrange(3)
            if how == 0:
                bad[-2] = f"conclusion UNSAT : {dice.randrange(1, 5)} ;"
            elif how == 1:
                del bad[dice.randrange(2, last + 1)]
            else:
                bad[at] = f"pol {len(lines) + at} 1 + ;"
            try:
                proof_checker.check(opb, "\n".join(bad) + "\n")
            except proof_checker.Wrong:
                refused += 1
        self.assertEqual(refused, 100)
        # The proof does not fit another problem.
        solvable = re.sub(r">= (-?\d+) ;", lambda m: f">= {int(m[1]) - 90} ;", opb)
        with self.assertRaises(proof_checker.Wrong):
            proof_checker.check(solvable, pbp)

    def test_wide_problems(self):
        path = self.path("w.txt", self.run_ok(
            "generate", "--n", 150, "--fin", 0.1, "--a", 25, "--alpha", 0.6,
            "--seed", 3))
        told = self.run_json("solve", path, "--solver", "exact", status=1)
        self.assertEqual(told["status"], "unsatisfiable")
        told = self.run_json("solve", self.generate(n=200, m=40, fin=0.1, a=20,
                                                    seed=1), "--solver", "exact")
        self.assertEqual((told["status"], told["errors"]), ("solved", 0))


if __name__ == "__main__":
    main()
