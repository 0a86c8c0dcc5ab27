"""tools/includes sees every kind of wrong include, and no other."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/includes"

GOOD = {
    "src/base/alloc.c": '#include "base/alloc.h"\n#include "bperc/status.h"\n',
    "src/exact/search/states.c": '#include "bperc/instance.h"\n#include <gsl/x.h>\n',
    "src/theory/typical.c": '#include "numeric/gauss.h"\n',
    "src/lab/measure/measure_theory.c": '#include "bperc/theory.h"\n',
    "src/lab/verdict/judge.c": '#include "lab/plan/plan.h"\n',
    "include/bperc/lab/report.h": '#include "bperc/lab/verdict.h"\n',
    "cli/lab.c": '#include "lab.h"\n#include "bperc/lab/verdict.h"\n'
                 'x = bperc_calloc(1, 2);\nfree(bperc_i_strdup(y));\n',
    "src/base/x.c": "p = b.malloc(1) + b->calloc(1, 2); /* members */\n",
}
WRONG = {
    "upwards": ("src/lab/plan/plan.c", '"lab/verdict/judge.h"', "must not know lab/verdict"),
    "upwards by a public header": ("src/lab/plan/plan.c", '"bperc/lab/report.h"',
                                   "must not know lab/page"),
    "between public headers": ("include/bperc/lab/table.h", '"bperc/lab/verdict.h"',
                               "must not know lab/verdict"),
    "exact and bp": ("src/exact/space/along.c", '"bperc/bp.h"', "never meet"),
    "theory and model": ("src/theory/typical.h", '"bperc/instance.h"',
                         "never meet"),
    "theory upwards": ("src/theory/typical.h", '"lab/measure/decimated.h"',
                       "must not know lab/measure"),
    "base and theory": ("src/base/status.c", '"theory/local.h"',
                        "must not know theory"),
    "the header of users": ("src/run/run.c", '"bperc/bperc.h"', "for users"),
    "the explorer": ("web/explorer/space.c", '"exact/space/space.h"',
                     "public headers only"),
    "the program": ("cli/lab.c", '"lab/plan/plan.h"', "public headers only"),
    "an unknown header": ("src/run/run.c", '"bperc/novel.h"', "no folder"),
    "text of a kernel": ("src/exact/space/near_template.h", '"solver/sbpi.h"',
                         "must not know solver"),
}


def run(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("include/bperc", "cli"):
            (root / name).mkdir(parents=True)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return subprocess.run([sys.executable, TOOL, root], text=True,
                              capture_output=True)


class Includes(unittest.TestCase):
    def test_right_ones_pass(self):
        done = run(GOOD)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_wrong_one_is_seen(self):
        for name, (path, what, says) in WRONG.items():
            with self.subTest(name):
                done = run({**GOOD, path: f"/* x */\n#include {what}\n"})
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(f"{path}:2: {what}", done.stdout)
                self.assertIn(says, done.stdout)
                self.assertEqual(done.stdout.count("\n"), 1)

    def test_only_the_allocator_allocates(self):
        calls = {"cli/lab.c": "x = malloc(3);", "cli/lab.h": "f(calloc(1, 2));",
                 "src/run/run.c": "y = strdup (z);", "src/base/alloc.c": "malloc(1);",
                 "src/exact/space/near_template.h": "x=realloc(x, 7);", "src/run/x.c": "asprintf(&x, y);"}
        done = run({**GOOD, **{path: f"/* x */\n{call}\n" for path, call in calls.items()}})
        self.assertEqual(done.returncode, 1, done.stdout)
        for path in calls:
            self.assertEqual(done.stdout.count(f"{path}:2: "), path != "src/base/alloc.c", path)
        self.assertEqual(done.stdout.count("memory comes from"), len(calls) - 1)

    def test_code_under_another_ending_is_seen(self):
        done = run({**GOOD, "src/exact/space/near.inc": "static int x;\n"})
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("src/exact/space/near.inc: C code ends in .c or .h", done.stdout)

    def test_a_new_folder_needs_a_place(self):
        done = run({**GOOD, "src/novel/x.c": ""})
        self.assertEqual(done.returncode, 1)
        self.assertIn("no place", done.stdout)


if __name__ == "__main__":
    unittest.main()
