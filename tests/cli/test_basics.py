"""The frame of the program: help, version, mistyped words, exit codes."""
import json
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

    def test_mistyped_words_are_answered_with_the_nearest(self):
        self.run_bad("genrate", status=2, says="'generate'")
        self.run_bad("generate", "--fni", "0.1", status=2, says="--fin")
        self.run_bad("check", status=2, says="usage")
        self.run_bad("sweep", status=2, says="see bperc sweep --help")
        self.run_bad("help", "solv", status=2, says="'solv': did you mean "
                     "'solve'?")
        self.run_bad("--nope", status=2, says="no option --nope")
        self.run_bad("solve", "p", "--gamma", 1, status=2,
                     says="no option --gamma with --solver auto")
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
            preexec_fn=small, timeout=60)
        self.assertEqual((done.returncode, done.stderr),
                         (4, "bperc: not enough memory\n"))


if __name__ == "__main__":
    main()
