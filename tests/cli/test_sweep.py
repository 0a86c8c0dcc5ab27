"""Sweeps: verdicts, tables, pages, bad plans, reports, names."""
import filecmp
import json
import os
import random
import re
import shutil
import subprocess

from harness import BPERC, CASES, bperc, main
from sweeping import CLAIMS, PLAN, SweepCase, tables

SCRIPTS = ("figure.gp", "panels.gp", "style.gp")
EXAMPLES = os.path.join(CASES, "../../examples")


class Sweep(SweepCase):
    def test_verdicts_tables_and_page(self):
        told = self.sweep(self.experiment(), "out")
        self.assertEqual([(c["id"], c["verdict"]) for c in told["claims"]],
                         [("T1", "holds"), ("T2", "fails")])
        self.assertTrue({"measured", "expected"} <= set(told["claims"][0]))
        found = tables(self.path("out"))
        self.assertEqual(set(found), {"curve.tsv", "curve.along.tsv", "top.tsv",
                                      "series.gp", "index.html", *SCRIPTS})
        head, *rows = found["curve.tsv"].splitlines()
        self.assertEqual(head.split("\t")[:5],
                         ["x", "y", "y_sem", "y_median", "y_n"])
        self.assertEqual(len(rows), 5)
        page = found["index.html"]
        self.assertLess(page.index(">T2<"), page.index(">T1<"))
        self.assertNotRegex(page, r"https?:|(src|href)=.(?!data:|#|toy/)")

    def test_instances_behind_a_claim(self):
        lines = self.run_ok("sweep", self.experiment(), "--out",
                            self.path("out"), "--list", "T1").splitlines()
        self.assertEqual(len(lines), 1 + 5 * 10)
        self.assertEqual(lines[0].split("\t")[3:5], ["instance", "seed"])
        self.run_bad("sweep", self.experiment(), "--out", self.path("none"),
                     "--list", "T9", status=2, says="no claim 'T9'")
        self.assertFalse(os.path.exists(self.path("none")))

    def test_measurements_are_documented(self):
        """docs/measurements.md is what `sweep --measurements` writes."""
        with open(os.path.join(CASES, "../../docs/measurements.md")) as f:
            self.assertEqual(f.read(), self.run_ok("sweep", "--measurements"))

    def test_a_claim_with_many_series(self):
        """The terminal shows some, the page all of them."""
        plan = self.experiment()
        self.path("toy/plan", "title = Many\n[block curve]\nmeasurement = toy\n"
                  "top = 0:199:1\nx = 0 1\ninstances = 2\n")
        self.path("toy/claims", "[claim T1]\ntext = rises\nexpected = rises\n"
                  "test = trend table=curve y=line x=x direction=up\n")
        told = self.run_ok("sweep", plan, "--out", self.path("out"))
        self.assertIn("... (all of them are in the page)", told)
        self.assertNotIn("top=199", told)
        self.assertRegex(tables(self.path("out"))["index.html"], r"top ?= ?199")

    def test_what_is_measured_in_vain_is_told(self):
        """Local entropies that no claim, formula or script of a plan names."""
        plan = ("[block b]\nmeasurement = geometry\norder = exact\nn = 8\n"
                "a = 5\nalpha = 0.2\nfin = 0.3 0.5\n%s\n")
        claim = ("[claim G]\ntext = t\nexpected = e\n"
                 "test = trend table=b.%s x=fin direction=down\n")

        def said(keys="", claims="step y=parisi_x", pictures="b.step:parisi_x"):
            self.path("geo/plan", (f"picture = {pictures}\n" if pictures else "\n")
                      + plan % keys)
            self.path("geo/claims", claim % claims)
            return bperc("sweep", self.path("geo"), "--out", self.path("out"),
                         "--quiet")[2]

        os.mkdir(self.path("geo"))
        remark = (r"geo/plan:2: .* do not name local3 or b\.near, .* block 'b': "
                  "the line 'local = no' leaves them out\n")
        self.assertRegex(said(), remark)
        self.assertRegex(said(claims="step y=decimated"), remark)
        drawn = "b.step:parisi_x"
        for keys, claims, pictures in (
                ("local = no", "step y=parisi_x", drawn),
                ("", "step y=local3", drawn),
                ("", "step y=parisi_x where=local3>0", drawn),
                ("", "near y=average", drawn),
                ("", "step y=parisi_x", "b.near:average"),
                ("", "step y=parisi_x", "*.step"),
                ("", "step y=parisi_x", "b.step:parisi_x local3"),
                ("[table b.step]\ncolumn twice = 2 * local3", "step y=twice",
                 drawn),
                ("", "step y=parisi_x", "")):
            with self.subTest(keys=keys, claims=claims, pictures=pictures):
                self.assertNotIn("leaves them out", said(keys, claims, pictures))

    def test_experiments_measure_nothing_in_vain(self):
        """The last of many parts: all plans are read, few short tasks run."""
        status, _, err = bperc("reproduce", "all", "--shard", "1000/1000",
                               "--store", self.path("part.db"), "--experiments",
                               os.path.join(CASES, "../../experiments"),
                               "--quiet")
        self.assertEqual((status, err), (0, ""))

    def test_a_rerun_does_only_what_is_missing(self):
        self.sweep(self.experiment(instances=4), "out")
        told = self.sweep(self.experiment(instances=6), "out")["tasks"]
        self.assertEqual((told["found"], told["done"]), (20, 10))

    def test_examples(self):
        """The plans of examples/ with few instances: every claim is judged."""
        for name in ("bins", "ties"):
            os.makedirs(self.path(f"ours/{name}"))
            for file in ("plan", "claims", "note.md", "plot.gp"):
                with open(os.path.join(EXAMPLES, name, file)) as f:
                    text = re.sub(r"(instances@quick) = \d+", r"\1 = 4",
                                  f.read())
                self.path(f"ours/{name}/{file}", text)
        for name, count in (("bins", 3), ("ties", 2)):
            _, out, _ = bperc("reproduce", name, "--experiments",
                              self.path("ours"), "--out", self.path(name),
                              "--json")
            told = json.loads(out)
            self.assertEqual([c["id"] for c in told["claims"]],
                             [f"{name}.{k + 1}" for k in range(count)])
            for claim in told["claims"]:
                self.assertIn(claim["verdict"], ("holds", "undecided"))
                self.assertTrue(claim["measured"])

    def test_rows_of_a_file(self):
        """data = FILE: found again, not confused with another file."""
        dice = random.Random(4)
        rows = ["%d,%s" % (k % 2, ",".join(str(dice.randrange(9))
                                           for _ in range(10)))
                for k in range(30)]
        head = "label," + ",".join("x%d" % k for k in range(10))
        plan = self.path("p.plan", """title = t
[block b]
measurement = solving
data = t.csv binarise=levels=2 complement
a = 0
threshold = 9.5
alpha = 0.2 0.5
instances = 3
[block c]
measurement = capacity
data = t.csv binarise=levels=2 complement
a = 0
threshold = 9.5
instances = 2
""")

        def tasks(lines):
            self.path("t.csv", "\n".join([head] + lines) + "\n")
            told = self.run_json("sweep", plan, "--out", self.path("out"))
            return told["tasks"]["found"], told["tasks"]["done"]

        self.assertEqual(tasks(rows), (0, 8))
        self.assertEqual(tasks(rows), (8, 0))
        self.assertEqual(tasks(["1" + rows[0][1:]] + rows[1:]), (0, 8))
        with open(plan) as f:
            text = f.read()

        def bad(old, new, says):
            self.run_bad("sweep", self.path("q.plan", text.replace(old, new)),
                         "--out", self.path("bad"), status=3, says=says)

        bad("data = t.csv", "data = none.csv", "q.plan:4: there is no data")
        bad("binarise=levels=2", "binarisse=median",
            "did you mean 'binarise'?")
        bad("alpha = 0.2 0.5", "alpha = 0.2 2", "of a file with 30 rows")
        bad("measurement = solving", "measurement = bethe",
            "draws its own patterns")

    def test_repeated_looks(self):
        """Undecided claims get four times the instances, a claim's rate is
        shared; decided experiments stay as they are."""
        os.makedirs(self.path("all/open"))
        os.makedirs(self.path("all/clear"))
        plan = PLAN.format(work=10, instances=3)
        claims = "[claim {}]\ntext = t\nexpected = e\n" \
            "test = above table=curve y=y value={} need=pooled\n"
        for name, value in (("open", -2.35), ("clear", -60)):
            self.path(f"all/{name}/plan", plan)
            self.path(f"all/{name}/claims", claims.format(name, value))

        def reproduce(out, *more):
            code, said, err = bperc(
                "reproduce", "all", "--experiments", self.path("all"), "--out",
                self.path(out), "--json", *more)
            self.assertIn(code, (0, 1), err)
            return json.loads(said), err

        once, err = reproduce("once")
        verdicts = {c["id"]: c["verdict"] for c in once["claims"]}
        self.assertEqual(verdicts, {"open": "undecided", "clear": "holds"})
        self.assertEqual((once["tasks"]["total"], err.count("look ")), (15, 0))
        looked, err = reproduce("looks", "--looks", 3)
        # 5 points with 3 instances, then 12; both experiments have the first 3
        self.assertEqual(looked["tasks"]["total"], 60)
        self.assertNotIn("undecided", [c["verdict"] for c in looked["claims"]])
        self.assertIn("look 1 of 3: undecided claims in 1 experiment, "
                      "more instances", err)
        first, shared = ([c["tests"][0]["numbers"][0] for c in said["claims"]
                          if c["id"] == "clear"][0] for said in (once, looked))
        self.assertEqual(first["estimate"], shared["estimate"])
        self.assertGreater(shared["critical"], first["critical"])
        with open(self.path("looks/index.html")) as page:
            self.assertIn("Looked at up to 3 times", page.read())
        self.run_bad("reproduce", "all", "--looks", 2, "--shard", "1/2",
                     status=2, says="not with --shard or --save")

    def test_bad_plans(self):
        def bad(text, says):
            self.run_bad("sweep", self.path("p.plan", text), "--out",
                         self.path("out"), status=3, says=says)
        bad("[block a]\nmeasurement = toy\nnosie = 1\n", ":3: ")
        bad("[block a]\nmeasurement = capcity\n", "did you mean 'capacity'")
        bad("[block a]\nmeasurement = capacity\nfin = 1.5\n", "range")
        bad("[block a]\nmeasurement = geometry\nn = 500\n", "128")
        self.assertFalse(os.path.exists(self.path("out")))
        self.run_bad("sweep", self.path("none.plan"), status=3, says="none.plan")

    def test_hostile_plans(self):
        """Names of a stranger's plan are refused with file and line."""
        good = "[block a]\nmeasurement = toy\nx = 0 1 2\n"
        derive = "\nfrom = a\nrule = argmax\nx = x\ny = y\n"

        def bad(text, says, name="p.plan"):
            self.run_bad("sweep", self.path(name, text), "--out",
                         self.path("out/in"), status=3, says=says)
        for name in ("../../x", "<img src=x onerror=alert(1)>", "`touch ran`",
                     "a b", "$(x)", "", "x\"y", "a" * 41):
            bad(good + f"[derive {name}]" + derive, ":4: ")
            bad(good + f"[table {name}]\ncolumn z = y\n", ":4: ")
            bad(good + f"[table a]\ncolumn {name} = y\n", ":5: ")
            bad(f"[block {name}]\nmeasurement = toy\n", ":1: ")
        for name in ("`touch ran`.plan", "<b>.plan", "a\"b.plan", "$x.plan"):
            bad(good, "is named by its folder", name)
        self.assertFalse(os.path.exists(self.path("out")))
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_strange_scripts_do_not_run(self):
        """plot.gp runs when it is installed with bperc or with --trust; saved
        tables that are more than tables are refused."""
        folder = self.experiment()
        ran = self.path("ran")
        self.path("toy/plot.gp", f"system('touch {ran}')\nplot sin(x)\n")
        where = ["--experiments", self.folder.name, "--out", self.path("o")]
        code, _, said = bperc("sweep", folder, "--out", self.path("o"),
                              "--quiet")
        self.assertEqual(code, 1, said)
        bperc("reproduce", "toy", "--scale", "paper", "--save", *where)
        bperc("report", folder, "--store", self.path("o/store.db"), "--out",
              self.path("o"))
        bperc("report", *where)
        self.assertFalse(os.path.exists(ran))
        with open(self.path("toy/paper.tsv")) as f:
            saved = f.read()
        for line in (f"x = system('touch {ran}')", f"x = \"`touch {ran}`\"",
                     f"`touch {ran}`", "load 'plot.gp'",
                     'x = "a" ; load "b"'):
            self.path("toy/paper.tsv", saved.replace(
                "## variables\n", f"## variables\n{line}\n"))
            self.run_bad("report", *where, status=3, says="paper.tsv")
        self.path("toy/paper.tsv", saved.replace("## table curve\n",
                                                 "## table ../../x\n"))
        self.run_bad("report", *where, status=3, says="paper.tsv")
        self.assertFalse(os.path.exists(self.path("x.tsv")))
        self.assertFalse(os.path.exists(ran))
        if shutil.which("gnuplot"):
            bperc("sweep", folder, "--out", self.path("o"), "--trust")
            self.assertTrue(os.path.exists(ran))

    def test_a_claim_runs_what_it_needs(self):
        """Its blocks, also through derived tables, and nothing else."""
        folder = self.experiment()
        with open(self.path("toy/plan")) as f:
            plan = f.read()
        self.path("toy/plan", plan + "[block other]\nmeasurement = toy\n"
                  "instances = 7\nx = 1 3\n[derive never]\nfrom = other\n"
                  "rule = argmax\nx = x\ny = y\n[table other]\n"
                  "column twice = 2 * y\n")
        self.path("toy/claims", CLAIMS + "[claim T3]\ntext = top\nexpected = 2"
                  "\ntest = near table=top y=x value=2 tolerance=0.9\n"
                  "[claim T4]\ntext = o\nexpected = o\n"
                  "test = above table=other y=twice value=-999\n")
        self.path("toy/plot.gp", "plot sin(x)\n")

        def run(out, *ids, status):
            return self.run_json("reproduce", *ids, "--out", self.path(out),
                                 "--trust",
                                 "--experiments", os.path.dirname(folder),
                                 status=status)
        whole = run("whole", "toy", status=1)
        all_tables = tables(self.path("whole"))
        self.assertEqual(whole["tasks"]["total"], 64)
        for ids, total, names in (
                (["t3"], 50, {"curve.tsv", "curve.along.tsv", "top.tsv"}),
                (["T4"], 14, {"other.tsv", "other.along.tsv"}),
                (["T4", "T3"], 64, set(all_tables) - {
                    "index.html", "series.gp", "never.tsv", *SCRIPTS})):
            told = run(ids[0], *ids, status=0)
            self.assertEqual(told["tasks"]["total"], total)
            self.assertEqual({c["id"] for c in told["claims"]},
                             {i.upper() for i in ids})
            self.assertTrue(all(c in whole["claims"] for c in told["claims"]))
            found = tables(self.path(ids[0]))
            self.assertEqual(set(found), names | {"index.html", "series.gp"})
            for name in names:
                self.assertEqual(found[name], all_tables[name])
            self.assertFalse([n for n in os.listdir(self.path(ids[0] + "/toy"))
                              if n.endswith(".svg")])
            shutil.rmtree(self.path(ids[0]))
        self.run_bad("reproduce", "T3", "--save", "--experiments",
                     os.path.dirname(folder), status=2, says="ask for toy")

    def test_report_from_a_store_and_from_kept_tables(self):
        self.sweep(self.experiment(), "o")
        self.run_json("report", self.path("toy"), "--store",
                      self.path("o/store.db"), "--out", self.path("r"),
                      status=1)
        self.assertEqual(tables(self.path("o")), tables(self.path("r")))
        self.run_json("reproduce", "all", "--experiments", self.folder.name,
                      "--out", self.path("o"), "--scale", "paper", "--save",
                      status=1)
        self.assertTrue(os.path.exists(self.path("toy/paper.tsv")))
        told = self.run_json("report", "--experiments", self.folder.name,
                             "--out", self.path("k"), status=1)
        self.assertEqual([c["verdict"] for c in told["claims"]],
                         ["holds", "fails"])
        self.assertTrue(filecmp.cmp(self.path("o/toy/curve.tsv"),
                                    self.path("k/toy/curve.tsv"), False))

    def kept(self, pictures, claims):
        """The headers of the tables that --save keeps, and a line of one."""
        block = ("[block {}]\nmeasurement = toy\nx = 0:2:1\nlength = 3\n"
                 "noise = 0.5\ninstances = 12\n")
        os.makedirs(self.path("toy"), exist_ok=True)
        self.path("toy/plan", "title = A toy\n" + "".join(
            f"picture = {p}\n" for p in pictures) + block.format("ab_1") +
                  block.format("runs"))
        self.path("toy/claims", claims)
        code, _, said = bperc("reproduce", "toy", "--experiments",
                              self.folder.name, "--out", self.path("o"),
                              "--scale", "paper", "--save", "--quiet")
        self.assertEqual(code, 0, said)
        with open(self.path("toy/paper.tsv")) as f:
            parts = f.read().split("## table ")[1:]
        return ({p.split("\n")[0]: p.split("\n")[1].split("\t")
                 for p in parts}, parts[0].split("\n")[2].split("\t"))

    def test_kept_tables_have_what_pictures_and_verdicts_name(self):
        claim = ("[claim K]\ntext = t\nexpected = e\n"
                 "test = trend table={} y={} x=x direction=up\n")
        pair = ["y", "y_sem"]  # the first column stays in any case
        ends = ["results", "failures"]
        curve = ["x", "k", "ramp", "ramp_sem"]
        heads, row = self.kept(["*.along:ramp"], claim.format("runs", "line"))
        self.assertEqual(heads, {
            "ab_1.along": curve, "runs": ["x", *pair, "line", "line_sem", *ends],
            "runs.along": curve})
        self.assertTrue(all(len(x.strip("-").lstrip("0.").replace(".", ""))
                            <= 6 for x in row), row)
        heads, _ = self.kept(["ab_1:sum sum_median", "runs : line"],
                             claim.format("runs.along", "ramp"))
        self.assertEqual(heads, {
            "ab_1": ["x", *pair, "sum", "sum_sem", "sum_median", *ends],
            "runs": ["x", *pair, "line", "line_sem", *ends],
            "runs.along": curve})
        heads, _ = self.kept([], claim.format("runs", "line"))  # everything
        self.assertEqual(set(heads), {"ab_1", "ab_1.along", "runs", "runs.along"})
        self.assertIn("line_median", heads["ab_1"])
        self.path("toy/plan", "picture = ab_2:y\n[block ab_1]\nmeasurement = toy\n")
        self.run_bad("reproduce", "toy", "--experiments", self.folder.name,
                     status=3, says="picture: the plan makes no table 'ab_2': "
                     "did you mean 'ab_1'")

    def test_report_of_what_there_is(self):
        self.sweep(self.experiment(), "o")
        os.makedirs(self.path("other"))
        self.path("other/plan", PLAN.format(work=7, instances=3))
        done = subprocess.run([BPERC, "report", "--experiments",
                               self.folder.name, "--store",
                               self.path("o/store.db"), "--out",
                               self.path("r")], text=True, capture_output=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("left out: other", done.stderr)
        self.assertEqual(tables(self.path("r"))["curve.tsv"],
                         tables(self.path("o"))["curve.tsv"])
        self.run_bad("report", self.path("other"), "--store",
                     self.path("o/store.db"), "--out", self.path("n"),
                     status=3, says="no results of other")

    def test_names_of_experiments(self):
        self.experiment()
        for name in ("toy", "T2", "all"):
            self.run_json("reproduce", name, "--experiments", self.folder.name,
                          "--out", self.path("o"), status=1)
        self.run_bad("reproduce", "fig99", "--experiments", self.folder.name,
                     status=2, says="'fig99': give all, a claim such as F2.1, or one of toy")


if __name__ == "__main__":
    main()
