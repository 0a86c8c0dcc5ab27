"""Sweeps killed, interrupted and resumed; threads and ranks."""
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import unittest

from harness import BPERC, main, wait_until
from sweeping import SweepCase, tables


class Resume(SweepCase):
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

    def at_write(self, k, number, *args):
        """Exit status of a run that gets a signal at its k-th write."""
        env = dict(os.environ, AT_WRITE=str(k), SIGNAL=str(int(number)),
                   LD_PRELOAD=os.environ["AT_WRITE_SO"])
        return subprocess.run([BPERC, *args, "--quiet"], env=env,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode

    def test_killed_at_every_write(self):
        """The store is made, filled and closed; tables and pages appear."""
        plan = self.experiment(instances=30)
        self.sweep(plan, "whole")
        whole = tables(self.path("whole"))
        k, code = 0, -signal.SIGKILL
        while code == -signal.SIGKILL:
            shutil.rmtree(self.path("killed"), ignore_errors=True)
            k += 1 if k < 12 else 5
            code = self.at_write(k, signal.SIGKILL, "sweep", plan, "--out",
                                 self.path("killed"), "--threads", "2")
            if code != -signal.SIGKILL:
                break
            self.sweep(plan, "killed")
            self.assertEqual(tables(self.path("killed")), whole, k)
        self.assertGreater(k, 20)

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

    def test_a_figure_killed_ten_times(self):
        """Each run goes a few writes further than the one before."""
        args = self.figure()
        for k in range(1, 11):
            self.assertEqual(self.at_write(k, signal.SIGKILL, *args,
                                           self.path("killed")),
                             -signal.SIGKILL, k)
        self.assertEqual(self.finish(args, "killed"),
                         self.finish(args, "whole"))

    def results(self, out):
        """How many results the store has by now."""
        try:
            db = sqlite3.connect(f"file:{self.path(out)}/store.db?mode=ro",
                                 uri=True)
            return db.execute("select count(*) from result").fetchone()[0]
        except sqlite3.Error:  # not there yet, or just being written
            return 0

    def held(self, work):
        """A plan with 20 tasks that end and one that never does; `work` says
        whether it comes first or last."""
        self.path("short.plan", "[block a]\nmeasurement = toy\nwork = 100\n"
                  "instances = 20\n")
        with open(self.path("short.plan")) as f:
            return self.path("held.plan", f.read() + "[block z]\n"
                             "measurement = toy\nhold = yes\n"
                             f"work = {work}\n")

    def finish_short(self, out):
        """The plan without the task that never ends, on the same store."""
        told = self.sweep(self.path("short.plan"), out, status=0)["tasks"]
        self.sweep(self.path("short.plan"), "whole", status=0)
        short = os.path.join(out, "short")
        self.assertEqual(tables(self.path(short)),
                         tables(self.path("whole/short")))
        return told

    @unittest.skipUnless(shutil.which("mpirun"), "no Open MPI here")
    def test_a_lost_rank(self):
        """It dies with one task in hand and one waiting for it."""
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        run = subprocess.Popen(["mpirun", "--oversubscribe", "-n", "3", BPERC,
                                "sweep", self.held(10**12), "--quiet",
                                "--out", self.path("lost")], env=env,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        wait_until(lambda: self.results("lost") == 19, run)
        with open(f"/proc/{run.pid}/task/{run.pid}/children") as f:
            ranks = [int(pid) for pid in f.read().split()]
        os.kill(ranks[-1], signal.SIGKILL)
        self.assertNotEqual(run.wait(), 0)
        told = self.finish_short("lost")
        self.assertEqual((told["found"], told["done"]), (19, 1))

    def test_interrupted_cleanly(self):
        """A task that never ends is left, what is finished is kept."""
        for number in (signal.SIGINT, signal.SIGTERM):
            run = subprocess.Popen([BPERC, "sweep", self.held(0), "--out",
                                    self.path("out"), "--quiet", "--threads",
                                    "1"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
            wait_until(lambda: self.results("out") == 20, run)
            run.send_signal(number)
            said = run.communicate()[1]
            self.assertEqual(run.returncode, 130)
            self.assertRegex(said, r"^bperc: interrupted: 20 of 2\d results are "
                             r"kept in \S*out/store.db; the same command goes "
                             r"on from there\n$")
            db = sqlite3.connect(self.path("out/store.db"))
            self.assertEqual(db.execute("pragma integrity_check").fetchone(),
                             ("ok",))
            self.assertEqual(self.results("out"), 20)
            self.assertEqual(self.finish_short("out")["done"], 0)
            shutil.rmtree(self.path("out"))

    def test_interrupted_and_resumed(self):
        """At any write: the same tables after a restart."""
        plan = self.path("geo.plan", """[block space]
measurement = geometry
n = 16
a = 12
alpha = 0.36
fin = 0.3 0.4 0.5
order = exact
instances = 6
[block dynamics]
measurement = dynamics
n = 60
bins = 5
instances = 3
""")
        self.sweep(plan, "whole", status=0)
        for k in (1, 4, 9, 14, 19, 24, 29, 34):
            self.assertEqual(self.at_write(k, signal.SIGINT, "sweep", plan,
                                           "--out", self.path("part")), 130, k)
            self.sweep(plan, "part", status=0)
            self.assertEqual(tables(self.path("part")),
                             tables(self.path("whole")), k)
            shutil.rmtree(self.path("part"))


if __name__ == "__main__":
    main()
