#!/usr/bin/python3
"""Stores made to hang, to run something, or to be read wrongly.

    tests/faults/hostile_stores.py BPERC

Every one is refused with exit status 3 by check, export, report, merge and sweep,
which must not write to it. Prints how many; exit status 1 when one is not."""
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

PLAN = "[block toy]\nmeasurement = toy\nx = 1:2:1\ninstances = 3\n"
ENDLESS = ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
           "SELECT x AS {} FROM c")
COLUMNS = ("key", "inputs", "instance", "seed", "status", "message", "seconds",
           "program", "record", "sum")
RESULT_VIEW = ("CREATE VIEW result AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
               "SELECT x + 1 FROM c) SELECT " +
               ", ".join(f"x AS {name}" for name in COLUMNS) + " FROM c")
TRIGGER = "CREATE TRIGGER {0} AFTER {1} ON {2} BEGIN DELETE FROM result; END"

# What is done to a good store.
CHANGES = [
    ["DROP TABLE result", RESULT_VIEW],
    ["DROP TABLE claim", "CREATE VIEW claim AS " + ENDLESS.format("key")],
    ["DROP TABLE inputs", "CREATE VIEW inputs AS " + ENDLESS.format("id")],
    ["CREATE VIEW more AS " + ENDLESS.format("key")],
    [TRIGGER.format("t", "INSERT", "result")],
    [TRIGGER.format("t", "UPDATE", "result")],
    [TRIGGER.format("t", "DELETE", "claim")],
    [TRIGGER.format("t", "INSERT", "inputs")],
    [TRIGGER.format("t", "INSERT", "claim")],
    ["CREATE TABLE other (x)"],
    ["CREATE INDEX other ON result (seconds)"],
    ["ALTER TABLE result ADD COLUMN more"],
    ["ALTER TABLE inputs ADD COLUMN more"],
    ["ALTER TABLE claim ADD COLUMN more"],
    ["ALTER TABLE result RENAME COLUMN sum TO total"],
    ["DROP INDEX result_inputs"],
    ["DROP TABLE claim"],
    ["DROP TABLE claim", "CREATE TABLE claim (key, owner)"],
    ["DROP TABLE claim", "CREATE TABLE claim (key TEXT PRIMARY KEY NOT NULL, owner "
     "INTEGER NOT NULL DEFAULT (randomblob(1000000000))) WITHOUT ROWID"],
    ["ALTER TABLE result ADD COLUMN more AS (zeroblob(1000000000))"],
]

MISSING = [["DROP INDEX result_inputs"], ["DROP TABLE claim"]]


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def commands(folder, path):
    plan, out = os.path.join(folder, "x/toy"), os.path.join(folder, "out")
    return (["store", "check", path], ["store", "export", path, "--csv"],
            ["store", "merge", os.path.join(folder, "m.db"), path],
            ["report", "--experiments", os.path.join(folder, "x"), "--store", path,
             "--out", out],
            ["sweep", plan, "--store", path, "--out", out])


def main():
    bperc, wrong = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        good, bad = os.path.join(folder, "good.db"), os.path.join(folder, "bad.db")
        os.makedirs(os.path.join(folder, "x/toy"))
        with open(os.path.join(folder, "x/toy/plan"), "w") as f:
            f.write(PLAN)
        subprocess.run([bperc, "sweep", os.path.join(folder, "x/toy"), "--store", good,
                        "--out", os.path.join(folder, "r")], check=True,
                       capture_output=True)
        for words in commands(folder, good):  # and a good one is not
            done = subprocess.run([bperc, *words], capture_output=True, text=True)
            if done.returncode > 1:
                wrong += 1
                print(f"good store: {words[:2]}: {done.stderr}")
        os.unlink(os.path.join(folder, "m.db"))
        for change in CHANGES:
            shutil.copy(good, bad)
            with sqlite3.connect(bad) as store:
                for sql in change:
                    store.execute(sql)
            store.close()
            before = digest(bad)
            for words in commands(folder, bad):
                done = subprocess.run([bperc, *words], capture_output=True, text=True,
                                      timeout=120)
                may = (3,)
                if change in MISSING and words[1] in ("check", "merge"):
                    may = (0, 3)  # what is there can be saved
                if done.returncode not in may or digest(bad) != before:
                    wrong += 1
                    print(f"{change[0][:60]}: {words[0]} {words[1][:8]}: exit status "
                          f"{done.returncode} {done.stderr[:200]}", flush=True)
    print(f"{len(CHANGES)} hostile stores, five commands each, {wrong} not refused")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
