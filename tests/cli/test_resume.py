"""Sweeps killed, interrupted and resumed; threads and ranks."""
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from harness import BPERC, main
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


if __name__ == "__main__":
    main()
