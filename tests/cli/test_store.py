"""Stores: shared by processes, foreign, full, read-only."""
import os
import resource
import shutil
import sqlite3
import subprocess
import unittest

from harness import BPERC, main, wait_until
from sweeping import PLAN, SweepCase, tables


def waits_with(run, name):
    """It has the file open and sleeps again and again: for the lock."""
    def sleeps():
        with open(f"/proc/{run.pid}/status") as f:
            return int(f.read().partition("\nvoluntary_ctxt_switches:")[2]
                       .split()[0])
    folder = f"/proc/{run.pid}/fd"
    if not any(os.readlink(f"{folder}/{fd}").endswith(name)
               for fd in os.listdir(folder)):
        return False
    before = sleeps()
    wait_until(lambda: sleeps() > before + 3, run)
    return True


class Store(SweepCase):
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
        plan = self.experiment(work=1, instances=10)
        self.sweep(plan, "whole", "--store", self.path("done.db"))
        done = sqlite3.connect(self.path("done.db"))
        other = sqlite3.connect(self.path("new.db"), isolation_level=None)
        other.execute("begin immediate")
        run = subprocess.Popen([BPERC, "sweep", plan, "--out", self.path("o"),
                                "--store", self.path("new.db")],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        wait_until(lambda: waits_with(run, "new.db"), run)
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
                     self.path("missing.db"), status=3, says="missing.db")

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


if __name__ == "__main__":
    main()
