"""Files: every format in and out, other solvers, and every kind of bad file."""
import fcntl
import itertools
import os
import struct
import subprocess
import unittest

import h5py
import numpy as np
from harness import BPERC, Case, case, main

TIES = ("zero", "strict", "either")


def text_of(patterns, labels, a):
    rows = [f"{len(patterns[0])} {len(patterns)} {a}"]
    rows += [f"{l} {''.join(map(str, p))}" for p, l in zip(patterns, labels)]
    return "\n".join(rows) + "\n"


class Formats(Case):
    def random(self, n, m, fin, a, seed):
        return self.generate(n=n, m=m, fin=fin, a=a, seed=seed)

    def test_all_formats_come_back_to_the_same_text(self):
        path = self.random(130, 17, 0.3, 7.7, 3)
        with open(path) as f:
            text = f.read()
        for form, more in (("text", ()), ("hdf5", ()),
                           ("svmlight", ("--n", 130, "--a", 7.7)),
                           ("svmlight", ("--n", 130, "--threshold", 130 / 7.7))):
            out = self.path("q." + form)
            told = self.run_json("export", path, "--format", form, "--out", out)
            self.assertEqual((told["n"], told["m"]), (130, 17))
            back = self.run_ok("export", out, "--format", "text", *more)
            if "--threshold" not in more:
                self.assertEqual(back, text)
            self.assertEqual(back.split("\n")[1:], text.split("\n")[1:])

    def test_generate_writes_every_format(self):
        args = ("generate", "--n", 20, "--m", 5, "--fin", 0.4, "--a", 5)
        text = self.run_ok(*args)
        svm = self.path("p.svm", self.run_ok(*args, "--format", "svmlight"))
        self.assertEqual(self.run_ok("export", svm, "--n", 20, "--a", 5,
                                     "--format", "text"), text)
        self.run_bad(*args, "--format", "hdf5", status=2, says="--out")

    def test_standard_input(self):
        path = self.random(40, 6, 0.3, 6, 1)
        with open(path) as f:
            text = f.read()
        self.assertEqual(self.run_ok("export", "-", "--format", "text",
                                     stdin=text), text)
        svm = self.run_ok("export", path, "--format", "svmlight")
        self.assertEqual(self.run_ok("export", "-", "--format", "text", "--n",
                                     40, "--a", 6, stdin=svm), text)

    def test_h5py_reads_what_we_write(self):
        path, out = self.random(70, 9, 0.3, 6.5, 2), self.path("p.h5")
        with open(path) as f:
            rows = [line.split() for line in f.read().splitlines()[1:]]
        self.run_ok("export", path, "--format", "hdf5-bits", "--out", out)
        with h5py.File(out) as f:
            self.assertEqual(f["bits"].dtype, np.uint8)
            self.assertEqual(f["bits"].shape, (9, 9))
            bits = np.unpackbits(f["bits"][:], axis=1, count=f.attrs["N"],
                                 bitorder="little")
            self.assertEqual(["".join(map(str, r)) for r in bits],
                             [r[1] for r in rows])
            self.assertEqual([str(l) for l in f["labels"]],
                             [r[0] for r in rows])
            self.assertEqual((f.attrs["A"], f.attrs["N"], f.attrs["inputs"]),
                             (6.5, 70, "01"))
        self.run_ok("export", path, "--format", "hdf5", "--out", out)
        with h5py.File(out) as f:
            self.assertEqual(f["patterns"].dtype, np.uint8)
            self.assertEqual(["".join(map(str, r)) for r in f["patterns"]],
                             [r[1] for r in rows])
            self.assertEqual([str(l) for l in f["labels"]],
                             [r[0] for r in rows])
            self.assertEqual(f.attrs["A"], 6.5)

    def test_we_read_bits_that_h5py_writes(self):
        """The example of docs/formats.md, in several layouts."""
        draw = np.random.default_rng(3)
        for n, layout in ((1, {}), (8, {}), (64, {}),
                          (83, {"chunks": (3, 2)}),
                          (83, {"compression": "gzip"})):
            inputs = draw.integers(0, 2, (12, n))
            labels = draw.integers(0, 2, 12)
            path = self.path("b.h5")
            with h5py.File(path, "w") as f:
                f.create_dataset("bits", data=np.packbits(
                    inputs.astype("u1"), axis=1, bitorder="little"), **layout)
                f["labels"] = labels.astype("u1")
                f.attrs["N"], f.attrs["A"] = n, 2.5
            text = f"{n} 12 2.5\n" + "".join(
                f"{label} {''.join(map(str, row))}\n"
                for label, row in zip(labels, inputs))
            self.assertEqual(self.run_ok("export", path, "--format", "text"),
                             text)

    def test_layouts_and_types_of_h5py(self):
        rng = np.random.default_rng(7)
        patterns = (rng.random((23, 150)) < 0.3).astype(np.uint8)
        labels = (rng.random(23) < 0.5).astype(np.uint8)
        text = text_of(patterns, labels, 12)
        for k, (dtype, how) in enumerate((
                ("u1", {}), ("?", {}), ("i8", {}), (">u4", {}),
                ("i1", {"chunks": (4, 33)}), ("u1", {"chunks": (23, 7)}),
                ("u1", {"chunks": (5, 64), "compression": "gzip",
                        "shuffle": True}))):
            path = self.path(f"{k}.h5")
            with h5py.File(path, "w", libver=("earliest", "latest")) as f:
                f.create_dataset("patterns", data=patterns.astype(dtype), **how)
                f["labels"] = labels.astype(dtype)
                f["patterns" if k % 2 else "/"].attrs["A"] = 12
            self.assertEqual(self.run_ok("export", path, "--format", "text"),
                             text, how)

    def test_svmlight_of_others(self):
        path = self.path("p.svm", "1 2:1.0 3:0 # c\r\n0\n-1 1:1e0\n+1 5:1\n")
        self.assertEqual(
            self.run_ok("export", path, "--format", "text", "--a", 2.5),
            "5 4 2.5\n1 01000\n0 00000\n0 10000\n1 00001\n")

    def test_text_may_have_windows_line_ends_blanks_and_comments(self):
        path = self.path("p.txt", b"\xef\xbb\xbf# c\r\n\r\n 3\t2 1.50 \r\n"
                                  b"1  011 \r\n# c\r\n0\t100")
        self.assertEqual(self.run_ok("export", path, "--format", "text"),
                         "3 2 1.5\n1 011\n0 100\n")

    def test_check_takes_whole_numbers(self):
        path = self.path("p.txt", "3 2 1\n1 110\n0 001\n")
        weights = self.path("w", "3 1 2\n")
        told = self.run_json("check", path, weights)
        self.assertEqual((told["errors"], told["min_margin"]), (0, 0))
        told = self.run_json("check", path, self.path("w", "3 0 9"), status=1)
        self.assertEqual(told["violated"], [0, 1])


