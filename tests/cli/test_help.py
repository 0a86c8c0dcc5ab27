"""Help, manual pages and completion: every key that a command prints is
documented, every solver's options are in the manual, defaults are real."""
import json
import os
import re
import shutil
import subprocess
import unittest

from harness import Case, bperc, main

PLAN = """[block b]
measurement = solving
solver = sbpi
alpha = 0.2
a = 12
fin = 0.5
n = 21
instances = 2
"""


def names():
    """All commands."""
    return re.findall(r"^  ([a-z][a-z-]*) ", bperc("--help")[1], re.M)


def documented(command):
    """The keys that --help names, without those inside of braces."""
    said = bperc(command, "--help")[1].partition("\nJSON keys:\n")[2]
    keys = set()
    for line, below in re.findall(r"^  (\S.*)\n( {26})?", said, re.M):
        left = line if below else line[:24]
        while re.search(r"\[?\{[^{}]*\}\]?", left):
            left = re.sub(r"\[?\{[^{}]*\}\]?", "", left)
        keys.update(left.split())
    return keys


class Help(Case):
    def answers(self):
        """A cheap answer of every command, and more where keys differ."""
        p = self.generate(n=21, m=6, fin=0.5, a=12, seed=3)
        w, m = self.path("w.txt"), self.path("m.txt")
        plan = self.path("small.plan", PLAN)
        where = ["--out", self.path("out"), "--store", self.path("s.db")]
        self.run_ok("solve", p, "--weights-out", w)
        ensemble = "--n 21 --fin 0.5 --a 12".split()
        theory = "--a 12 --fin 0.5".split()
        near = [*theory, "--alpha", 0.3, "--distances", "0.1,0.2"]
        return [
            ["generate", *ensemble, "--m", 6, "--out", self.path("q.txt")],
            ["solve", p], ["solve", p, "--solver", "bpd"],
            ["check", p, w, "--sums"],
            ["fit", p, "--folds", 2, "--restarts", 1, "--model-out", m],
            ["predict", m, p],
            ["infer", p, "--teacher", w, "--steps"],
            ["walk", p, w, "--sweeps", 3],
            ["walk", p, self.path("no.txt", "0" * 21 + "\n"), "--sweeps", 3],
            ["local-entropy", p, w, "--points", 2],
            ["xcorr", p, "--marginals", "exact", "--matrix"],
            ["enumerate", p, "--pairs", "--overlaps", 2, "--correlations",
             "--around", w],
            ["enumerate", p, "--count-only"], ["enumerate", p, "--sample", 2],
            ["decimate", p, "--marginals", "exact"],
            ["decimate", p, "--marginals", "bp"],
            ["embed", p, "--points", 20],
            ["export", p, "--format", "opb", "--out", self.path("p.opb")],
            ["capacity", *ensemble, "--trials", 2],
            ["solving-time", *ensemble, "--m", 4, "--trials", 2, "--each"],
            ["theory", "capacity", *theory],
            ["theory", "entropy", *theory, "--alpha", 0.3],
            ["theory", "geometry", *theory, "--alpha", 0.3],
            ["theory", "curve", "--a", 12, "--fin", 0.5],
            ["theory", "franz-parisi", *near],
            ["theory", "large-deviation", *near],
            ["theory", "alpha-u", *theory],
            ["theory", "capacity", "--weights", "pm", "--band", 1],
            ["theory", "entropy", "--weights", "pm", "--band", 1, "--alpha", 1],
            ["theory", "generalisation", "--activity", 0.1, "--alpha", 0.3,
             "--steps", 2],
            ["bp", p], ["bp", self.path("never.txt", "3 1 0.5\n1 111\n")],
            ["sweep", plan, *where], ["report", plan, *where],
            ["store", "check", self.path("s.db")],
            ["store", "merge", self.path("t.db"), self.path("s.db")],
        ]

    # Keys that no cheap answer has.
    ELSEWHERE = {
        "theory": {"from", "to", "y", "references", "saddle", "reason",
                   "ended"},
        "enumerate": {"not_computed"}, "solve": {"proof", "proof_errors"},
        "sweep": {"shard"},
        "reproduce": {"claims", "tally", "complete", "scale", "out", "tasks",
                      "shard"},
    }

    def test_keys_of_every_command_are_documented(self):
        printed = {name: set() for name in names()}
        for call in self.answers():
            code, out, err = bperc(*call, "--json")
            self.assertIn(code, (0, 1), (call, err))
            answer = json.loads(out)
            printed[call[0]].update(answer)
            self.assertLessEqual(set(answer), documented(call[0]), call)
        for name, keys in printed.items():
            self.assertEqual(documented(name) - keys,
                             self.ELSEWHERE.get(name, set()), name)

    def test_defaults_are_values_that_one_can_give(self):
        for name in names():
            said = bperc(name, "--help")[1]
            self.assertNotRegex(said, r"default -1\b", name)
            self.assertNotRegex(said, r"--(n|a|m|alpha) .*default 0\b", name)
        said = bperc("generate", "--help")[1]
        for option in ("n", "fin", "a", "m", "alpha"):
            self.assertRegex(said, rf"--{option} .*needed")
        self.assertRegex(bperc("export", "--help")[1], "--format .*needed")

    def test_common_options_where_they_do_something(self):
        for name, without in (("check", ("seed", "threads", "quiet")),
                              ("predict", ("seed", "preset", "time-limit")),
                              ("generate", ("threads", "preset"))):
            said = bperc(name, "--help")[1]
            for option in without:
                self.assertNotIn(f"--{option} ", said, name)
            self.assertIn("--json", said)
        self.assertIn("--preset ", bperc("bp", "--help")[1])

    def test_manual_pages(self):
        for name in names():
            page = bperc("__man", name)[1]
            self.assertIn(f"\n.SH NAME\nbperc-{name} \\- ", page)
            for part in ("OPTIONS", "JSON KEYS", "EXIT STATUS", "EXAMPLES"):
                self.assertIn(f"\n.SH {part}\n", page, name)
            if shutil.which("lexgrog"):
                path = self.path(f"bperc-{name}.1", page)
                said = subprocess.run(["lexgrog", path], text=True, check=True,
                                      capture_output=True).stdout
                self.assertIn(f'"bperc-{name} - ', said)
        for name in ("solve", "capacity", "solving-time"):
            page = bperc("__man", name)[1]
            for solver in ("sbpi", "auto", "amp", "rbp", "bpd", "exact", "ecp"):
                self.assertIn(f"\\-\\-solver {solver}\n", page)
                own = bperc(name, "--solver", solver, "--help")[1]
                own = own.partition(f"\n{solver} options:")[2]
                for option in re.findall(r"^  --([a-z-]+)",
                                         own.partition("\n\n")[0], re.M):
                    self.assertIn("\\-\\-" + option.replace("-", "\\-"), page)

    def test_completion_is_read_by_its_shell(self):
        for shell, says in (("bash", "complete -o filenames -F _bperc bperc"),
                            ("zsh", "#compdef bperc"),
                            ("fish", "complete -c bperc -n")):
            text = bperc("__completion", shell)[1]
            self.assertIn(says, text)
            for name in names():
                self.assertIn(name, text)
            self.assertIn("max-sweeps", text)
            if shutil.which(shell):
                subprocess.run([shell, "-n", self.path(shell, text)],
                               check=True)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.path("bperc", bperc("__completion", "bash")[1])
        line = " ".join(f"'{word}'" for word in words)
        return subprocess.run(
            ["bash", "-c", f". {script}; COMP_WORDS=({line}); "
             f"COMP_CWORD={len(words) - 1}; _bperc; echo ${{COMPREPLY[*]}}"],
            check=True, text=True, capture_output=True).stdout.split()

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_offers_values(self):
        script = self.path("bperc.fish", bperc("__completion", "fish")[1])
        said = [subprocess.run(
            ["fish", "-N", "-c", f"source {script}; complete -C '{line}'"],
            check=True, text=True, capture_output=True,
            env={**os.environ, "HOME": self.path("home")}).stdout
            for line in ("bperc solve --solver b", "bperc capacity --max-sw")]
        self.assertTrue(said[0].startswith("bpd\t"), said)
        self.assertTrue(said[1].startswith("--max-sweeps\t"), said)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_offers_values(self):
        """What zsh's own functions are called with."""
        script = self.path("_bperc", bperc("__completion", "zsh")[1])

        def said(words):
            return subprocess.run(
                ["zsh", "-f", "-c", "_arguments() { print -rl -- $@ }; "
                 "_describe() { print -rl -- ${(P)2} }; "
                 f"words=({words} ''); CURRENT=$#words; . {script}"],
                check=True, text=True, capture_output=True).stdout
        self.assertIn("\nenumerate:the exact", said("bperc"))
        self.assertRegex(said("bperc solve"),
                         r"--solver\[.*\]:value:\(sbpi auto [a-z ]*bpd")

    def test_bash_offers_values(self):
        self.assertEqual(self.complete("bperc", "solve", "--solver", "b"),
                         ["bpd"])
        self.assertEqual(self.complete("bperc", "enum"), ["enumerate"])
        self.assertIn("--max-sweeps",
                      self.complete("bperc", "capacity", "--max"))


if __name__ == "__main__":
    main()
