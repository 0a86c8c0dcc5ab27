"""Every picture and claim of the experiments, on made-up results.

made_up.c fills a store for all tasks of all plans; bperc then makes tables,
verdicts and pictures as it does after a measurement. So a script that asks for
a column which its plan no longer makes is found without measuring anything.
"""
import json
import os
import re
import shutil
import subprocess
import unittest

from harness import BPERC, Case, main

EXPERIMENTS = os.environ["EXPERIMENTS"]
INSTANCES = 3  # of a point at most, whatever the plan says
# What a test says that has no rows, or too few in a series.
NOTHING = re.compile(r"not measured: [^;[]*|too few points|a point has a single value")
# gnuplot as it is, which also says what it would say to a terminal.
LISTENER = """#!/bin/sh
"{gnuplot}" "$@" 2> "{log}.now"
status=$?
case "$*" in *figure.gp*) cat "{log}.now" >> "{log}";; esac
cat "{log}.now" >&2
exit $status
"""


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class Pictures(Case):
    def copy_plans(self):
        """The experiments with few instances of every point."""
        folder = self.path("experiments")
        shutil.copytree(EXPERIMENTS, folder)
        names = sorted(name for name in os.listdir(folder)
                       if os.path.exists(f"{folder}/{name}/plan"))
        for name in names:
            with open(f"{folder}/{name}/plan") as plan:
                text = plan.read()
            self.path(f"experiments/{name}/plan", re.sub(
                r"(?m)^(instances\S*) = (\d+)$",
                lambda m: f"{m[1]} = {min(int(m[2]), INSTANCES)}", text))
        return folder, names

    def listen(self):
        """The environment in which gnuplot's messages are kept."""
        os.makedirs(self.path("bin"))
        script = self.path("bin/gnuplot", LISTENER.format(
            gnuplot=shutil.which("gnuplot"), log=self.path("messages", "")))
        os.chmod(script, 0o755)
        return dict(os.environ, PATH=f"{self.path('bin')}:{os.environ['PATH']}")

    def check(self, scale):
        folder, names = self.copy_plans()
        store, out = self.path("made_up.db"), self.path("out")
        subprocess.run([os.environ["MADE_UP"], store, scale, "1",
                        *(f"{folder}/{name}" for name in names)], check=True)
        env = self.listen()
        done = subprocess.run(
            [BPERC, "reproduce", "all", "--experiments", folder, "--scale",
             scale, "--seed", "1", "--store", store, "--out", out, "--trust",
             "--json"], text=True, capture_output=True, env=env)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertNotIn("gnuplot", done.stderr)
        with open(self.path("messages")) as messages:
            self.assertEqual(messages.read(), "")
        self.check_answer(done.stdout, folder, names)
        for name in names:
            for end in ("svg", "pdf"):
                self.check_picture(f"{out}/{name}/{name}.{end}")

    def check_answer(self, text, folder, names):
        answer = json.loads(text)
        self.assertEqual(answer["tasks"]["done"], 0)
        self.assertEqual(answer["tasks"]["failed"], 0)
        self.assertEqual(answer["tasks"]["found"], answer["tasks"]["total"])
        stated = []
        for name in names:
            if os.path.exists(f"{folder}/{name}/claims"):
                with open(f"{folder}/{name}/claims") as claims:
                    stated += re.findall(r"(?m)^\[claim (\S+)\]", claims.read())
        self.assertEqual(sorted(c["id"] for c in answer["claims"]),
                         sorted(stated))
        self.assertLessEqual({c["verdict"] for c in answer["claims"]},
                             {"holds", "fails", "undecided"})
        empty = {c["id"]: NOTHING.findall(c["measured"])
                 for c in answer["claims"] if NOTHING.search(c["measured"])}
        self.assertEqual(empty, {})

    def check_picture(self, path):
        with open(path, "rb") as picture:
            data = picture.read()
        self.assertTrue(data.rstrip().endswith((b"</svg>", b"%%EOF")), path)

    def test_quick_scale(self):
        self.check("quick")

    def test_paper_scale(self):
        self.check("paper")


if __name__ == "__main__":
    main()
