"""Pictures: made from tables, by trusted scripts only, whole or not at all."""
import os
import subprocess

from harness import BPERC, main
from sweeping import SweepCase


class Plots(SweepCase):
    def run_sweep(self, *more, status, out="out"):
        done = subprocess.run(
            [BPERC, "sweep", self.path("toy"), "--out", self.path(out), *more],
            text=True, capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def picture(self, out="out", name="toy.svg"):
        with open(self.path(f"{out}/toy/{name}")) as f:
            return f.read()

    def test_a_plan_without_a_script_has_a_picture(self):
        self.experiment()
        self.run_sweep(status=1)
        svg = self.picture()
        self.assertIn("</svg>", svg)
        self.assertIn("(a) curve", svg)
        self.assertIn("(c) curve", svg)
        self.assertTrue(os.path.getsize(self.path("out/toy/toy.pdf")))
        self.assertNotIn("logscale x\nset", self.picture(name="panels.gp")
                         .replace("unset logscale", "unset"))
        with open(self.path("out/index.html")) as f:
            self.assertIn("data:image/svg+xml", f.read())

    def test_logarithmic_axes_where_they_fit(self):
        os.makedirs(self.path("toy"))
        self.path("toy/plan", "[block c]\nmeasurement = toy\ninstances = 2\n"
                  "top = 0\nx = 0.5 1 5 50 500\n")
        self.run_sweep(status=0)
        self.assertIn("\nset logscale x\n", self.picture(name="panels.gp"))

    def says_not_run(self):
        """The caption of a script does not stand below another picture."""
        with open(self.path("out/index.html")) as f:
            return "the script of this experiment was not run" in f.read()

    def test_a_script_runs_when_it_is_trusted(self):
        self.experiment()
        mark = self.path("mark")
        self.path("toy/plot.gp", f"system 'touch {mark}'\nset title 'mine'\n"
                  'plot curve using (column("x")):(pick("x", word(curve_x, 2), '
                  '"y")):(err("y_sem")) with yerrorbars ls 1\n')
        self.run_sweep(status=1)
        self.assertFalse(os.path.exists(mark))
        self.assertNotIn("mine", self.picture())
        self.assertTrue(self.says_not_run())
        self.run_sweep("--trust", status=1)
        self.assertFalse(self.says_not_run())
        self.assertTrue(os.path.exists(mark))
        self.assertIn("mine", self.picture())
        os.remove(mark)
        for more in ((), ("--store", self.path("out/store.db"))):
            subprocess.run([BPERC, "report", self.path("toy"), *more, "--out",
                            self.path("r")], capture_output=True)
        self.run_bad("report", self.path("toy"), "--trust", status=2,
                     says="--trust")
        self.assertFalse(os.path.exists(mark))

    def test_a_failing_script_leaves_nothing_half_written(self):
        self.experiment()
        self.run_sweep(status=1)
        self.path("toy/plot.gp", "plot sin(x)\nplot nothing\n")
        done = self.run_sweep("--trust", status=4)
        self.assertIn("toy: gnuplot failed: line 2", done.stderr)
        self.assertFalse([n for n in os.listdir(self.path("out/toy"))
                          if n.endswith((".svg", ".pdf", ".part"))])
        with open(self.path("out/index.html")) as f:
            page = f.read()
        self.assertNotIn("data:image", page)
        self.assertIn("</html>", page)

    def test_claims_without_a_kept_verdict_are_not_left_out(self):
        self.experiment()
        self.run_json("reproduce", "all", "--experiments", self.folder.name,
                      "--out", self.path("o"), "--scale", "paper", "--save",
                      status=1)
        with open(self.path("toy/paper.tsv")) as f:
            lines = f.readlines()
        self.path("toy/paper.tsv", "".join(
            n.replace(", bperc ", ", bperc 0.0.") for n in lines
            if not n.startswith("T2\t")))
        got = self.run_json("report", "--experiments", self.folder.name,
                            "--out", self.path("k"), status=0)
        self.assertEqual([(c["id"], c["verdict"]) for c in got["claims"]],
                         [("T1", "holds"), ("T2", "undecided")])
        self.assertIn("no verdict", got["claims"][1]["measured"])
        with open(self.path("k/index.html")) as f:
            page = f.read()
        self.assertIn("verdicts by the rules of that version", page)
        self.assertIn("1 of 1 experiments", page)
        self.assertIn('title="undecided">?</span>these tables have no verdict',
                      page)

    def test_hostile_saved_tables(self):
        self.experiment()
        self.run_json("reproduce", "all", "--experiments", self.folder.name,
                      "--out", self.path("o"), "--scale", "paper", "--save",
                      status=1)
        with open(self.path("toy/paper.tsv")) as f:
            good = f.read()
        mark = self.path("mark")
        for old, new in (
                ('curve = "', f'curve = "< touch {mark} #'),
                ('scale = "paper"', f'scale = "`touch {mark}`"'),
                ("## variables\n", f"## variables\nsystem 'touch {mark}'\n"),
                ("## table curve\n", "## table ../../curve\n")):
            self.assertIn(old, good)
            self.path("toy/paper.tsv", good.replace(old, new))
            self.run_bad("report", "--experiments", self.folder.name, "--out",
                         self.path("k"), status=3, says="paper.tsv")
            self.assertFalse(os.path.exists(mark))
        self.path("toy/paper.tsv", good.replace("y has one", "<img onerror=x>"))
        self.run_json("report", "--experiments", self.folder.name, "--out",
                      self.path("k"), status=1)
        with open(self.path("k/index.html")) as f:
            self.assertNotIn("<img o", f.read())


if __name__ == "__main__":
    main()
