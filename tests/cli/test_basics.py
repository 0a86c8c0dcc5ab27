"""The frame of the program: help, version, mistyped words, exit codes."""
import json
import math
import re
import resource
import subprocess

from harness import BPERC, Case, case, main


class Basics(Case):
    def test_json_numbers_have_the_digits_they_need(self):
        path = self.path("digits.txt", "6 3 2.5\n1 011011\n0 100100\n1 111010\n")

        def digits(literal):
            return len(re.sub("[^0-9]", "", re.split("[eE]", literal)[0]
                              .lstrip("-0.")).rstrip("0"))
        seen = []
        for command in (["bp", path], ["solve", path, "--solver", "sbpi"],
                        ["enumerate", path],
                        ["theory", "capacity", "--a", "40", "--fin", "0.3"]):
            text = self.run_ok(*command, "--json")
            json.loads(text, parse_float=lambda word: seen.append(word))
        self.assertGreater(len(seen), 20)
        self.assertIn("0.3", seen)
        for word in seen:
            self.assertEqual(digits(word), digits(repr(float(word))), word)

    def test_help_and_version(self):
        self.assertIn("generate", self.run_ok("--help"))
        self.assertTrue(self.run_ok("--version").startswith("bperc "))
        self.assertIn("--fin", self.run_ok("generate", "--help"))

    def test_help_that_is_not_printed_is_no_success(self):
        for words in (["--help"], ["--version"], ["help", "solve"],
                      ["store", "--help"], ["__man"], ["__man", "solve"],
                      ["__completion", "bash"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([BPERC, *words], stdout=full, text=True,
                                      stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr),
                             (4, "bperc: standard output: No space left on "
                                 "device\n"), words)

    def test_mistyped_words_are_answered_with_the_nearest(self):
        self.run_bad("genrate", status=2, says="'generate'")
        self.run_bad("generate", "--fni", "0.1", status=2, says="--fin")
        self.run_bad("check", status=2, says="usage")
        self.run_bad("sweep", status=2, says="see bperc sweep --help")
        self.run_bad("help", "solv", status=2, says="'solv': did you mean "
                     "'solve'?")
        self.run_bad("--nope", status=2, says="no option --nope")
        self.run_bad("solve", "p", "--gamma", 1, status=2,
                     says="no option --gamma with --solver auto: it is one of "
                     "--solver rbp")
        self.run_bad("generate", "--A", 40, status=2, says="mean --a?")
        self.run_bad("generate", "--n", 21, "--fin", 0.5, "--a", 12, "--m", 4,
                     "--alpha", 0.2, status=2,
                     says="give --m or --alpha, not both")
        self.run_bad("capacity", "--alpha", 0.2, status=2,
                     says="no option --alpha, which is one of generate, "
                     "solving-time")
        self.assertIn("solve", self.run_ok("help", "--help"))

    def test_generate_and_check(self):
        path = self.path("p.txt")
        told = self.run_json("generate", "--n", 30, "--alpha", 0.5, "--fin",
                             0.3, "--a", 6, "--seed", 9, "--out", path)
        self.assertEqual((told["n"], told["m"], told["seed"]), (30, 15, 9))
        with open(path) as f:
            lines = f.read().splitlines()
        self.assertEqual(len(lines), 16)
        told = self.run_json("check", path, self.path("w.txt", "0" * 30 + "\n"),
                             status=1)
        ones = [k for k, line in enumerate(lines[1:]) if line[0] == "1"]
        self.assertEqual(told["violated"], ones)

    def test_arguments_in_the_wrong_order(self):
        path = self.generate(n=21, m=6, fin=0.5, a=12)
        weights, model = self.path("w.txt", "0" * 21 + "\n"), self.path("m.txt")
        self.run_ok("fit", path, "--folds", 2, "--model-out", model)
        for call in (["check", weights, path], ["check", model, path],
                     ["walk", weights, path], ["local-entropy", weights, path],
                     ["predict", path, model]):
            self.run_bad(*call, status=3, says="are in the wrong order")
        self.run_bad("check", self.path("none"), path, status=3,
                     says="No such file")

    def test_a_solved_share_has_an_interval(self):
        """Of Clopper and Pearson: 20 of 20 are 0.025^(1/20) or more."""
        for seed in range(1, 9):
            call = ["solving-time", "--n", 21, "--m", 3 + seed, "--fin", 0.5,
                    "--a", 12, "--trials", 20, "--seed", seed]
            told, said = self.run_json(*call), self.run_ok(*call)
            low, high = map(float, re.search(
                r"between (\S+) and (\S+) % \(95", said).groups())
            k = told["solved"]

            def chance(wanted, p):
                return sum(math.comb(20, j) * p**j * (1 - p)**(20 - j)
                           for j in wanted)
            self.assertIn(f"solved   {k} of 20", said)
            near = (-0.00051, 0.00051)  # as it is printed
            if k > 0:
                a, b = (chance(range(k, 21), low / 100 + d) for d in near)
                self.assertTrue(a < 0.025 < b, said)
            if k < 20:
                a, b = (chance(range(k + 1), high / 100 - d) for d in near)
                self.assertTrue(a < 0.025 < b, said)
            self.assertEqual(high == 100, k == 20)
        said = self.run_ok("solving-time", "--n", 120, "--m", 12, "--fin", 0.3,
                           "--a", 12, "--trials", 20)
        self.assertIn("20 of 20, 100 %, between 83.2 and 100 %", said)

    def test_values_out_of_range(self):
        self.run_bad("generate", "--n", 10, "--m", 3, "--fin", 1.5, "--a", 4,
                     status=2, says="range")
        self.run_bad("solve", "a", "--max-sweeps", -3, status=2,
                     says="--max-sweeps: '-3' is not in the range")
        self.run_bad("check", "a", "b", "--seed", "-1", status=2, says="seed")
        self.run_bad("check", case("c01.txt"), "--ties", "maybe", "w",
                     status=2, says="zero|strict|either")

    def test_no_memory_is_said(self):
        def small():
            resource.setrlimit(resource.RLIMIT_AS, (3 * 10**8, 3 * 10**8))
        done = subprocess.run(
            [BPERC, *"solving-time --n 10 --fin 0.3 --a 5 --m 2".split(),
             "--trials", "1e7"], text=True, capture_output=True,
            preexec_fn=small, timeout=300)
        self.assertEqual((done.returncode, done.stderr),
                         (4, "bperc: not enough memory\n"))


class Band(Case):
    """Constraints on both sides."""

    def setUp(self):
        super().setUp()
        self.p = self.path("band.txt")
        self.run_ok("generate", "--n", 15, "--m", 6, "--weights", "pm",
                    "--inputs", "pm", "--band", 3, "--out", self.p)

    def test_through_the_program(self):
        with open(self.p) as file:
            self.assertIn("band=3", file.readline())
        told = self.run_json("generate", "--n", 15, "--m", 6, "--weights",
                             "pm", "--inputs", "pm", "--band", 3, "--out",
                             self.path("again.txt"))
        self.assertEqual((told["band"], told["fout"]), (3, 1))
        w = self.path("w.txt")
        self.assertTrue(self.run_json("solve", self.p, "--weights-out",
                                      w)["solved"])
        self.assertTrue(self.run_json("check", self.p, w)["satisfied"])
        told = self.run_json("check", self.p, w, "--sums")
        self.assertTrue(all(abs(s) <= 3 for s in told["sums"]))
        self.assertEqual(told["accuracy"], 1)
        count = self.run_json("enumerate", self.p)["count"]
        self.assertEqual(self.run_json("enumerate", self.p, "--band", 3.9,
                                       "--count-only")["count"], count)
        self.assertNotEqual(self.run_json("enumerate", self.p, "--band", 4.9,
                                          "--count-only")["count"], "0")
        self.run_ok("walk", self.p, w, "--sweeps", 5)
        self.run_json("decimate", self.p, "--marginals", "exact")
        self.run_ok("capacity", "--solver", "sbpi", "--n", 15, "--weights",
                    "pm", "--inputs", "pm", "--band", 3, "--trials", 2)
        opb = self.run_ok("export", self.p, "--format", "opb")
        self.assertEqual(opb.count(" ;"), 12)

    def test_refused(self):
        for line in (("bp", self.p),
                     ("xcorr", self.p, "--marginals", "bp")):
            self.run_bad(*line, says="both sides", status=2)
        self.run_bad("generate", "--n", 15, "--m", 6, "--weights", "pm",
                     "--inputs", "pm", "--band", 3, "--kappa", 1, says="both",
                     status=2)
        mixed = self.path("mixed.txt")
        self.run_ok("generate", "--n", 15, "--m", 6, "--weights", "pm",
                    "--inputs", "pm", "--band", 3, "--fout", 0.5, "--out",
                    mixed)
        for line in (("solve", mixed), ("enumerate", mixed),
                     ("export", mixed, "--format", "lp")):
            self.run_bad(*line, says="outside", status=2)


if __name__ == "__main__":
    main()
