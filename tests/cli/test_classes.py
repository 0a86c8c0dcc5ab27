"""Tables as they are, two and more classes, probabilities."""
import json
import math
import random

from harness import Case, bperc, main


def overlapping(rows, seed, classes=3, holes=0.0, label="kind"):
    """A CSV text: classes whose numbers and words overlap."""
    dice = random.Random(seed)
    centre = ((0, 0), (1.5, 0.3), (0.2, 1.5), (1.6, 1.6))
    lines = [f"{label},x,y,job"]
    for _ in range(rows):
        k = dice.randrange(classes)
        cells = [f"{dice.gauss(c, 0.7):.3f}" for c in centre[k]]
        cells.append(("none", "clerk", "cook", "guard")[
            k if dice.random() < 0.5 else dice.randrange(classes)])
        cells = ["" if dice.random() < holes else c for c in cells]
        lines.append(",".join([f"k{k}"] + cells))
    return "\n".join(lines) + "\n"


class Fits(Case):
    def fit(self, text, *more, status=0):
        return self.run_json("fit", self.path("train.csv", text),
                             "--model-out", self.path("m.txt"), "--folds", 2,
                             *more, status=status)

    def predict(self, text, *more):
        return self.run_json("predict", self.path("m.txt"),
                             self.path("new.csv", text), *more)

    def model(self):
        with open(self.path("m.txt")) as f:
            return f.read()


