"""Sweeps: killed and resumed, threads and ranks, bad plans, bad stores."""
import filecmp
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from harness import BPERC, CASES, Case, bperc, main

EXAMPLES = os.path.join(CASES, "../../examples")

PLAN = """title = A toy
[block curve]
measurement = toy
noise = 0.5
top = 2
work = {work}
x = 0:4:1
instances = {instances}
[derive top]
from = curve
rule = argmax
x = x
y = y
"""
CLAIMS = """[claim T1]
text = y has one maximum
expected = one maximum
test = maximum table=curve y=y x=x
[claim T2]
text = the line falls
expected = falls
test = trend table=curve y=line x=x direction=down
"""


def tables(folder):
    found = {}
    for base, _, files in os.walk(folder):
        for name in files:
            if name.endswith((".tsv", ".gp", ".html")):
                with open(os.path.join(base, name)) as f:
                    found[name] = f.read()
    return found


class Sweep(Case):
    def experiment(self, work=1000, instances=10, claims=CLAIMS):
        folder = self.path("toy")
        os.makedirs(folder, exist_ok=True)
        self.path("toy/plan", PLAN.format(work=work, instances=instances))
        self.path("toy/claims", claims)
        return folder

    def sweep(self, plan, out, *more, status=1, **kw):
        return self.run_json("sweep", plan, "--out", self.path(out), *more,
                             status=status, **kw)

    def test_verdicts_tables_and_page(self):
        told = self.sweep(self.experiment(), "out")
        self.assertEqual([(c["id"], c["verdict"]) for c in told["claims"]],
                         [("T1", "holds"), ("T2", "fails")])
        self.assertTrue({"measured", "expected"} <= set(told["claims"][0]))
        found = tables(self.path("out"))
        self.assertEqual(set(found), {"curve.tsv", "curve.along.tsv", "top.tsv",
                                      "series.gp", "index.html"})
        head, *rows = found["curve.tsv"].splitlines()
        self.assertEqual(head.split("\t")[:5],
                         ["x", "y", "y_sem", "y_median", "y_n"])
        self.assertEqual(len(rows), 5)
        page = found["index.html"]
        self.assertLess(page.index(">T2<"), page.index(">T1<"))
        self.assertNotIn("http", page)
        self.assertNotIn("<script", page)

    def test_instances_behind_a_claim(self):
        lines = self.run_ok("sweep", self.experiment(), "--out",
                            self.path("out"), "--list", "T1").splitlines()
        self.assertEqual(len(lines), 1 + 5 * 10)
        self.assertEqual(lines[0].split("\t")[3:5], ["instance", "seed"])

    def test_a_rerun_does_only_what_is_missing(self):
        self.sweep(self.experiment(instances=4), "out")
        told = self.sweep(self.experiment(instances=6), "out")["tasks"]
        self.assertEqual((told["found"], told["done"]), (20, 10))

    def test_threads_and_ranks_give_the_same_tables(self):
        plan = self.experiment(work=20000, instances=20)
        for threads in (1, 2, 3):
            self.sweep(plan, f"t{threads}", "--threads", threads)
        self.assertEqual(tables(self.path("t1")), tables(self.path("t2")))
        self.assertEqual(tables(self.path("t1")), tables(self.path("t3")))
        if not shutil.which("mpirun") or not os.path.exists(
                os.path.join(os.path.dirname(BPERC), "bperc_mpi.so")):
            self.skipTest("no Open MPI here")
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        done = subprocess.run(
            ["mpirun", "--oversubscribe", "-n", "3", BPERC, "sweep", plan,
             "--out", self.path("m3"), "--json"], env=env, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn('"workers": 2', done.stdout, done.stderr)
        self.assertEqual(tables(self.path("t1")), tables(self.path("m3")))

    def test_killed_at_random_moments(self):
        plan = self.experiment(work=2000000, instances=30)
        args = [BPERC, "sweep", plan, "--out", self.path("killed"), "--threads",
                "2", "--quiet"]
        kills = 0
        dice = random.Random(7)
        for _ in range(10):
            run = subprocess.Popen(args, stdout=subprocess.DEVNULL)
            try:
                run.wait(timeout=dice.uniform(0.01, 1.3))
            except subprocess.TimeoutExpired:
                run.kill()
                kills += 1
            run.wait()
        self.assertGreater(kills, 0)
        self.sweep(plan, "killed")
        self.sweep(plan, "whole")
        self.assertEqual(tables(self.path("killed")), tables(self.path("whole")))
        self.assertFalse([n for n in os.listdir(self.path("killed/toy"))
                          if n.endswith(".part")])

    def figure(self):
        """Figure 7 of the paper with few instances: arguments to run it."""
        here = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                            "..", "..", "experiments")
        shutil.copytree(os.path.join(here, "fig7"), self.path("x/fig7"))
        with open(self.path("x/fig7/plan")) as f:
            plan = f.read()
        plan = re.sub(r"(?m)^instances@quick.*", "instances@quick = 12", plan)
        plan = re.sub(r"(?m)^most@quick.*", "most@quick = 20000", plan)
        self.path("x/fig7/plan", plan)
        return ["reproduce", "fig7", "--experiments", self.path("x"),
                "--quiet", "--out"]

    def finish(self, args, out):
        done = subprocess.run([BPERC, *args, self.path(out)], text=True,
                              capture_output=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return tables(self.path(out))

    def test_a_figure_killed_exactly_ten_times(self):
        args = self.figure()
        dice = random.Random(11)
        kills = 0
        while kills < 10:
            run = subprocess.Popen([BPERC, *args, self.path("killed")],
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            try:
                run.wait(timeout=dice.uniform(0.02, 0.6))
                shutil.rmtree(self.path("killed"))  # done: from the start
            except subprocess.TimeoutExpired:
                run.kill()
                kills += 1
            run.wait()
        self.assertEqual(self.finish(args, "killed"),
                         self.finish(args, "whole"))

    @unittest.skipUnless(shutil.which("mpirun"), "no Open MPI here")
    def test_a_lost_rank(self):
        args = self.figure()
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        run = subprocess.Popen(["mpirun", "--oversubscribe", "-n", "3", BPERC,
                                *args, self.path("lost")], env=env,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        ranks = []
        for _ in range(600):  # until it has begun
            time.sleep(0.05)
            with open(f"/proc/{run.pid}/task/{run.pid}/children") as f:
                ranks = f.read().split()
            if run.poll() is not None or len(ranks) == 3 and \
                    os.path.exists(self.path("lost/store.db")):
                break
        time.sleep(0.3)
        if run.poll() is None:
            os.kill(int(ranks[-1]), signal.SIGKILL)
            self.assertNotEqual(run.wait(timeout=60), 0)
        self.assertEqual(self.finish(args, "lost"), self.finish(args, "whole"))

    def begun(self, out, more=0.7):
        """Until the store is there, and some seconds more of work."""
        for _ in range(1200):
            if os.path.exists(self.path(f"{out}/store.db")):
                break
            time.sleep(0.05)
        time.sleep(more)

    def test_interrupted_cleanly(self):
        plan = self.experiment(work=20000000, instances=40)
        run = subprocess.Popen([BPERC, "sweep", plan, "--out",
                                self.path("out"), "--quiet"],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        self.begun("out")
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=30)[1]
        self.assertEqual(run.returncode, 130, said)
        db = sqlite3.connect(self.path("out/store.db"))
        self.assertEqual(db.execute("pragma integrity_check").fetchone()[0],
                         "ok")

    def test_long_tasks_are_left_at_once(self):
        """Each plan is one task of minutes."""
        plans = {
            "geometry": "n = 27\nalpha = 0.04\nfin = 0.5\na = 2\n"
                        "order = exact\nmost = 100000000",
            "clusters": "n = 27\nalpha = 0.04\nfin = 0.5\na = 2\n"
                        "most = 100000000",
            "walking": "sweeps = 1000000000",
            "dynamics": "n = 10000\nalpha = 0.25\nfin = 0.5\n"
                        "bpd.damping = 0.002",
            "late": "n = 2000",
            "xcorr": "n = 400\nevery = 1",
            "polarisation": "n = 10000\nalpha = 0.25\nfin = 0.5",
            "unconverged": "n = 200\ntries = 100000\nbpd.protocol = paper",
            "theory_alpha_u": "tolerance = 1e-9\nfin = 0.5",
            "theory_local": "around = dense\npoints = 1000\nlow = 0.001\n"
                            "high = 0.03",
            "map": "candidates = 100000\nn = 25\na = 12\nalpha = 0.3",
        }
        for name, keys in plans.items():
            plan = self.path(f"{name}.plan",
                             f"[block b]\nmeasurement = {name}\n{keys}\n")
            run = subprocess.Popen([BPERC, "sweep", plan, "--out",
                                    self.path(name), "--quiet"],
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
            self.begun(name)
            self.assertIsNone(run.poll(), f"{name}: {keys}")
            run.send_signal(signal.SIGINT)
            said = run.communicate(timeout=20)[1]
            self.assertEqual((run.returncode, said),
                             (130, "bperc: interrupted\n"), name)
            db = sqlite3.connect(self.path(f"{name}/store.db"))
            self.assertEqual(
                db.execute("select count(*) from result").fetchone()[0], 0)

    def test_interrupted_and_resumed(self):
        plan = self.path("geo.plan", """[block space]
measurement = geometry
n = 20
a = 12
alpha = 0.36
fin = 0.3 0.4 0.5
order = exact
instances = 60
[block dynamics]
measurement = dynamics
n = 100
bins = 5
instances = 15
""")
        for wait in (0.3, 0.5, 0.8):
            run = subprocess.Popen([BPERC, "sweep", plan, "--out",
                                    self.path("part"), "--quiet"],
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            self.begun("part", wait)
            run.send_signal(signal.SIGINT)
            run.wait(timeout=30)
        self.sweep(plan, "part", status=0)
        self.sweep(plan, "whole", status=0)
        self.assertEqual(tables(self.path("part")), tables(self.path("whole")))

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

    def test_two_processes_on_one_store(self):
        """Neither gets in the way of the other, both end with all tables."""
        plan = self.experiment(work=300000, instances=100)
        runs = [subprocess.Popen([BPERC, "sweep", plan, "--out", self.path(o),
                                  "--store", self.path("s.db"), "--threads",
                                  "1"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
                for o in ("a", "b")]
        for run in runs:
            said = run.communicate(timeout=120)[1]
            self.assertEqual(run.returncode, 1, said)
        self.sweep(plan, "whole")
        for out in ("a", "b"):
            self.assertEqual(tables(self.path(out)),
                             tables(self.path("whole")))

    def test_another_creates_the_store(self):
        """The tables appear between our look at a new file and our lock."""
        plan = self.experiment(work=1, instances=2)
        self.sweep(plan, "whole", "--store", self.path("done.db"))
        done = sqlite3.connect(self.path("done.db"))
        other = sqlite3.connect(self.path("new.db"), isolation_level=None)
        other.execute("begin immediate")
        run = subprocess.Popen([BPERC, "sweep", plan, "--out", self.path("o"),
                                "--store", self.path("new.db")],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        with self.assertRaises(subprocess.TimeoutExpired):
            run.wait(timeout=1)  # it has looked, and waits for the lock
        for sql, in done.execute("select sql from sqlite_master "
                                 "where sql is not null").fetchall():
            other.execute(sql)
        for field in ("application_id", "user_version"):
            value, = done.execute(f"pragma {field}").fetchone()
            other.execute(f"pragma {field} = {value}")
        other.execute("commit")
        said = run.communicate(timeout=60)[1]
        self.assertIn(run.returncode, (0, 1), said)
        self.assertEqual(tables(self.path("o")), tables(self.path("whole")))

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
                                 "--experiments", os.path.dirname(folder),
                                 status=status)
        whole = run("whole", "toy", status=1)
        all_tables = tables(self.path("whole"))
        self.assertEqual(whole["tasks"]["total"], 64)
        for ids, total, names in (
                (["t3"], 50, {"curve.tsv", "curve.along.tsv", "top.tsv"}),
                (["T4"], 14, {"other.tsv", "other.along.tsv"}),
                (["T4", "T3"], 64, set(all_tables) - {
                    "index.html", "series.gp", "figure.gp", "never.tsv"})):
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

    def test_bad_stores(self):
        plan = self.experiment()
        other = self.path("other.db")
        sqlite3.connect(other).execute("create table t (a)").connection.commit()
        self.run_bad("sweep", plan, "--out", self.path("o"), "--store", other,
                     status=3, says="not a store of bperc")
        self.run_bad("sweep", plan, "--out", self.path("o"), "--store",
                     self.path("text.db", "hello, this is no database" * 99),
                     status=3, says="not a store of bperc")
        self.sweep(plan, "o", "--store", self.path("good.db"))
        db = sqlite3.connect(self.path("good.db"))
        db.execute("pragma user_version = 99")
        db.commit()
        self.run_bad("sweep", plan, "--out", self.path("o"), "--store",
                     self.path("good.db"), status=3, says="format 99")
        self.run_bad("report", plan, "--out", self.path("o"), "--store",
                     self.path("missing.db"), status=4, says="missing.db")

    def test_full_disk(self):
        plan = self.experiment(instances=2000)
        store = self.path("small.db")

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        done = subprocess.run([BPERC, "sweep", plan, "--out", self.path("o"),
                               "--store", store, "--quiet"], text=True,
                              capture_output=True, preexec_fn=small,
                              timeout=60)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(done.stderr.strip().count("\n"), 0, done.stderr)
        self.assertIn("small.db", done.stderr)
        self.sweep(plan, "o", "--store", store)
        self.sweep(plan, "whole")
        self.assertEqual(tables(self.path("o")), tables(self.path("whole")))

    @unittest.skipIf(os.geteuid() == 0 and not shutil.which("setpriv"),
                     "root can write anything")
    def test_read_only_store(self):
        plan = self.experiment(instances=4)
        self.sweep(plan, "o", "--store", self.path("s.db"))
        more = self.path("more.plan", PLAN.format(work=1000, instances=9))
        os.chmod(self.path("s.db"), 0o444)
        os.chmod(self.folder.name, 0o555)
        self.addCleanup(os.chmod, self.folder.name, 0o755)
        as_nobody = ["setpriv", "--reuid=65534", "--clear-groups"] \
            if os.geteuid() == 0 else []
        out = "/tmp/bperc-test-%d" % os.getpid()
        done = subprocess.run(as_nobody + [BPERC, "sweep", more, "--out", out,
                                           "--store", self.path("s.db")],
                              text=True, capture_output=True)
        shutil.rmtree(out, ignore_errors=True)
        if "denied" in done.stderr and "s.db" not in done.stderr:
            self.skipTest("another user cannot run the program here")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("read-only", done.stderr)

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
                     status=2, says="fig99")


if __name__ == "__main__":
    main()
