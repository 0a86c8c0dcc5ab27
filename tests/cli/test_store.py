"""Stores: shared by processes, damaged, merged, foreign, full, read-only."""
import contextlib
import csv
import io
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import unittest

from harness import BPERC, bperc, main, wait_until
from sweeping import PLAN, SweepCase, tables


def has_open(run, name):
    """One of its files ends with this name. It may close another one between
    the listing and the look at it."""
    folder = f"/proc/{run.pid}/fd"
    for fd in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            if os.readlink(f"{folder}/{fd}").endswith(name):
                return True
    return False


def waits_with(run, name):
    """It has the file open and sleeps again and again: for the lock."""
    def sleeps():
        with open(f"/proc/{run.pid}/status") as f:
            return int(f.read().partition("\nvoluntary_ctxt_switches:")[2]
                       .split()[0])
    if not has_open(run, name):
        return False
    before = sleeps()
    wait_until(lambda: sleeps() > before + 3, run)
    return True


class Store(SweepCase):
    def start(self, plan, out, *more):
        return subprocess.Popen([BPERC, "sweep", plan, "--out", self.path(out),
                                 "--store", self.path("s.db"), "--json",
                                 "--quiet", "--threads", "1", *more],
                                stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.PIPE)

    def test_three_processes_on_one_store(self):
        """Each task is run once in all; all of them end with all tables."""
        plan = self.experiment(work=300000, instances=60)
        runs = [self.start(plan, out) for out in "abc"]
        done = 0
        for run in runs:
            told, said = run.communicate()
            self.assertEqual((run.returncode, said), (1, ""))
            tasks = json.loads(told)["tasks"]
            self.assertEqual(tasks["found"] + tasks["done"], 300)
            done += tasks["done"]
        self.assertEqual(done, 300)
        self.sweep(plan, "whole")
        for out in "abc":
            self.assertEqual(tables(self.path(out)),
                             tables(self.path("whole")))
        self.assertEqual(sorted(n for n in os.listdir(self.folder.name)
                                if n.startswith("s.db")), ["s.db"])

    def rows(self, sql, path="s.db"):
        try:
            db = sqlite3.connect(f"file:{self.path(path)}?mode=ro", uri=True)
            with contextlib.closing(db):
                return db.execute(sql).fetchall()
        except sqlite3.Error:  # not there yet, or just being written
            return []

    def test_claims_of_the_living_and_the_dead(self):
        """A task that a living process has is waited for; when it dies, it is
        run by the one that waits."""
        long = self.path("long.plan", "[block z]\nmeasurement = toy\n"
                         "hold = yes\n")
        first = self.start(long, "a")
        wait_until(lambda: self.rows("select * from claim"), first)
        other = self.start(long, "b")
        wait_until(lambda: waits_with(other, "s.db-owners"), other)
        claims = self.rows("select key, owner from claim")
        self.assertEqual(len(claims), 1)  # not a second time
        first.kill()
        first.communicate()
        wait_until(lambda: self.rows("select key, owner from claim")
                   not in (claims, []), other)
        other.send_signal(signal.SIGINT)
        other.communicate()
        self.assertEqual(other.returncode, 130)
        self.assertEqual(self.rows("select count(*) from claim"), [(0,)])
        self.assertFalse(os.path.exists(self.path("s.db-owners")))

    def test_shards(self):
        """Four parts, each in its own store, are one run."""
        plan = self.experiment(instances=13)
        done = []
        for k in range(1, 5):
            told = self.run_json("sweep", plan, "--out", self.path("none"),
                                 "--store", self.path(f"{k}.db"), "--shard",
                                 f"{k}/4")
            self.assertEqual(told["shard"], f"{k}/4")
            done.append(told["tasks"]["done"])
        self.assertEqual((sum(done), max(done) - min(done)), (65, 1))
        told = self.run_json("store", "merge", self.path("all.db"),
                             *(self.path(f"{k}.db") for k in range(1, 5)))
        self.assertEqual((told["tasks"], told["added"], told["damaged"]),
                         (65, 65, 0))
        told = self.sweep(plan, "merged", "--store", self.path("all.db"))
        self.assertEqual(told["tasks"]["done"], 0)
        self.sweep(plan, "whole", "--store", self.path("one.db"))
        self.assertEqual(tables(self.path("merged")),
                         tables(self.path("whole")))
        self.assertEqual(self.export("all.db"), self.export("one.db"))
        for text in ("0/4", "5/4", "2", "1/2x"):
            self.run_bad("sweep", plan, "--shard", text, status=2, says=text)

    def export(self, name):
        lines = csv.DictReader(io.StringIO(self.run_ok(
            "store", "export", self.path(name), "--csv")))
        return [{k: v for k, v in line.items() if k != "seconds"}
                for line in lines]

    def test_export(self):
        plan = self.path("p.plan", "[block a]\nmeasurement = toy\nx = 0.5 1\n"
                         "instances = 30\nlength = 2\nfail = 0.2\n")
        self.sweep(plan, "o", "--store", self.path("s.db"), status=0)
        lines = self.export("s.db")
        failed = [x for x in lines if x["status"] != "ok"]
        good = [x for x in lines if x["status"] == "ok"]
        self.assertEqual(len(failed) + len(good) // 5, 60)
        self.assertTrue(failed)
        self.assertTrue(all(x["message"] == "the toy failed" and
                            x["result"] == "" for x in failed))
        self.assertEqual([(x["result"], x["k"]) for x in good[:5]],
                         [("y", ""), ("line", ""), ("sum", ""),
                          ("along/ramp", "0"), ("along/ramp", "1")])
        values = [float(x["value"]) for x in good
                  if x["x"] == "0.5" and x["result"] == "line"]
        head, row, *_ = tables(self.path("o"))["a.tsv"].splitlines()
        mean = dict(zip(head.split("\t"), row.split("\t")))["line"]
        self.assertAlmostEqual(sum(values) / len(values), float(mean), 6)

    def test_a_damaged_result_is_named_and_run_again(self):
        plan = self.experiment(instances=4)
        self.sweep(plan, "whole", "--store", self.path("s.db"))
        whole = tables(self.path("whole"))
        key, = self.rows("select key from result limit 1")[0]
        db = sqlite3.connect(self.path("s.db"))
        for change in ("record = x'42505231000000'", "status = -6",
                       "instance = instance + 1", "message = 'x'",
                       "seed = '0' || seed", "inputs = inputs + 1"):
            with db:
                db.execute(f"update result set {change} where key = ?", (key,))
            code, _, said = bperc("report", plan, "--out", self.path("r"),
                                  "--store", self.path("s.db"))
            self.assertEqual(code, 1)
            self.assertIn(f"1 damaged result ({key})", said)
            told = self.run_json("store", "check", self.path("s.db"), status=1)
            self.assertEqual((told["tasks"], told["damaged"]), (19, 1))
            self.assertEqual(told["damaged_keys"], [key])
            told = self.sweep(plan, "again", "--store", self.path("s.db"))
            self.assertEqual(told["tasks"]["done"], 1)
            self.assertEqual(tables(self.path("again")), whole)
            told = self.run_json("store", "check", self.path("s.db"))
            self.assertEqual((told["tasks"], told["damaged"]), (20, 0))

    def test_flipped_bytes(self):
        """None changes a table in silence. (BPERC_FLIPS=500 for more.)"""
        plan = self.path("p.plan", "[block a]\nmeasurement = toy\nx = 1 2\n"
                         "length = 40\ninstances = 15\n")
        self.sweep(plan, "whole", "--store", self.path("s.db"), status=0)
        whole = tables(self.path("whole"))
        with open(self.path("s.db"), "rb") as f:
            store = f.read()
        dice = random.Random(5)
        counts = {"harmless": 0, "reported": 0, "run again": 0}
        for _ in range(int(os.environ.get("BPERC_FLIPS", 40))):
            at, by = dice.randrange(len(store)), dice.randrange(1, 256)
            self.path("f.db", store[:at] + bytes([store[at] ^ by]) +
                      store[at + 1:])
            shutil.rmtree(self.path("r"), ignore_errors=True)
            code, _, said = bperc("report", plan, "--out", self.path("r"),
                                  "--store", self.path("f.db"))
            if said:
                self.assertIn("f.db", said)
                self.assertNotEqual(code, 0)
                counts["reported"] += 1
            else:
                self.assertEqual((code, tables(self.path("r"))), (0, whole),
                                 (at, by))
                counts["harmless"] += 1
            code, _, said = bperc("sweep", plan, "--out", self.path("r"),
                                  "--quiet", "--store", self.path("f.db"))
            if code == 0:
                self.assertEqual(tables(self.path("r")), whole, (at, by))
                counts["run again"] += said != ""
            else:
                self.assertEqual(code, 3, said)
        self.assertGreater(min(counts.values()), 0, counts)
        if "BPERC_FLIPS" in os.environ:
            print(counts)

    def test_what_can_be_read_is_saved(self):
        """Of a file with damaged pages, and of a store without checksums."""
        plan = self.experiment(instances=30)
        self.sweep(plan, "whole", "--store", self.path("s.db"))
        whole = tables(self.path("whole"))
        with open(self.path("s.db"), "rb") as f:
            store = f.read()
        # Which page holds what depends on the order in which tasks ended, so
        # every page is lost in turn; most of them cost few results or none.
        saved, codes = [], set()
        for page in range(1, len(store) // 4096):
            cut = 4096 * page
            self.path("cut.db", store[:cut] + bytes(4096) + store[cut + 4096:])
            code, out, err = bperc("store", "merge",
                                   self.path(f"saved{page}.db"),
                                   self.path("cut.db"), "--json")
            self.assertIn(code, (0, 1, 3), err)
            saved.append(json.loads(out)["tasks"] if code < 2 else 0)
            if code == 1 and 1 not in codes:
                self.run_bad("sweep", plan, "--store", self.path("cut.db"),
                             status=3, says="store merge")
            codes.add(code)
            if code == 0:
                self.assertEqual(saved[-1], 150)
        best = max(range(len(saved)), key=lambda k: saved[k] % 150)
        self.assertGreater(saved[best] % 150, 0, saved)
        told = self.sweep(plan, "o", "--store",
                          self.path(f"saved{best + 1}.db"))["tasks"]
        self.assertEqual((told["found"], told["found"] + told["done"]),
                         (saved[best], 150))
        self.assertEqual(tables(self.path("o")), whole)

        db = sqlite3.connect(self.path("s.db"))
        with db:
            db.execute("alter table result drop column sum")
            db.execute("drop table claim")
            db.execute("pragma user_version = 1")
        db.close()
        said = self.run_bad("sweep", plan, "--store", self.path("s.db"),
                            status=3, says="0.1")
        self.assertIn("store merge", said)
        self.run_json("store", "merge", self.path("new.db"), self.path("s.db"))
        told = self.sweep(plan, "n", "--store", self.path("new.db"))["tasks"]
        self.assertEqual(told["done"], 0)
        self.assertEqual(tables(self.path("n")), whole)

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
        said = run.communicate(timeout=300)[1]
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
                              timeout=300)
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