class Tables(Fits):
    def test_missing_values_become_inputs(self):
        rows = ["label,x,job"]
        for k in range(30):  # only what is missing tells the labels apart
            rows.append(f"{k % 2},{'' if k % 2 else k % 7},"
                        f"{'none' if k % 3 else 'NA'}")
        told = self.fit("\n".join(rows) + "\n")
        self.assertEqual(told["train"]["errors"], 0)
        self.assertIn('column missing "x"\n', self.model())
        self.assertIn('column missing "job"\n', self.model())
        self.assertIn('column is "job" "none"\n', self.model())
        told = self.predict("x,job\n,none\n3,none\nnan,\n")
        self.assertEqual(told["labels"], ["1", "0", "1"])
        self.assertEqual(told["unseen"], [])

    def test_two_empty_cells_in_a_row(self):
        told = self.fit("label,a,b,c\n" + "1,,,2\n0,1,,1\n1,,3,2\n0,2,4,1\n" * 3)
        self.assertEqual(told["m"], 12)

    def test_words_for_missing_values(self):
        text = "label,x\n" + "1,-99\n0,3\n1,-99\n0,5\n" * 5
        self.fit(text)
        self.assertNotIn("column missing", self.model())
        self.fit(text, "--missing", "-99,unknown")
        self.assertIn('missing "-99" "unknown"', self.model())
        self.assertIn('column missing "x"', self.model())

    def test_unseen_words_are_named_and_counted(self):
        text = "label,job,x\n" + "1,cook,1\n0,clerk,2\n1,,3\n0,clerk,1.5\n" * 4
        self.fit(text)
        told = self.predict("job,x\npilot,1\n,1\npilot,1\ncook,\n",
                            "--scores")
        self.assertEqual(told["unseen"], [
            {"column": "job", "text": "pilot", "count": 2},
            {"column": "x", "text": "", "count": 1}])
        self.assertEqual(told["scores"][0], told["scores"][1])
        _, _, err = bperc("predict", self.path("m.txt"), self.path("new.csv"))
        self.assertIn("'pilot' was not there in training", err)

    def test_ids_and_dates_are_refused(self):
        dice = random.Random(1)
        for cell, says in (
                (lambda k: f"2024-05-{k + 1:02}", "holds dates"),
                (lambda k: f"{k + 1}.5.2024 12:00", "holds dates"),
                (lambda k: str(1000 + k), "numbers the rows"),
                (lambda k: f"p{dice.random()}", "another text in every row")):
            rows = [f"{k % 2},{dice.random():.3f},{cell(k)}"
                    for k in range(25)]
            self.run_bad("fit", self.path("t.csv", "label,a,when\n" +
                                          "\n".join(rows) + "\n"),
                         status=3, says=says)

    def test_weights_of_rows(self):
        """A row of weight 3 is three rows."""
        dice = random.Random(5)
        rows, copies = [], []
        for _ in range(60):
            label, weight = dice.randrange(2), dice.choice((0, 1, 3))
            cells = f"{label},{dice.gauss(label, 1.5):.2f}"
            rows.append(f"{cells},{weight}")
            copies += [cells] * weight
        cut = ("--binarise", "0.5", "--thresholds", "0.5", "--folds", 0)
        told = self.fit("label,x,w\n" + "\n".join(rows) + "\n", *cut,
                        "--sample-weight", "w")
        same = self.fit("label,x\n" + "\n".join(copies) + "\n", *cut)
        self.assertEqual(told["weights"], same["weights"])
        self.run_bad("fit", self.path("t.csv", "label,x,w\n1,2,-1\n0,3,1\n"),
                     "--sample-weight", "w", status=3, says="from 0 on")

    def test_an_array_with_a_label_column_is_refused(self):
        """A model of svmlight columns cannot know which one is the label."""
        import numpy as np
        dice = random.Random(2)
        rows = [(k % 2, [k % 2 + dice.random() for _ in range(4)])
                for k in range(20)]
        self.run_ok("fit", self.path("t.svm", "".join(
            f"{y} " + " ".join(f"{j + 1}:{v:.3f}" for j, v in enumerate(x)) +
            "\n" for y, x in rows)), "--folds", 0, "--model-out",
            self.path("m.txt"))
        np.save(self.path("four.npy"), np.array([x for _, x in rows]))
        np.save(self.path("five.npy"), np.array([[y] + x for y, x in rows]))
        out = self.run_ok("predict", self.path("m.txt"), self.path("four.npy"))
        self.assertEqual(len(out.split()), 20)
        self.run_bad("predict", self.path("m.txt"), self.path("five.npy"),
                     status=3, says="which column is the label")

    def test_models_of_version_1_predict_as_before(self):
        self.path("m.txt", "bperc model 1\nweights 01\nthreshold 1.5\nkappa 0\n"
                  "ties zero\ncomplement no\nlabel \"label\"\n"
                  "zero \"no\"\none \"yes\" \"yes\"\n"
                  "column above \"a\" 0.5 2\ncolumn is \"x\" \"red\"\n"
                  "column bit \"s\"\nbits 1101\nend\n")
        told = self.predict("a,x,s\n3,red,0\n1,red,1\n1,blue,0\n0,red,1\n")
        self.assertEqual(told["labels"], ["yes", "yes", "no", "no"])
        self.assertEqual(told["scores"], [0.5, 0.5, -0.5, -0.5])
        self.assertIsNone(told["probabilities"])


