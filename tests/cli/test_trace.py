"""solve --trace: the layout of docs/trace.md, read with h5py."""
import os
import sys
import unittest

from harness import Case, main

try:
    import h5py
except ImportError:  # another python3 comes first: Debian's has h5py
    system = "/usr/bin/python3"
    if os.path.exists(system) and sys.executable != system:
        os.execv(system, [system, *sys.argv])
    h5py = None


@unittest.skipUnless(h5py, "no h5py")
class Trace(Case):
    def setUp(self):
        super().setUp()
        self.instance = self.generate(n=150, alpha=0.25, fin=0.4, a=10, seed=4)

    def trace(self, *options, status=0):
        path = self.path("t.h5")
        told = self.run_json("solve", self.instance, "--seed", 9, "--trace",
                             path, *options, status=status)
        return told, h5py.File(path, "r")

    def test_layout(self):
        told, f = self.trace("--solver", "sbpi")
        steps = told["steps"]
        self.assertGreater(steps, 3)
        self.assertEqual(f.attrs["solver"], "sbpi")
        self.assertEqual(f.attrs["ties"], "zero")
        self.assertEqual((f.attrs["n"], f.attrs["m"], f.attrs["a"]),
                         (150, 38, 10))
        self.assertEqual((f.attrs["seed"], f.attrs["steps"],
                          f.attrs["solved"]), (9, steps, 1))
        self.assertEqual(f["options"].attrs["margin"], "deepen")
        self.assertEqual(f["options"].attrs["max_sweeps"], 4000)
        self.assertEqual(f["errors"].shape, (steps + 1,))
        self.assertEqual(f["errors"][-1], 0)
        self.assertEqual(list(f["step"]), list(range(steps + 1)))
        self.assertEqual(f["hidden"].shape, (steps + 1, 150))
        self.assertEqual("".join(map(str, f["final_weights"])),
                         told["weights"])
        for name in ("errors", "hidden", "final_weights"):  # same bytes any day
            self.assertEqual(h5py.h5g.get_objinfo(f[name].id).mtime, 0)

    def test_hidden_states_carry_the_weights_and_t_fix(self):
        told, f = self.trace()
        hidden, weights = f["hidden"][:], f["weights"][:]
        self.assertTrue(((hidden > 0) == (weights == 1)).all())
        self.assertTrue((abs(hidden) % 2 == 1).all())
        self.assertLessEqual(abs(hidden).max(), 11)  # K = [11.7] = 12
        self.assertTrue((abs(hidden[0]) == 1).all())
        for i in range(150):
            changes = [t for t in range(1, len(weights))
                       if weights[t][i] != weights[t - 1][i]]
            self.assertEqual(f["t_fix"][i], changes[-1] if changes else 0)

    def test_sample_every_few_steps(self):
        whole = self.trace()[1]
        hidden, steps = whole["hidden"][:], len(whole["errors"])
        whole.close()
        told, f = self.trace("--trace-every", 3, "--trace-weights", 20)
        index = list(f["index"])
        self.assertEqual(len(index), 20)
        self.assertEqual(index, sorted(set(index)))
        self.assertEqual(list(f["step"]), list(range(0, steps, 3)))
        self.assertEqual(len(f["errors"]), steps)
        self.assertTrue((f["hidden"][:] == hidden[::3][:, index]).all())
        self.assertEqual(len(f["t_fix"]), 150)

    def test_unsolved_and_integers(self):
        told, f = self.trace("--max-sweeps", 2, status=1)
        self.assertEqual((f.attrs["solved"], f.attrs["best_errors"]),
                         (0, told["errors"]))
        f.close()
        told, f = self.trace("--solver", "ecp")
        self.assertEqual(list(f["best_weights"]), told["weights"])
        self.assertEqual(list(f["weights"][-1]), told["weights"])
        self.assertLessEqual(abs(f["hidden"][:]).max(), 2)

    def test_long_trace(self):
        told, f = self.trace("--max-sweeps", 6000, "--margin", "printed",
                             "--k", 1, "--trace-weights", 3, status=1)
        self.assertEqual(len(f["errors"]), told["steps"] + 1)
        self.assertEqual(f["hidden"].shape[0], told["steps"] + 1)

    def test_nothing_half_written(self):
        self.run_bad("solve", self.instance, "--trace", "/nowhere/t.h5",
                     status=4, says="/nowhere/t.h5")
        self.trace()
        self.assertEqual(sorted(os.listdir(self.folder.name)),
                         [os.path.basename(self.instance), "t.h5"])


if __name__ == "__main__":
    main()
