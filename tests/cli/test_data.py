"""Own data: tables, fit, predict."""
import os
import random
import subprocess

from harness import BPERC, Case, bperc, main

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                        "examples", "data")


def table(rows, seed, flip=0.0, columns=12):
    """A CSV text: two classes told apart by sums of noisy numbers."""
    dice = random.Random(seed)
    lines = ["kind," + ",".join(f"x{k}" for k in range(columns))]
    for _ in range(rows):
        kind = dice.random() < 0.5
        shown = kind != (dice.random() < flip)
        lines.append(("yes" if shown else "no") + "," + ",".join(
            f"{dice.gauss(0.9 if kind else 0, 1):.3f}"
            for _ in range(columns)))
    return "\n".join(lines) + "\n"


class Data(Case):
    def fit(self, *more, train=None, status=0):
        path = self.path("train.csv", train or table(200, 1))
        return path, self.run_json(
            "fit", path, "--label", "kind", "--binarise", "levels=4",
            "--no-complement", "--model-out", self.path("m.txt"), *more,
            status=status)

    def test_fit_predict_and_held_out_rows(self):
        test = self.path("test.csv", table(300, 2))
        train, told = self.fit("--test", test)
        self.assertGreater(told["test"]["accuracy"], 0.85)
        self.assertEqual(told["m"], 200)
        self.assertEqual(told["n"], 48)
        for name, rows in (("train", 200), ("validation", 200), ("test", 300)):
            score = told[name]
            cells = score["confusion"]
            self.assertEqual(sum(cells.values()), rows)
            self.assertEqual(score["errors"], cells["fp"] + cells["fn"])
            self.assertAlmostEqual(score["accuracy"],
                                   1 - score["errors"] / rows)
        # The labels that predict prints give the same errors.
        for path, name in ((train, "train"), (test, "test")):
            out = self.run_ok("predict", self.path("m.txt"), path).split()
            with open(path) as f:
                true = [line.split(",")[0] for line in f][1:]
            self.assertEqual(sum(a != b for a, b in zip(out, true)),
                             told[name]["errors"])
            self.assertEqual(len(out), len(true))
            code = 1 if told[name]["errors"] else 0
            judged = self.run_json("check", path, self.path("m.txt"), "--sums",
                                   status=code)
            self.assertEqual(judged["errors"], told[name]["errors"])
            for key in ("accuracy", "balanced_accuracy", "confusion"):
                self.assertEqual(judged[key], told[name][key])
            scores = self.run_json("predict", self.path("m.txt"),
                                   path)["scores"]
            self.assertEqual([s - told["threshold"] for s in judged["sums"]],
                             scores)
        out = self.run_json("predict", self.path("m.txt"), test)
        self.assertEqual([s > 0 for s in out["scores"]],
                         [x == "yes" for x in out["labels"]])
        out = self.run_ok("predict", self.path("m.txt"), test, "--scores")
        self.assertEqual(len(out.splitlines()[0].split("\t")), 2)

    def test_rows_without_labels_and_with_other_columns(self):
        test = table(50, 3)
        lines = [line.split(",") for line in test.splitlines()]
        self.fit()
        whole = self.run_ok("predict", self.path("m.txt"),
                            self.path("t.csv", test))
        # No label, columns in another order, one more.
        other = "\n".join(",".join(["9"] + line[:0:-1]) for line in lines)
        other = other.replace("9,", "more,", 1)
        self.assertEqual(whole, self.run_ok("predict", self.path("m.txt"),
                                            self.path("o.csv", other)))
        self.run_bad("check", self.path("o.csv"), self.path("m.txt"),
                     status=3, says="no labels")
        self.run_bad("predict", self.path("m.txt"),
                     self.path("s.csv", "x0,x1\n1,2\n"), status=3,
                     says="column 'x2'")

    def test_the_same_for_any_number_of_threads(self):
        told = [self.fit("--threads", t, "--folds", 3)[1] for t in (1, 2, 3)]
        for one in told:
            del one["seconds"]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])
        other = self.fit("--seed", 2)[1]
        self.assertNotEqual(other["weights"], told[0]["weights"])

    def test_a_contradiction_costs_one_error(self):
        text = table(100, 5)
        row = text.splitlines()[1]
        kind, rest = row.split(",", 1)
        other = ("no" if kind == "yes" else "yes") + "," + rest + "\n"
        told = self.fit("--complement", "--folds", 0, train=text + other)[1]
        self.assertEqual(told["unavoidable"], 1)
        self.assertLessEqual(told["train"]["errors"], 4)
        self.assertIsNone(told["validation"])

    def test_cross_validation_leaves_few_training_errors(self):
        """One row of a real table with both labels: one error is due."""
        with open(os.path.join(EXAMPLES, "cancer-train.csv")) as f:
            head, *rows = f.read().splitlines()
        label, rest = rows[11].split(",", 1)
        other = ({row.split(",")[0] for row in rows} - {label}).pop()
        path = self.path("c.csv", "\n".join([head] + rows + [
            other + "," + rest]) + "\n")
        told = self.run_json("fit", path, "--binarise", "levels=8",
                             "--complement")
        self.assertEqual(told["unavoidable"], 1)
        self.assertLessEqual(told["train"]["errors"], 2)
        self.assertTrue(told["polished"])
        self.assertLess(told["validation"]["errors"], 25)

    def test_tiny_tables(self):
        """Two of three are 1, or one of three: threshold 1.5 and no error."""
        rows = ["1,1,1,0", "1,0,1,1", "1,1,0,1", "0,1,0,0", "0,0,1,0",
                "0,0,0,1"]
        path = self.path("t.csv", "\n".join(["label,a,b,c"] + rows) + "\n")
        for more in ([], ["--folds", 0], ["--complement"], ["--weights", "pm"],
                     ["--folds", 0, "--complement"]):
            told = self.run_json("fit", path, *more)
            self.assertEqual(told["train"]["errors"], 0, more)
        status, out, err = bperc("fit", path)
        self.assertEqual((status, err), (0, "bperc: the rarer label has 3 "
                                         "rows: validation in 3 parts\n"))
        self.assertIn("threshold 1.5", out)

    def test_one_row_of_each_label(self):
        path = self.path("t.csv", "label,a,b,k\n1,1,1,7\n0,1,0,7\n")
        status, out, err = bperc("fit", path)
        self.assertEqual(status, 0)
        self.assertIn("one label has a single row: no validation", err)
        self.assertIn("2 rows, 2 inputs", out)  # k is constant
        told = self.run_json("fit", path)
        self.assertEqual(told["train"]["errors"], 0)
        self.assertIsNone(told["validation"])
        self.run_bad("fit", self.path("k.csv", "label,k\n1,7\n0,7\n"),
                     status=3, says="all are constant, dropped or the label")

    def test_weights_that_can_only_add(self):
        text = table(100, 5).replace("yes", "A").replace("no", "Z")
        err = bperc("fit", self.path("r.csv", text), "--no-complement",
                    "--binarise", "median")[2]
        self.assertIn("try --complement or --weights pm", err)
        self.assertEqual(bperc("fit", self.path("r.csv"), "--complement")[2],
                         "")

    def test_class_weights(self):
        text = table(300, 6)
        few = [line for k, line in enumerate(text.splitlines())
               if not line.startswith("yes") or k % 5 == 0]
        train = "\n".join(few) + "\n"
        plain = self.fit("--folds", 0, "--thresholds", 8, train=train)[1]
        heavy = self.fit("--folds", 0, "--thresholds", 8, "--class-weights",
                         "1,10", train=train)[1]
        self.assertLessEqual(heavy["train"]["confusion"]["fn"],
                             plain["train"]["confusion"]["fn"])
        self.fit("--class-weights", "balanced", train=train)
        self.run_bad("fit", self.path("train.csv"), "--class-weights", "1",
                     status=2, says="--class-weights: '1'")

    def test_pm_weights_and_given_lists(self):
        told = self.fit("--weights", "pm", "--thresholds", "-2.5,0.5,3.5",
                        "--kappas", "0,2")[1]
        self.assertEqual(len(told["tried"]), 6)
        self.assertIn(told["threshold"], (-2.5, 0.5, 3.5))
        self.assertGreater(told["train"]["accuracy"], 0.75)

    def test_instance_files(self):
        path = self.generate(n=60, alpha=0.5, fin=0.5, a=8)
        told = self.run_json("fit", path, "--model-out", self.path("i.txt"),
                             "--folds", 0)
        out = self.run_ok("predict", self.path("i.txt"), path).split()
        with open(path) as f:
            true = [line[0] for line in f][1:]
        self.assertEqual(sum(a != b for a, b in zip(out, true)),
                         told["train"]["errors"])
        other = self.generate(n=61, alpha=0.5, fin=0.5, a=8)
        self.run_bad("predict", self.path("i.txt"), other, status=3,
                     says="61 inputs, the model 60")

    def test_instance_files_without_labels(self):
        path = self.generate(n=60, alpha=0.5, fin=0.5, a=8)
        self.run_json("fit", path, "--model-out", self.path("i.txt"),
                      "--folds", 0)
        want = self.run_ok("predict", self.path("i.txt"), path)
        with open(path) as f:
            head, *rows = f.read().splitlines()
        bits = [row.split()[1] for row in rows]
        pairs = [" ".join(f"{i + 1}:1" for i, b in enumerate(row) if b == "1")
                 for row in bits]
        for text in (head + "\n" + "\n".join(bits), "\n".join(bits),
                     "\n".join(pairs), "\n".join("1 " + x for x in pairs)):
            other = self.path("bare.txt", text + "\n")
            self.assertEqual(self.run_ok("predict", self.path("i.txt"), other),
                             want, text[:80])
        self.run_bad("check", self.path("bare.txt", "\n".join(bits) + "\n"),
                     self.path("i.txt"), status=3, says="no labels")
        self.run_bad("solve", self.path("bare.txt"), status=3, says="bare.txt")
        self.run_bad("predict", self.path("i.txt"),
                     self.path("b.txt", bits[0] + "\n" + bits[1][1:] + "\n"),
                     status=3, says="b.txt:2: 59 bits where 60 are due")
        self.run_bad("predict", self.path("i.txt"),
                     self.path("b.txt", "61:1\n"), status=3,
                     says="index 61 is beyond N = 60")

    def test_values_of_svmlight_without_labels(self):
        train = "1 1:0.5 2:7\n0 1:3 2:1\n1 1:0.1 2:9\n0 1:4 2:2\n"
        self.run_ok("fit", self.path("v.svm", train), "--folds", 0,
                    "--model-out", self.path("v.txt"))
        want = self.run_ok("predict", self.path("v.txt"), self.path("v.svm"))
        self.assertEqual(want.split(), ["1", "0", "1", "0"])
        bare = "\n".join(x[2:] for x in train.splitlines()) + "\n"
        self.assertEqual(want, self.run_ok("predict", self.path("v.txt"),
                                           self.path("b.svm", bare)))
        # Values that could also be inputs of an instance file.
        self.assertEqual(
            self.run_ok("predict", self.path("v.txt"),
                        self.path("c.svm", "1 1:0 2:1\n0 1:1\n")).split(),
            self.run_ok("predict", self.path("v.txt"),
                        self.path("d.csv", "1,2\n0,1\n1,0\n")).split())
        self.run_bad("fit", self.path("b.svm"), status=3,
                     says="b.svm: its rows have no labels")

    def test_tables_for_every_command(self):
        """The same answer from a table as from its rows as an instance."""
        path = self.path("t.csv", table(12, 4, columns=9))
        rules = ("--label", "kind", "--binarise", "levels=2", "--threshold", 4,
                 "--complement")
        self.run_ok("export", path, "--format", "text", *rules, "--out", self.path("p.txt"))
        with open(self.path("p.txt")) as f:
            self.assertEqual(f.readline(), "36 12 0 threshold=4\n")
        self.run_ok("solve", path, *rules, "--weights-out", self.path("w.txt"))
        for words in (("solve",), ("check", self.path("w.txt")),
                      ("bp",), ("xcorr", "--marginals", "bp"),
                      ("local-entropy", self.path("w.txt")),
                      ("walk", self.path("w.txt"), "--sweeps", 5),
                      ("enumerate", "--count-only"), ("decimate",)):
            told = [self.run_json(words[0], file, *words[1:], *more)
                    for file, more in ((path, rules),
                                       (self.path("p.txt"), ()))]
            for one in told:
                for key in ("seconds", "options", "file"):
                    one.pop(key, None)
            self.assertEqual(told[0], told[1], words)
        # A stands for the threshold N/A, complements counted.
        a = self.run_ok("export", path, "--format", "text", *rules[:4], "--complement", "--a", 9)
        self.assertEqual(a.split("\n")[0], "36 12 9")
        self.run_bad("solve", path, status=3, says="give --a or --threshold")
        self.run_bad("solve", path, "--a", 9, "--label", "sort", status=3,
                     says="there is no column 'sort'")
        self.run_bad("solve", self.path("p.txt"), "--label", "kind", status=3,
                     says="label is for tables")

    def test_rows_of_a_file_as_patterns(self):
        path = self.path("t.csv", table(40, 4, columns=9))
        rules = ("--label", "kind", "--binarise", "levels=2", "--complement")
        self.run_ok("export", path, "--format", "text", *rules, "--threshold",
                    8.5, "--out", self.path("p.txt"))
        with open(self.path("p.txt")) as f:
            rows = f.read().splitlines()[1:]
        drawn = [self.run_ok("generate", "--data", path, *rules, "--threshold",
                             8.5, "--m", m, "--seed", seed).splitlines()[1:]
                 for m, seed in ((40, 1), (15, 1), (40, 2))]
        # An order of all rows; fewer are its beginning; seeds differ.
        self.assertEqual(sorted(drawn[0]), sorted(rows))
        self.assertEqual(drawn[1], drawn[0][:15])
        self.assertNotEqual(drawn[2], drawn[0])
        self.assertEqual(sorted(drawn[2]), sorted(rows))
        told = [self.run_json("capacity", "--data", file, *more, "--trials", 6,
                              "--threads", threads)
                for file, more, threads in (
                    (path, rules + ("--threshold", 8.5), 1),
                    (self.path("p.txt"), (), 2))]
        self.assertEqual(told[0]["patterns"], told[1]["patterns"])
        self.assertEqual((told[0]["n"], told[0]["rows"], told[0]["limit"]),
                         (36, 40, 40))
        self.assertLessEqual(max(told[0]["patterns"]), 40)
        told = self.run_json("solving-time", "--data", self.path("p.txt"),
                             "--m", 10, "--trials", 5)
        self.assertEqual((told["m"], told["n"]), (10, 36))
        for words, status, says in (
                (("--m", 41), 2, "41 patterns of a file with 40 rows"),
                (("--m", 4, "--fin", 0.5), 2, "--fin is for random patterns"),
                (("--m", 4, "--teacher-out", self.path("w")), 2,
                 "teacher-out is for random")):
            self.run_bad("generate", "--data", self.path("p.txt"), *words,
                         status=status, says=says)
        self.run_bad("capacity", "--data", self.path("none.csv"), status=3,
                     says="none.csv: No such file")

    def test_what_is_refused(self):
        self.run_bad("fit", self.path("e.csv", "label,a\n1,2\n1,3\n"),
                     status=3, says="two are wanted")
        self.path("f.csv", "label,a\n1,2\n2,\n")
        for value in ("-Inf", "inf"):
            self.run_bad("fit", self.path("h.csv",
                                          f"label,a\n1,2\n0,{value}\n"),
                         status=3, says="h.csv:3: column 'a' is infinite")
        self.run_bad("predict", self.path("e.csv"), self.path("f.csv"),
                     status=3, says="this is no model file")
        self.path("g.csv", "label,a\n1,2\n2,4\n")
        self.run_bad("fit", self.path("g.csv"), "--folds", 0, "--thresholds",
                     ",".join(map(str, range(65))), status=2,
                     says="fit tries at most 64 thresholds")
        self.run_bad("fit", self.path("g.csv"), "--binarise", "half",
                     status=3, says="binarise: 'half'")
        self.assertFalse(os.path.exists(self.path("m.txt")))

    def test_tables_from_pipes(self):
        """A pipe can be read once, and is looked at before."""
        text = "label,a,b\n1,1.5,2\n0,0.5,3\n1,1.7,2\n0,0.3,3\n"
        model = self.path("m.txt")
        status, out, err = bperc("fit", "-", "--folds", 0, "--binarise",
                                 "median", "--no-complement", "--model-out",
                                 model, stdin=text)
        self.assertEqual((status, out.splitlines()[0]), (
            0, "4 rows, 2 inputs; 1 is '1', 0 is '0'"), err)
        for name in ("-", "/dev/stdin"):
            status, out, err = bperc("predict", model, name, stdin=text)
            self.assertEqual((status, out), (0, "1\n0\n1\n0\n"), err)
            status, out, err = bperc("check", name, model, stdin=text)
            self.assertEqual(status, 0, err)
        with open(self.path("t.txt", text)) as f:  # a file as standard input
            self.assertEqual(subprocess.run(
                [BPERC, "predict", model, "-"], stdin=f, text=True,
                capture_output=True).stdout, "1\n0\n1\n0\n")
        # The second file of a command; instance files are read as before.
        problem = self.path("p.txt", "3 2 0 threshold=1.5\n1 110\n0 011\n")
        for name in ("-", "/dev/stdin"):
            status, out, err = bperc("check", problem, name, stdin="100\n")
            self.assertEqual(status, 1, err)
        with open(problem) as f:
            text = f.read()
        self.assertEqual(bperc("solve", "-", stdin=text)[0], 0)
        status, out, err = bperc("fit", "-", stdin="\x93NUMPY")
        self.assertEqual(status, 3)

    def test_wide_tables(self):
        wide = 100000
        dice = random.Random(3)
        lines = ["label," + ",".join(f"c{k}" for k in range(wide))]
        for k in range(4):
            lines.append(f"{k % 2}," + ",".join(
                str(dice.getrandbits(1)) for _ in range(wide)))
        told = self.run_json("fit", self.path("w.csv", "\n".join(lines)),
                             "--folds", 0)
        self.assertEqual((told["n"], told["train"]["errors"]), (wide, 0))


if __name__ == "__main__":
    main()