class Classes(Fits):
    def test_every_scheme(self):
        train, test = overlapping(300, 1), overlapping(400, 2)
        self.path("test.csv", test)
        for scheme, units in (("rest", 3), ("pairs", 3)):
            told = self.fit(train, "--scheme", scheme, "--test",
                            self.path("test.csv"))
            self.assertEqual((told["classes"], told["scheme"]),
                             (["k0", "k1", "k2"], scheme))
            self.assertEqual(len(told["weights"]), units)
            self.assertGreater(told["test"]["accuracy"], 0.78)
            for name, m in (("train", 300), ("validation", 300),
                            ("test", 400)):
                matrix = told[name]["confusion"]
                self.assertEqual(sum(map(sum, matrix)), m)
                self.assertEqual(told[name]["errors"], m - sum(
                    matrix[k][k] for k in range(3)))
            # predict says the same of the test rows.
            labels = self.predict(test)["labels"]
            true = [line.split(",")[0] for line in test.splitlines()[1:]]
            self.assertEqual(sum(a != b for a, b in zip(labels, true)),
                             told["test"]["errors"])

    def test_the_best_scheme_is_chosen(self):
        told = self.fit(overlapping(200, 3, classes=4))
        tried = {t["scheme"]: t["errors"] for t in told["schemes"]}
        self.assertEqual(set(tried), {"rest", "pairs", "bits"})
        self.assertEqual(tried[told["scheme"]], min(tried.values()))
        self.assertEqual(told["validation"]["errors"], min(tried.values()))

    def check_calibration(self, classes, seed):
        """Of predictions with about the same probability that share is right:
        the sum over all is within four standard errors in every bin."""
        self.fit(overlapping(600, seed, classes))
        test = overlapping(3000, seed + 1, classes)
        told = self.predict(test, "--probabilities")
        names = told["classes"]
        bins = {}
        for line, row in zip(test.splitlines()[1:], told["probabilities"]):
            self.assertAlmostEqual(sum(row), 1)
            for name, p in zip(names, row):
                cell = bins.setdefault(min(int(5 * p), 4), [0.0, 0.0, 0])
                cell[0] += p
                cell[1] += p * (1 - p)
                cell[2] += line.startswith(name + ",")
        for expected, variance, found in bins.values():
            # 0.03 of a share for the error of a link learnt from 600 rows
            slack = 4 * math.sqrt(variance) + 0.05 * expected + 0.03 * 600
            self.assertLess(abs(found - expected), slack, (classes, bins))

    def test_probabilities_are_calibrated(self):
        self.check_calibration(2, 11)
        self.check_calibration(3, 13)

    def test_validation_is_of_held_out_rows(self):
        """Two labels: the link's held-out rows are those of the validation."""
        told = self.fit(overlapping(150, 4, classes=2))
        self.assertEqual(told["classes"], ["k0", "k1"])
        self.assertEqual(told["scheme"], "two")
        self.assertIn("\nlink ", self.model())
        self.assertTrue(told["complete"])

    def test_damaged_models(self):
        self.fit(overlapping(120, 6), "--scheme", "pairs")
        good = self.model()
        rows = self.path("new.csv", overlapping(5, 7))
        self.run_ok("predict", self.path("m.txt"), rows)
        for old, new, says in (
                ("unit -+0", "unit -+", "marks"),
                ("unit -+0", "unit -x0", "a mark +, - or 0"),
                ("scheme pairs", "scheme two", "want 'scheme'"),
                ('class "k2" "k2"\n', "", "want 'scheme'"),
                ("sharpness ", "sharpness -", "above 0"),
                ("bits 0", "bits 00", "bits"),
                ("bits 1", "bits 11", "bits"),
                ("end\n", "", "cut off")):
            text = good.replace(old, new, 1)
            if text == good:
                continue
            self.run_bad("predict", self.path("bad.txt", text), rows, status=3,
                         says=says)

    def test_time_limit_leaves_the_best_so_far(self):
        dice = random.Random(8)
        wide = ["label," + ",".join(f"c{k}" for k in range(200))]
        for k in range(3000):
            wide.append(f"{dice.randrange(2)}," + ",".join(
                str(dice.randrange(2)) for _ in range(200)))
        train = self.path("train.csv", "\n".join(wide) + "\n")
        model = self.path("m.txt")
        code, out, err = bperc("fit", train, "--time-limit", 2, "--model-out",
                               model, "--json", "--sweeps", 1000000000,
                               "--scan-sweeps", 1000000000)
        self.assertEqual(code, 1, err)
        told = json.loads(out)
        self.assertFalse(told["complete"])
        self.assertIsNone(told["validation"])
        judged = self.run_json("check", train, model, status=1)
        self.assertEqual(judged["errors"], told["train"]["errors"])


if __name__ == "__main__":
    main()