class Outputs(Case):
    def test_nothing_is_left_of_a_failed_output(self):
        bad = self.path("bad.txt", "3 1 1\n1 01\n")
        for form in ("text", "hdf5", "opb"):
            self.run_bad("export", bad, "--format", form, "--out",
                         self.path("out"), status=3, says="bad.txt:2:")
        self.assertEqual(os.listdir(self.folder.name), ["bad.txt"])
        self.run_bad("export", case("c01.txt"), "--format", "text", "--out",
                     self.path("no/such/folder"), status=4, says="cannot")
        self.run_bad("export", case("c01.txt"), "--format", "hdf5", "--out",
                     self.folder.name, status=4, says="")

    def test_a_device_stays_a_device_and_a_link_a_link(self):
        self.run_ok("export", case("c01.txt"), "--format", "text", "--out",
                    "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))
        target, link = self.path("target", "old"), self.path("link")
        os.symlink(target, link)
        self.run_ok("export", case("c01.txt"), "--format", "text", "--out", link)
        self.assertTrue(os.path.islink(link))
        with open(target) as f:
            self.assertNotEqual(f.read(), "old")

    def export_text(self, out, **kept):
        return subprocess.run(
            [BPERC, "export", case("c01.txt"), "--format", "text", "--out", out],
            capture_output=True, text=True, **kept)

    def test_a_planted_link_is_not_followed(self):
        """A link under a name that the process number gives away."""
        victim, out = self.path("victim", "mine"), self.path("out.txt")

        def plant():
            os.symlink(victim, f"{out}.{os.getpid()}.part")

        self.assertEqual(self.export_text(out, preexec_fn=plant).returncode, 0)
        with open(victim) as f:
            self.assertEqual(f.read(), "mine")
        with open(out) as f, open(case("c01.txt")) as g:
            self.assertEqual([r for r in f if r[0] != "#"],
                             [r for r in g if r[0] != "#"])

    @unittest.skipUnless(os.geteuid() == 0, "needs to make another user's link")
    def test_a_link_of_another_user_is_refused(self):
        victim, link = self.path("victim", "mine"), self.path("link")
        os.symlink(victim, link)
        os.lchown(link, 12345, 12345)
        said = self.export_text(link)
        self.assertEqual(said.returncode, 4, said.stderr)
        with open(victim) as f:
            self.assertEqual(f.read(), "mine")

    def test_parts_of_killed_writers_go_and_others_stay(self):
        out = self.path("out.txt")
        left = self.path("out.txt.0123456789abcdef.part", "half")
        used = self.path("out.txt.00000000000000aa.part", "half")
        other = self.path("other.txt.0123456789abcdef.part", "half")
        short = self.path("out.txt.abc.part", "half")
        trap = self.path("out.txt.00000000000000bb.part")
        os.symlink(other, trap)
        # The lock of a living writer (F_OFD_SETLK), held by this process.
        with open(used, "r+") as f:
            fcntl.fcntl(f, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
            self.assertEqual(self.export_text(out).returncode, 0)
        self.assertFalse(os.path.exists(left))
        for stays in (used, other, short, trap, out):
            self.assertTrue(os.path.lexists(stays), stays)
        self.assertEqual(self.export_text(out).returncode, 0)
        self.assertFalse(os.path.exists(used))

    def test_usage(self):
        self.run_bad("export", case("c01.txt"), status=2, says="--format")
        self.run_bad("export", case("c01.txt"), "--format", "opb", "--json",
                     status=2, says="--out")
        self.run_bad("export", case("c01.txt"), "--format", "hdf5", status=2,
                     says="--out")


class OtherSolvers(Case):
    """clasp and cbc agree with each other and with our verifier."""

    def clasp(self, path, n, ties):
        out = self.path("p.opb")
        self.run_ok("export", path, "--format", "opb", "--ties", ties, "--out",
                    out)
        said = subprocess.run(["clasp", out], capture_output=True, text=True,
                              timeout=300).stdout
        if "s UNSATISFIABLE" in said:
            return None
        self.assertIn("s SATISFIABLE", said)
        true = {w[1:] for line in said.splitlines() if line.startswith("v")
                for w in line.split() if w.startswith("x")}
        return "".join("1" if str(i + 1) in true else "0" for i in range(n))

    def cbc(self, path, n, ties):
        out, solution = self.path("p.lp"), self.path("sol")
        self.run_ok("export", path, "--format", "lp", "--ties", ties, "--out",
                    out)
        subprocess.run(["cbc", out, "solve", "solution", solution],
                       capture_output=True, timeout=300, check=True)
        with open(solution) as f:
            first, *rows = f.read().splitlines()
        if "nfeasible" in first:
            return None
        self.assertIn("Optimal", first)
        values = {r.split()[1]: round(float(r.split()[2])) for r in rows
                  if not r.startswith("**")}
        return "".join(str(values.get(f"x{i + 1}", 0)) for i in range(n))

    def compare(self, path, n, ties):
        answers = self.clasp(path, n, ties), self.cbc(path, n, ties)
        self.assertEqual(answers[0] is None, answers[1] is None, ties)
        for weights in answers:
            if weights is not None:
                told = self.run_json("check", path, self.path("w", weights),
                                     "--ties", ties)
                self.assertTrue(told["satisfied"])
        return answers[0] is not None

    def test_random_instances(self):
        found = {True: 0, False: 0}
        for seed in range(6):
            for n, m, a, fin in ((24, 9, 4, 0.4), (60, 22, 5, 0.3),
                                 (18, 12, 3, 0.5)):
                path = self.generate(n=n, m=m, fin=fin, a=a, seed=seed)
                for ties in TIES:
                    found[self.compare(path, n, ties)] += 1
        self.assertGreater(min(found.values()), 3, found)

    def test_ties_decide(self):
        """Sums of exactly N/A = 2 satisfy label 1 under `either` alone, and
        label 0 under `zero` and `either`."""
        path = self.path("p.txt", "4 2 2\n1 0011\n0 0000\n")
        self.assertEqual([self.compare(path, 4, t) for t in TIES],
                         [False, False, True])
        path = self.path("p.txt", "4 2 2\n1 1110\n0 1100\n")
        self.assertEqual([self.compare(path, 4, t) for t in TIES],
                         [True, False, True])

    def test_patterns_without_ones(self):
        path = self.path("p.txt", "3 2 2\n1 000\n0 011\n")
        self.assertFalse(self.compare(path, 3, "zero"))
        path = self.path("p.txt", "3 2 2\n0 000\n1 011\n")
        self.assertTrue(self.compare(path, 3, "zero"))


class BadFiles(Case):
    def bad(self, content, says, *more, name="bad"):
        path = self.path(name, content)
        for command in (("export", path, "--format", "text"),
                        ("check", path, self.path("w", "1"))):
            err = self.run_bad(*command, *more, status=3, says=says)
            self.assertIn(path, err)

    def test_text(self):
        for content, says in (
                ("", ": there is no instance"),
                ("# only a comment\n\n", ": there is no instance"),
                ("3 2\n", ":1: this is neither"),
                ("hello world\n", ":1: this is neither"),
                ("0 1 1\n1 \n", ":1: N must"),
                ("-3 1 1\n1 000\n", ":1: N must"),
                ("2.5 1 1\n1 00\n", ":1: N must"),
                ("nan 1 1\n1 00\n", ":1: N must"),
                ("99999999999999999999 1 1\n1 00\n", ":1: N must"),
                ("3 -1 1\n", ":1: M must"),
                ("3 1e99 1\n", ":1: M must"),
                ("3 1 0\n1 000\n", ":1: A must"),
                ("3 1 -2\n1 000\n", ":1: A must"),
                ("3 1 nan\n1 000\n", ":1: A must"),
                ("3 1 inf\n1 000\n", ":1: A must"),
                ("3 1 1e-300\n1 000\n", ":1: A must"),
                ("4000000000 4000000000 2\n1 0\n", ":1: the file is too short"),
                ("# c\n3 2 1\n1 000\n", ":3: 1 patterns where the header says 2"),
                ("3 4000000000 1\n1 000\n", ":2: 1 patterns where"),
                ("3 1 1\n1 000\n0 000\n", ":3: more than the 1 patterns"),
                ("3 2 1\n1 0000\n0 000\n", ":2: 4 bits where 3"),
                ("3 2 1\n1 000\n0 00\n", ":3: 2 bits where 3"),
                ("3 2 1\n1 000\n0\n", ":3: a pattern line is"),
                ("3 1 1\n2 000\n", ":2: a pattern line is"),
                ("3 1 1\n1 020\n", ":2: character 4 is not"),
                ("3 1 1\n1 000 1\n", ":2: more text"),
                ("3 1 1\n1 00\0\n", ":2: a zero byte"),
                (b"\xff\xfe3\x000\x00", ":1: a zero byte"),
                (bytes(range(256)) * 8, ":1: "),
        ):
            self.bad(content, says)

    def test_svmlight(self):
        with_a = ("--a", 2)
        for content, says, more in (
                ("1 2:1\n", "give --a or --threshold", ()),
                ("1 2:1\n0 0:1\n", ":2: at character 3", with_a),
                ("1 2:1\n0 9:1\n", ":2: index 9 is beyond N = 5",
                 with_a + ("--n", 5)),
                ("1 2:1\n0 4:1 4:1\n", ":2: index 4 comes twice", with_a),
                ("1 2:1\n0 4:1 3:1\n", ":2: index 3 behind index 4", with_a),
                ("1 2:1 3:0.5\n", "two are wanted", with_a),  # a table
                ("1 2:nan\n", "two are wanted", with_a),  # a missing value
                ("1 2:x\n", ":1: the value of index 2", with_a),
                ("1 2:\n", ":1: the value of index 2", with_a),
                ("1 2:1\n0.5 1:1\n", ":2: the label", with_a),
                ("1 2:1\nx 1:1\n", ":2: the label", with_a),
                ("1 2:1 qid:3\n", ":1: 'qid:3' is not index:value", with_a),
                ("1 99999999999999999999:1\n", ":1: at character 3", with_a),
                ("1\n0\n", "no index in the whole file", with_a),
                ("1 2:1\n\0\n", ":2: a zero byte", with_a),
        ):
            self.bad(content, says, *more)
        self.run_bad("export", self.path("bad"), "--format", "text", "--a", 1,
                     "--threshold", 1, status=2, says="not both")

    def h5(self, patterns=((1, 0), (0, 1)), labels=(0, 1), a=2.0, **more):
        path = self.path("made.h5")
        with h5py.File(path, "w") as f:
            if patterns is not None:
                f["patterns"] = np.array(patterns, more.get("dtype", "u1"))
            if labels is not None:
                f["labels"] = np.array(labels, more.get("dtype", "u1"))
            if a is not None:
                f.attrs["A"] = a
            for name in more.keys() - {"dtype"}:
                f.attrs[name] = more[name]
        with open(path, "rb") as f:
            return f.read()

    def test_packed_hdf5(self):
        def h5(bits=((1,), (2,)), n=2, dtype="u1", support=None, **more):
            path = self.path("made.h5")
            with h5py.File(path, "w") as f:
                f["bits"] = np.array(bits, dtype)
                f["labels"] = np.array([0, 1], "u1")
                f.attrs["A"] = 2.0
                if support is not None:
                    f["support"] = np.array(support, dtype)
                if n is not None:
                    f.attrs["N"] = n
                for name, value in more.items():
                    f.attrs[name] = value
            with open(path, "rb") as f:
                return f.read()
        path = self.path("p.h5", h5())
        self.assertEqual(self.run_ok("export", path, "--format", "text"),
                         "2 2 2\n0 10\n1 01\n")
        for content, says in (
                (h5(n=None), "the attribute N must be a number from 1"),
                (h5(n=0), "the attribute N must be a number from 1"),
                (h5(n=2.5), "the attribute N must be a number from 1"),
                (h5(n=1e19), "the attribute N must be a number from 1"),
                (h5(n="2"), "the attribute N must be one number"),
                (h5(n=9), "bits must be bytes, M x N/8 rounded up"),
                (h5(dtype="u2"), "bits must be bytes, M x N/8 rounded up"),
                (h5(bits=[[1], [4]]), "/bits[1, 0] has a bit beyond N = 2"),
                (h5(bits=[[0, 1], [0, 128]], n=15),
                 "/bits[1, 1] has a bit beyond N = 15"),
                (h5(bits=[1, 2]), "two dimensions"),
                (h5(bits=[[0.5], [1]], dtype="f4"), "whole numbers"),
                (h5(inputs="x"), "inputs must be the text 01, pm or signed"),
                (h5(inputs="signed"), "support is missing"),
                (h5(inputs="signed", support=[[1]]),
                 "support must be bytes like bits"),
                (h5(inputs="signed", support=[[3], [1]]),
                 "bits has a 1 in pattern 1 where support has a 0"),
                (h5(inputs="signed", support=[[3], [7]]),
                 "/support[1, 0] has a bit beyond N = 2"),
                (h5()[:-1], "damaged or truncated"),
        ):
            self.bad(content, says)

    def test_hdf5(self):
        good = self.h5()
        for content, says in (
                (good[:-1], "damaged or truncated"),
                (good[:600], "damaged or truncated"),
                (good[:8], "damaged or truncated"),
                (self.h5(patterns=None), "patterns is missing"),
                (self.h5(labels=None), "labels is missing"),
                (self.h5(a=None), "attribute A is missing"),
                (self.h5(a=-1.0), "attribute A must be positive"),
                (self.h5(a=np.nan), "attribute A must be positive"),
                (self.h5(a="x"), "attribute A must be one number"),
                (self.h5(a=[1.0, 2.0]), "attribute A must be one number"),
                (self.h5(patterns=[0, 1]), "two dimensions"),
                (self.h5(labels=[[0, 1]]), "one dimension"),
                (self.h5(labels=[0, 1, 1]), "one value for each"),
                (self.h5(patterns=[[0.5, 1]], dtype="f8"), "whole numbers"),
                (self.h5(patterns=[[0, 2], [1, 1]]), "/patterns[0, 1] is not"),
                (self.h5(patterns=[[0, 1], [257, 1]], dtype="i4"),
                 "/patterns[1, 0] is not"),
                (self.h5(patterns=[[0, -2], [1, 1]], dtype="i8"),
                 "/patterns[0, 1] is not -1, 0 or 1"),
                (self.h5(patterns=[[0, 255], [1, 1]]),
                 "/patterns[0, 1] is not 0 or 1"),
                (self.h5(threshold="x"), "threshold must be one number"),
                (self.h5(threshold=2), "A must be 0"),
                (self.h5(kappa=-1), "kappa = -1 must be 0 or more"),
                (self.h5(weights="ising"), "weights must be the text 01 or pm"),
                (self.h5(weights=1), "weights must be the text 01 or pm"),
                (self.h5(labels=[0, 3]), "/labels[1] is not"),
                (self.h5(patterns=np.zeros((0, 0)), labels=()), "N from 1"),
        ):
            self.bad(content, says)

    def test_paths(self):
        weights = self.path("w", "1")
        self.run_bad("check", self.path("none"), weights, status=3,
                     says="No such file")
        self.run_bad("check", self.folder.name, weights, status=3,
                     says="is a directory")
        self.run_bad("check", case("c01.txt"), self.path("none"), status=3,
                     says="No such file")
        locked = self.path("locked", "3 0 1\n")
        os.chmod(locked, 0)
        if os.getuid():  # root reads anything
            self.run_bad("check", locked, weights, status=3,
                         says="Permission denied")
        self.run_bad("check", "/dev/zero", weights, status=3,
                     says=":1: a zero byte")

    def test_no_permission_as_somebody_else(self):
        if os.getuid():
            self.skipTest("the test before this one covers it")
        locked = self.path("locked", "3 0 1\n")
        os.chmod(locked, 0)
        os.chmod(self.folder.name, 0o755)

        def become_nobody():
            os.setgid(65534)
            os.setuid(65534)
        program = self.path("bperc")
        with open(os.environ["BPERC"], "rb") as f:
            self.path("bperc", f.read())
        os.chmod(program, 0o755)
        done = subprocess.run([program, "check", locked, locked], text=True,
                              capture_output=True, preexec_fn=become_nobody)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("Permission denied", done.stderr)

    def test_weights(self):
        for content, says in (("", "no line of weights"), ("10\n", ":1: 2 "),
                              ("1x0101", ":1: "), ("1 2 -3", ":1: "),
                              ("\0", ":1: a zero byte")):
            self.run_bad("check", self.path("p", "3 1 1\n1 011\n"),
                         self.path("w", content), status=3, says=says)

    def test_width_must_agree_with_the_file(self):
        path = self.path("p", "3 1 1.5\n1 011\n")
        self.run_ok("export", path, "--format", "text", "--a", 1.5, "--n", 3)
        self.run_bad("export", path, "--format", "text", "--n", 4, status=3,
                     says="N is 3")


def literal_count(rows, theta, kappa, pm, ties):
    """Solutions of all weights, by the definition."""
    n, count = len(rows[0][1]), 0
    for bits in itertools.product((0, 1), repeat=n):
        v = [2 * b - 1 if pm else b for b in bits]
        good = True
        for label, x in rows:
            total = sum(a * b for a, b in zip(x, v))
            level = theta + (kappa if label else -kappa)
            if total == level:
                good = ties == "either" or (ties == "zero" and not label)
            else:
                good = (total > level) == bool(label)
            if not good:
                break
        count += good
    return count


class Kinds(Case):
    """-1/+1 weights, signed inputs, direct thresholds, kappa."""

    def signed(self, seed, n=9, m=5):
        """A text file with rows of + - 0, and the same as numbers."""
        draw = np.random.default_rng(seed)
        x = draw.integers(-1, 2, (m, n))
        labels = draw.integers(0, 2, m)
        pm, kappa = int(seed % 2), float(seed % 3) / 2
        theta = float(draw.integers(-2, 3)) / (1 + seed % 2)
        rows = ["".join("-0+"[v + 1] for v in row) for row in x]
        text = (f"{n} {m} 0" + " weights=pm" * pm + f" threshold={theta:g}"
                + f" kappa={kappa:g}" * (kappa > 0) + "\n"
                + "".join(f"{l} {r}\n" for l, r in zip(labels, rows)))
        return (self.path("s.txt", text), text,
                (list(zip(labels, x)), theta, kappa, pm))

    def test_all_formats_come_back(self):
        for seed in range(12):
            path, text, _ = self.signed(seed, 9 + 70 * (seed % 2), 5)
            for form in ("text", "hdf5", "hdf5-bits", "svmlight"):
                out = self.path("q")
                self.run_ok("export", path, "--format", form, "--out", out)
                self.assertEqual(self.run_ok("export", out, "--format", "text"),
                                 text, form)

    def test_no_patterns(self):
        text = "7 0 0 weights=pm threshold=1.5 kappa=2\n"
        path = self.path("s.txt", text)
        for form in ("text", "hdf5", "hdf5-bits", "svmlight"):
            out = self.path("q")
            self.run_ok("export", path, "--format", form, "--out", out)
            self.assertEqual(self.run_ok("export", out, "--format", "text"),
                             text, form)
        out = self.path("p.lp")
        self.run_ok("export", path, "--format", "lp", "--out", out)
        said = subprocess.run(["cbc", out, "solve"], capture_output=True,
                              text=True, timeout=300)
        self.assertIn("Optimal", said.stdout)
        self.run_ok("export", path, "--format", "opb", "--out", out)
        said = subprocess.run(["clasp", out], capture_output=True, text=True,
                              timeout=300)
        self.assertIn("s SATISFIABLE", said.stdout)

    def test_h5py_reads_and_writes_signed_files(self):
        path, _, (rows, theta, kappa, _) = self.signed(5)
        out = self.path("p.h5")
        self.run_ok("export", path, "--format", "hdf5-bits", "--out", out)
        with h5py.File(out) as f:
            plus, some = (np.unpackbits(f[name][:], axis=1, count=9,
                                        bitorder="little").astype(int)
                          for name in ("bits", "support"))
            np.testing.assert_array_equal(some * (2 * plus - 1),
                                          [x for _, x in rows])
            self.assertEqual(f.attrs["inputs"], "signed")
        self.run_ok("export", path, "--format", "hdf5", "--out", out)
        with h5py.File(out) as f:
            self.assertEqual(f["patterns"].dtype, np.int8)
            np.testing.assert_array_equal(f["patterns"][:], [x for _, x in rows])
            self.assertEqual(f.attrs["weights"], b"pm")
            self.assertEqual((f.attrs["A"], f.attrs["threshold"],
                              f.attrs["kappa"]), (0, theta, kappa))
        with h5py.File(out, "w") as f:
            f["patterns"] = np.array([[1, -1, 1], [0, 1, 1]], dtype="i4")
            f["labels"] = [0, 1]
            f.attrs["threshold"], f.attrs["weights"] = 0, "pm"
        self.assertEqual(self.run_ok("export", out, "--format", "text"),
                         "3 2 0 weights=pm threshold=0\n0 +-+\n1 0++\n")

    def test_clasp_counts_the_solutions(self):
        counts = set()
        for seed in range(24):
            path, _, problem = self.signed(seed)
            ties, out = TIES[seed // 2 % 3], self.path("p.opb")
            self.run_ok("export", path, "--format", "opb", "--ties", ties,
                        "--out", out)
            said = subprocess.run(["clasp", "-n", "0", "-q", out], timeout=300,
                                  capture_output=True, text=True).stdout
            found = next(int(line.split()[-1]) for line in said.splitlines()
                         if "Models" in line)
            self.assertEqual(found, literal_count(*problem, ties), seed)
            counts.add(found)
        self.assertGreater(len(counts), 8)

    def test_cbc_finds_solutions_of_lp(self):
        found = 0
        for seed in range(12):
            path, _, problem = self.signed(seed)
            out, solution = self.path("p.lp"), self.path("sol")
            self.run_ok("export", path, "--format", "lp", "--out", out)
            subprocess.run(["cbc", out, "solve", "solution", solution],
                           capture_output=True, timeout=300, check=True)
            with open(solution) as f:
                first, *rows = f.read().splitlines()
            some = literal_count(*problem, "zero") > 0
            self.assertEqual("nfeasible" not in first, some)
            if some:
                found += 1
                values = {r.split()[1]: round(float(r.split()[2]))
                          for r in rows}
                bits = "".join(str(values.get(f"x{i + 1}", 0))
                               for i in range(9))
                signs = bits.replace("0", "-").replace("1", "+")
                for w in (bits, signs, " ".join(signs)):
                    self.assertTrue(self.run_json(
                        "check", path, self.path("w", w))["satisfied"])
        self.assertGreater(found, 4)

    def test_override(self):
        """Options stand instead of what the file says."""
        rows = "0 +-0\n1 0++\n"
        path = self.path("s.txt", "3 2 1.5 kappa=0.5\n" + rows)
        for more, header in (
                ((), "3 2 1.5 kappa=0.5"),
                (("--a", 2), "3 2 2 kappa=0.5"),
                (("--threshold", 0), "3 2 0 threshold=0 kappa=0.5"),
                (("--threshold", -1.5, "--kappa", 0, "--weights", "pm"),
                 "3 2 0 weights=pm threshold=-1.5")):
            self.assertEqual(self.run_ok("export", path, "--format", "text",
                                         *more), header + "\n" + rows)
        pm = self.path("pm.txt", "3 2 0 weights=pm threshold=0\n" + rows)
        self.assertEqual(self.run_ok("export", pm, "--format", "text",
                                     "--weights", "01"),
                         "3 2 0 threshold=0\n" + rows)

    def test_sbpi_solves_signed_problems(self):
        for weights in ("01", "pm"):
            draw = np.random.default_rng(3)
            rows = "".join(
                f"{i % 2} " + "".join("-+"[v] for v in draw.integers(0, 2, 201))
                + "\n" for i in range(60))
            path = self.path("s.txt", "201 60 0 threshold=0\n" + rows)
            told = self.run_json("solve", path, "--solver", "sbpi",
                                 "--weights", weights)
            self.assertTrue(told["solved"])
            w = self.path("w", told["weights"])
            self.run_ok("check", path, w, "--weights", weights)
            moved = self.run_json("walk", path, w, "--sweeps", 20, "--weights",
                                  weights)
            self.run_ok("check", path, self.path("w", moved["weights"]),
                        "--weights", weights)

    def test_bad_files(self):
        for text, says in (
                ("3 2 1\n0 +-0\n1 011\n", ":3: character 4 is '1'"),
                ("3 2 1\n0 010\n1 0+-\n", ":3: character 4 is '+'"),
                ("3 2 1\n0 000\n1 01-\n", ":3: character 5 is '-'"),
                ("3 1 1\n0 +x-\n", ":2: character 4 is not +, - or 0"),
                ("3 1 1 weights=ising\n0 +0-\n", ":1: 'weights=ising'"),
                ("3 1 1 colour=red\n0 +0-\n", ":1: 'colour=red'"),
                ("3 1 0 threshold=x\n0 +0-\n", ":1: 'threshold=x'"),
                ("3 1 2 threshold=1\n0 +0-\n", ":1: with threshold=T"),
                ("3 1 0\n0 +0-\n", ":1: A must be"),
                ("3 1 0 threshold=1e20\n0 +0-\n", "below 1e15"),
                ("3 1 1 kappa=-1\n0 +0-\n", "kappa = -1 must be 0 or more")):
            err = self.run_bad("export", self.path("bad", text), "--format",
                               "text", status=3, says=says)
            self.assertEqual(err.count("\n"), 1, err)
        good = self.path("good", "3 1 0 weights=pm threshold=0\n0 +0-\n")
        self.run_bad("solve", good, "--solver", "ecp", status=2,
                     says="does not solve problems with weights=pm")
        self.run_bad("export", good, "--format", "text", "--kappa", -1,
                     status=2, says="kappa")
        self.run_bad("check", good, self.path("w", "+0-"), status=3,
                     says="character 2 is not - or +")

    def test_threshold_out_of_reach(self):
        path = self.path("p", "3 1 0 weights=pm threshold=3\n1 +0-\n")
        told = self.run_json("solve", path, "--solver", "sbpi", status=1)
        self.assertEqual(told["status"], "unsatisfiable")
        self.assertIn("no sum of its 2 inputs is above", str(told))


if __name__ == "__main__":
    main()
