"""What users of 0.1 stumbled over: on that version every test but
test_solved_starts (a matter of documents) fails."""
import os
import random
import re

from harness import Case, bperc, main

HERE = os.path.dirname(os.path.abspath(__file__))


class Users(Case):
    def wrong_label(self):
        """A problem that weights solve, and one pattern with both labels."""
        dice = random.Random(11)
        n, rows = 61, []
        teacher = [dice.random() < 0.5 for _ in range(n)]
        while len(rows) < 40:
            x = [dice.random() < 0.5 for _ in range(n)]
            total = sum(a and b for a, b in zip(x, teacher))
            if total not in (14, 15, 16):
                rows.append((int(total > 15), "".join(map(str, map(int, x)))))
        rows.append((1 - rows[7][0], rows[7][1]))
        return self.path("wrong.txt", f"{n} {len(rows)} {n / 15.5!r}\n" + "".join(
            f"{label} {x}\n" for label, x in rows))

    def document(self, name):
        with open(os.path.join(HERE, "..", "..", "docs", name)) as f:
            return f.read()

    def test_one_wrong_label_is_searched_around(self):  # U1
        told = self.run_json("solve", self.wrong_label(), status=1)
        self.assertEqual(told["status"], "unsatisfiable")
        self.assertEqual((told["errors"], told["unavoidable"]), (1, 1))
        self.assertIn("1", told["weights"])

    def test_how_good_weights_are(self):  # U2
        path, weights = self.wrong_label(), self.path("w.txt")
        self.run_json("solve", path, "--restarts", 2, "--class-weights",
                      "balanced", "--weights-out", weights, status=1)
        told = self.run_json("check", path, weights, "--sums", status=1)
        self.assertEqual(sum(told["confusion"].values()), 41)
        self.assertAlmostEqual(told["accuracy"], 40 / 41)
        self.assertEqual(len(told["sums"]), 41)
        model = self.path("m.txt")
        self.run_json("fit", path, "--model-out", model)
        with open(path) as f:
            rows = [line.split()[1] for line in f.read().splitlines()[1:]]
        status, out, err = bperc("predict", model, self.path(
            "bare.txt", "\n".join(rows) + "\n"))
        self.assertEqual((status, len(out.splitlines())), (0, 41), err)

    def test_thresholds_of_files(self):  # U3
        path, weights = self.path("p.txt"), self.path("w.txt")
        self.run_ok("generate", "--n", 25, "--m", 5, "--fin", 0.5, "--a", 12,
                    "--seed", 1, "--out", path)
        self.run_ok("solve", path, "--weights-out", weights)
        svm = self.path("p.svm")
        self.run_ok("export", path, "--format", "svmlight", "--out", svm)
        for file in (path, svm):  # the comment of p.svm says how to read it
            self.run_ok("check", file, weights)
            self.run_ok("check", file, weights, "--a", 3, status=1)
            self.run_ok("check", file, weights, "--threshold", 4, status=1)

    def test_no_patterns(self):  # W13
        path, svm = self.path("e.txt", "4 0 3\n"), self.path("e.svm")
        self.run_ok("export", path, "--format", "svmlight", "--out", svm)
        told = self.run_json("solve", svm)
        self.assertEqual((told["n"], told["m"]), (4, 0))
        lp = self.run_ok("export", path, "--format", "lp")
        between = re.search("Subject To\n(.*)Binary", lp, re.S).group(1)
        self.assertTrue(between.strip())  # CBC wants a constraint

    def test_capacity_says_where_it_stops(self):  # W13
        args = ("capacity", "--solver", "sbpi", "--n", 7, "--fin", 0.5, "--a",
                4, "--fout", 1e-9, "--trials", 3)
        told = self.run_json(*args)
        self.assertEqual((told["at_limit"], told["limit"]), (3, 4 * 7 + 64))
        self.assertIn("92 patterns", self.run_ok(*args))

    def test_whole_thresholds(self):  # W14
        """7 / 0.7 is 10 but for rounding: a sum of 10 is a tie."""
        rows = "7 1 0.7\n1 " + "1" * 7 + "\n"
        self.run_ok("check", self.path("t.txt", rows),
                    self.path("w.txt", "1" * 7), "--ties", "either", status=1)
        rows = "20 1 2\n0 " + "1" * 10 + "0" * 10 + "\n"
        path = self.path("t.txt", rows.replace(" 2\n", " 1.9999999999999998\n"))
        ones = self.path("w.txt", "1" * 20)
        self.run_ok("check", path, ones)
        self.run_ok("check", path, ones, "--ties", "strict", status=1)
        told = self.run_json("solve", path, "--solver", "sbpi", "--initial",
                             ones)
        self.assertEqual(told["steps"], 0)
        self.assertIn("within a relative 1e-9 of a whole number",
                      self.document("formats.md"))

    def test_solved_starts(self):  # W14
        told = self.run_json("solve", self.path("e.txt", "4 0 3\n"),
                             "--solver", "sbpi")
        self.assertEqual(told["steps"], 1)
        self.assertIn("random start that is a solution counts as one sweep",
                      " ".join(self.document("sbpi.md").split()))

    def test_help(self):  # U13
        for command in ("generate", "capacity", "solving-time"):
            text = self.run_ok(command, "--help")
            self.assertNotIn("default -1", text)
            self.assertNotIn("number of weights N (default 0)", text)
            self.assertIn("needed", text)
        self.assertNotIn("--threads", self.run_ok("check", "--help"))

    def test_text_answers(self):  # U14
        path = self.path("p.txt")
        self.run_ok("generate", "--n", 12, "--m", 5, "--fin", 0.5, "--a", 4,
                    "--seed", 3, "--out", path)
        plain = self.run_ok("enumerate", path)
        more = self.run_ok("enumerate", path, "--overlaps", 10,
                           "--correlations")
        self.assertGreater(len(more.splitlines()), len(plain.splitlines()) + 3)
        big = self.path("big.txt")
        self.run_ok("generate", "--n", 2000, "--m", 20, "--fin", 0.5, "--a",
                    40, "--seed", 3, "--out", big)
        self.assertLess(len(self.run_ok("bp", big).splitlines()), 10)
        self.assertLess(len(self.run_ok("solve", big)), 1000)
        text = self.run_ok("solving-time", "--solver", "sbpi", "--n", 60,
                           "--alpha", 0.1, "--fin", 0.5, "--a", 12,
                           "--trials", 20)
        self.assertIn("95 %", text)
        self.assertNotIn("+- 0.00", text)

    def test_correlated_data(self):  # U15
        """Copies of eight columns with few exceptions."""
        dice = random.Random(4)
        rows = []
        for _ in range(60):
            source = [dice.random() < 0.5 for _ in range(8)]
            x = [int(source[i % 8] ^ (dice.random() < 0.05))
                 for i in range(160)]
            rows.append(f"{int(dice.random() < 0.5)} "
                        + "".join(map(str, x)) + "\n")
        path = self.path("c.txt", "160 60 8\n" + "".join(rows))
        for command in (("bp", path), ("solve", path, "--solver", "bpd")):
            status, out, err = bperc(*command)
            self.assertEqual(status, 1, out)
            self.assertIn("as on correlated inputs", err)
            self.assertIn("--solver sbpi", err)


if __name__ == "__main__":
    main()
