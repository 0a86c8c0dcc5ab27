"""A file gives the same answer by its name, as standard input and through a
pipe, whatever kind it is."""
import io
import subprocess

import h5py
import numpy as np
from harness import BPERC, Case, main

BLOCK = 1 << 18  # what is looked at before anything is read


def svmlight_with_late_value(rows, value):
    """The only value other than 0 and 1 stands in the last row."""
    lines = [f"{k % 2} 1:{k % 2} 2:1 3:{k // 2 % 2}" for k in range(rows)]
    lines.append(f"1 1:1 2:{value} 3:0")
    return ("\n".join(lines) + "\n").encode()


class Pipes(Case):
    def three_ways(self, text, *args, name="data", env=None):
        """Of `args` with `name` for the file; all three answers are equal."""
        path = self.path(name, text)
        answers = []
        for way in ("file", "<", "pipe"):
            words = [str(a) for a in args]
            words[words.index(name)] = path if way == "file" else "-"
            with open(path, "rb") as f:
                done = subprocess.run(
                    [BPERC, *words], capture_output=True,
                    **{"file": {}, "<": {"stdin": f},
                       "pipe": {"input": text}}[way])
            for called in (path, "standard input"):
                done.stderr = done.stderr.replace(called.encode(), b"FILE")
            answers.append((done.returncode, done.stdout, done.stderr))
        self.assertEqual(answers[1], answers[0])
        self.assertEqual(answers[2], answers[0])
        return answers[0]

    def exported(self, text, *more):
        code, out, err = self.three_ways(text, "export", "data", "--format",
                                         "text", *more)
        self.assertEqual(code, 0, err)
        return out.decode()

    def instance(self, form):
        path = self.generate(n=70, m=9, fin=0.3, a=6.5, seed=2)
        out = self.path("made")
        self.run_ok("export", path, "--format", form, "--out", out)
        with open(path) as f, open(out, "rb") as g:
            return f.read(), g.read()

    def test_instances(self):
        for form in ("text", "svmlight", "hdf5", "hdf5-bits"):
            with self.subTest(form):
                text, data = self.instance(form)
                self.assertEqual(self.exported(data), text)

    def test_hdf5_behind_a_user_block(self):
        """Its text may look like the header of a table."""
        text, data = self.instance("hdf5")
        for size in (512, 2048, 65536):
            path = self.path("block.h5")
            with h5py.File(path, "w", userblock_size=size) as f:
                with h5py.File(io.BytesIO(data)) as g:
                    for key in g:
                        f[key] = g[key][:]
                    for key, value in g.attrs.items():
                        f.attrs[key] = value
            with open(path, "r+b") as f:
                f.write(b"made by us, in a lab, with a comma\n")
            with open(path, "rb") as f:
                self.assertEqual(self.exported(f.read()), text)

    def test_tables(self):
        array = io.BytesIO()
        np.save(array, np.array([[1, 1.5, 2], [0, 0.5, 3],
                                  [1, 1.5, 2], [0, 0.25, 4]]))
        for text in (b"label,a,b\n1,1.5,2\n0,0.5,3\n1,1.5,2\n0,0.25,4\n",
                     b"# made\n\nlabel\ta\tb\n1\t1.5\t2\n0\t0.5\t3\n1\t1.5\t2\n"
                     b"0\t0.25\t4\n",
                     b"# x\n1 1:1.5 2:2\n0 1:0.5 2:3\n1 1:1.5 2:2\n"
                     b"0 1:0.25 2:4\n",
                     array.getvalue()):
            with self.subTest(text[:9]):
                out = self.exported(text, "--threshold", 1)
                self.assertEqual(out.split("\n")[1:],
                                 ["1 10", "0 01", "1 10", "0 01", ""])

    def test_svmlight_with_a_late_value(self):
        """The first value other than 0 and 1 lies beyond the first block."""
        text = svmlight_with_late_value(30000, 0.5)
        self.assertGreater(text.rindex(b"0.5"), BLOCK)
        out = self.exported(text, "--threshold", 1)
        self.assertEqual(out.count("\n"), 30002)
        text = svmlight_with_late_value(30000, 1)
        self.assertEqual(self.exported(text, "--a", 2).count("\n"), 30002)

    def test_rows_without_labels(self):
        train = b"3 4 0 threshold=1.5\n1 110\n0 011\n1 101\n0 001\n"
        model = self.path("m.txt")
        self.run_ok("fit", self.path("t.txt", train), "--folds", 0,
                    "--model-out", model)
        for text in (train, b"110\n011\n101\n001\n", b"1:1 2:1\n2:1 3:1\n"
                     b"1:1 3:1\n3:1\n", b"# x\n" * BLOCK + b"110\n011\n"
                     b"101\n001\n"):
            code, out, err = self.three_ways(text, "predict", model, "data")
            self.assertEqual((code, out.split()), (0, [b"1", b"0"] * 2), err)

    def test_weights_and_models(self):
        text, _ = self.instance("text")
        problem = self.path("p.txt", text)
        bits = b"# found\n" + b"01" * 35 + b"\n"
        numbers = b" ".join([b"0", b"2"] * 35) + b"\n"
        for weights in (bits, numbers):
            code, out, err = self.three_ways(weights, "check", problem, "data",
                                             "--sums", "--json")
            self.assertIn(code, (0, 1), err)
            self.assertIn(b"sums", out)
        rows = self.path("r.csv", "label,a\n1,2\n0,1\n1,3\n0,0\n")
        self.run_ok("fit", rows, "--folds", 0, "--model-out",
                    self.path("model"))
        with open(self.path("model"), "rb") as f:
            model = f.read()
        code, out, err = self.three_ways(model, "check", rows, "data", "--json")
        self.assertEqual(code, 0, err)
        code, out, err = self.three_ways(model, "predict", "data", rows)
        self.assertEqual((code, out.split()), (0, [b"1", b"0"] * 2), err)

    def test_damage_is_told_in_the_same_words(self):
        for text in (b"", b"# nothing\n", b"a\0b", b"hello\n", b"\x93NUMPY\1",
                     b"\211HDF\r\n\032\n" + b"x" * 700,
                     b"3 2 1.5\n1 110\n0 01\n", b"1 1:1 2:x\n",
                     b"label,a\n1,2\n0\n", b"bperc model 1\nend\n"):
            with self.subTest(text[:9]):
                code, _, err = self.three_ways(text, "export", "data",
                                               "--format", "text", "--a", 2)
                self.assertEqual(code, 3, err)
                self.assertTrue(err.startswith(b"bperc: FILE"), err)


if __name__ == "__main__":
    main()
