"""Every number of the shared cases, and the manners of the exact commands."""
import glob
import json
import math
import os
import random
import re
import resource
import signal
import subprocess

from harness import (BPERC, Case, bperc, case, cpu_seconds, main,
                     wait_until)

TOLERANCE = 1e-11  # the cases have 12 digits


class Cases(Case):
    def close(self, measured, expected, what):
        if expected is None:
            self.assertIsNone(measured, what)
        else:
            self.assertIsNotNone(measured, what)
            scale = max(1, abs(expected))
            self.assertLess(abs(measured - expected), TOLERANCE * scale, what)

    def spaces(self):
        for name in sorted(os.listdir(os.environ["CASES"])):
            if not name.endswith(".json"):
                continue
            with open(case(name)) as source:
                truth = json.load(source)
            for ties in ("zero", "strict"):
                if ties in truth:
                    yield name[:-5] + ".txt", ties, truth["N"], truth[ties]

    def test_enumerate(self):
        seen = 0
        for name, ties, n, truth in self.spaces():
            with self.subTest(case=name, ties=ties):
                got = self.run_json("enumerate", case(name), "--ties", ties,
                                    "--pairs")
                self.assertEqual(got["count"], str(truth["n_solutions"]))
                self.assertEqual(got["ties"], ties)
                if truth["n_solutions"] == 0:
                    self.assertIsNone(got["marginals"])
                    self.assertIsNone(got["entropy"])
                    self.assertIsNone(got["clusters"]["parisi_x"])
                    self.assertEqual(got["clusters"]["sizes"], [])
                    continue
                seen += 1
                self.compare_space(got, truth)
        self.assertGreaterEqual(seen, 6)

    def compare_space(self, got, truth):
        for p, q in zip(got["marginals"], truth["marginals"], strict=True):
            self.close(p, q, "marginal")
        for p, c in zip(got["marginals"], truth["ones_count"], strict=True):
            self.assertLess(abs(p - c / truth["n_solutions"]), 1e-14)
        sizes = []
        for size, many in truth["cluster_sizes"]["list"]:
            sizes += [size] * many
        self.assertEqual(got["clusters"]["sizes"], sizes)
        self.assertEqual(got["clusters"]["count"], truth["n_clusters"])
        self.assertEqual(got["distance_histogram"],
                         truth["pair_hamming_hist"])
        for entry, want in zip(got["local_entropy"], truth["local"],
                               strict=True):
            self.assertEqual(
                [entry[k] for k in ("d", "sum", "without", "min", "max")],
                [want[k] for k in ("d", "sum_counts", "solutions_with_zero",
                                   "min", "max")])
            self.close(entry["mean"], want["F_local"], "local entropy")

    def test_lists(self):
        import importlib.util
        if importlib.util.find_spec("h5py") is None:
            self.skipTest("no h5py")
        import h5py
        for name, ties, n, truth in self.spaces():
            with self.subTest(case=name, ties=ties):
                path = self.path(f"{name}{ties}.h5")
                self.run_ok("enumerate", case(name), "--ties", ties, "--list",
                            path)
                with h5py.File(path) as found:
                    rows = found["solutions"][...]
                words = [sum(int(b) << (8 * k) for k, b in enumerate(row))
                         for row in rows]
                self.assertEqual(words, sorted(words))
                self.assertEqual(sum(words), truth["solutions_sum"])
                total = 0
                for word in words:
                    total ^= word
                self.assertEqual(total, truth["solutions_xor"])
                if "solutions" in truth:
                    self.assertEqual(words, truth["solutions"])

    def test_decimation(self):
        for name, ties, n, truth in self.spaces():
            if "decimation" not in truth:
                continue
            with self.subTest(case=name, ties=ties):
                got = self.run_json("decimate", case(name), "--ties", ties,
                                    "--marginals", "exact")
                want = truth["decimation"]
                self.assertEqual(got["order"], want["order"])
                self.assertEqual(got["values"], want["value"])
                self.assertEqual(
                    [int(s["count"]) for s in got["steps"]][1:],
                    want["n_solutions_after"])
                self.assertTrue(got["solved"])
                self.compare_steps(got["steps"], truth["trajectory"])

    def compare_steps(self, steps, trajectory):
        for k, (step, want) in enumerate(zip(steps, trajectory, strict=True)):
            self.assertEqual(step["fixed"], want["N_fix"])
            self.assertEqual(step["clusters"], want["n_clusters"])
            self.assertEqual(step["weight"] is None, k == 0)
            for key, name in (("parisi_x", "x_star"), ("xcorr_mean", "XCorr"),
                              ("xcorr_mean_square", "XCorr2"),
                              ("q_same", "q_same_incl_self"),
                              ("q_diff", "q_diff"),
                              ("entropy", "entropy_density"),
                              ("k_index", "k")):
                self.close(step[key], want[name], f"{key} at {k}")
            for d in (1, 2, 3):
                self.close(step[f"local_entropy_d{d}"], want["F_local"][d - 1],
                           f"local entropy at {d}, {k} fixed")

    def test_uniform_decimation(self):
        """Any order, values by their marginals: exactly, always a solution."""
        orders = set()
        for seed in (1, 2, 3):
            told = self.run_json("decimate", case("c05.txt"), "--order",
                                 "random", "--marginals", "exact", "--seed",
                                 seed)
            orders.add(tuple(told["order"]))
            self.assertTrue(told["solved"])
            self.assertEqual(sorted(told["order"]), list(range(told["n"])))
            self.assertEqual(told["steps"][-1]["count"], "1")
            code, out, _ = bperc("decimate", case("c05.txt"), "--order",
                                 "random", "--seed", seed, "--json")
            by_bp = json.loads(out)
            self.assertEqual(code, 0 if by_bp["solved"] else 1)
            self.assertEqual(by_bp["order"],
                             told["order"][:len(by_bp["order"])])
        self.assertEqual(len(orders), 3)

    def test_along_an_order(self):
        """The order of a decimation, given back, gives the same steps."""
        first = self.run_json("decimate", case("c05.txt"), "--marginals",
                              "exact")
        path = self.path("order.json", json.dumps(first))
        again = self.run_json("decimate", case("c05.txt"), "--along", path)
        self.assertEqual(first["steps"], again["steps"])
        late = self.run_json("decimate", case("c05.txt"), "--along", path,
                             "--from", 6)
        for a, b in zip(first["steps"][6:], late["steps"][6:], strict=True):
            for key in ("count", "parisi_x", "q_same", "clusters"):
                self.assertEqual(a[key], b[key])
            self.assertIsNone(b["k_index"])
        by_bp = self.run_json("decimate", case("c05.txt"), "--from", 6)
        self.assertNotIn("count", by_bp["steps"][5])
        self.assertIn("count", by_bp["steps"][6])  # without --measure
        fixed = self.run_json("enumerate", case("c05.txt"), "--order", path,
                              "--fixed", 6)
        self.assertEqual(fixed["count"], first["steps"][6]["count"])
        lines = "".join(f"{w} {v}\n" for w, v in
                        zip(first["order"], first["values"]))
        text = self.path("order.txt", "# weight value\n" + lines)
        again = self.run_json("decimate", case("c05.txt"), "--along", text)
        self.assertEqual(first["steps"], again["steps"])


class Manners(Case):
    def instance(self, n, m, fin, seed, a=12):
        return self.generate(n=n, m=m, fin=fin, a=a, seed=seed)

    def test_unsatisfiable(self):
        """No crash in any measure, null where a mean of nothing is asked."""
        for name in ("e01.txt",):
            got = self.run_json("enumerate", case(name), "--pairs",
                                "--correlations", "--overlaps", 4)
            self.assertEqual(got["count"], "0")
            self.assertIsNone(got["log_count"])
            self.assertEqual([e["mean"] for e in got["local_entropy"]],
                             [None] * 3)
            self.run_ok("enumerate", case(name), "--list", self.path("l.h5"))
            steps = self.run_json("decimate", case(name), "--marginals",
                                  "exact", status=1)["steps"]
            self.assertEqual(len(steps), 1)
            self.assertIsNone(steps[0]["k_index"])
            pairs = self.run_json("xcorr", case(name), "--marginals", "exact",
                                  status=1)
            self.assertIsNone(pairs["xcorr_mean"])
            solved = self.run_json("solve", case(name), "--solver", "exact",
                                   "--anyway", status=1)
            self.assertEqual(solved["status"], "unsatisfiable")

    def test_proof_by_exhaustion(self):
        """Unsatisfiable without a trivial contradiction, as the Gray sweep
        says too."""
        proved = 0
        for seed in range(1, 40):
            path = self.instance(20, 14, 0.5, seed)
            count = self.run_json("enumerate", path, "--count-only",
                                  "--method", "gray")["count"]
            solved = self.run_json("solve", path, "--solver", "exact",
                                   status=1 if count == "0" else 0)
            self.assertEqual(solved["status"],
                             "unsatisfiable" if count == "0" else "solved")
            if count != "0":
                weights = self.path("w.txt", solved["weights"] + "\n")
                self.run_ok("check", path, weights)
            if count == "0":  # as few errors as can be, and proven
                self.assertGreaterEqual(solved["errors"], 1)
                self.assertEqual(solved["unavoidable"], solved["errors"])
            proved += count == "0"
        self.assertGreater(proved, 3)

    def test_limits(self):
        path = self.instance(30, 8, 0.3, 5)
        full = self.run_json("enumerate", path, "--count-only")
        self.assertTrue(full["complete"])
        self.assertGreater(int(full["count"]), 1000)
        for more in (["--threads", 1], ["--threads", 4]):
            some = self.run_json("enumerate", path, "--limit", 1000, *more,
                                 status=1)
            self.assertEqual((some["count"], some["complete"]),
                             ("1000", False))
        some = self.run_json("enumerate", path, "--limit", 1000,
                             "--count-only", status=1)
        self.assertEqual((some["count"], some["complete"]), ("1000", False))
        path = self.instance(30, 3, 0.3, 5)
        tight = self.run_json("enumerate", path, "--memory", 0.001, status=1)
        self.assertFalse(tight["complete"])

    def test_limited_list_is_written(self):
        """What was found, said to be incomplete, in the answer and the file."""
        path, out = self.instance(30, 8, 0.3, 5), self.path("some.h5")
        code, said, talk = bperc("enumerate", path, "--limit", 1000, "--list",
                                 out)
        self.assertEqual(code, 1)
        self.assertIn("or more (limit reached)", said)
        self.assertIn("a limit was reached", talk)
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        with h5py.File(out) as f:
            self.assertEqual((f.attrs["count"], f.attrs["complete"]),
                             (1000, 0))
            self.assertEqual(len(f["solutions"]), 1000)

    def test_interrupt(self):
        """Long searches and long measures end soon, and say what is missing."""
        path, out = self.instance(60, 12, 0.3, 5), self.path("l.h5")
        for more in (["--count-only"], ["--list", out],
                     ["--limit", 2000000, "--distance", 20, "--full"]):
            args = [BPERC, "enumerate", path, "--threads", 1, *more]
            run = subprocess.Popen([str(a) for a in args], text=True,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
            wait_until(lambda: cpu_seconds(run) > 1, run)  # of hours
            run.send_signal(signal.SIGINT)
            said, talk = run.communicate()
            self.assertEqual((run.returncode, said), (130, ""), talk)
            self.assertIn("interrupted", talk)
            # by the search itself, or from outside where it does not look in time
            self.assertRegex(talk, "nothing is (kept|known)")
            self.assertFalse(os.path.exists(out))
            self.assertEqual(glob.glob(out + "*"), [])

    def test_full_disk(self):
        """A list that does not fit leaves a sentence and no file; devices stay
        what they are."""
        path, out = self.instance(30, 8, 0.3, 5), self.path("l.h5")

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = subprocess.run([BPERC, "enumerate", path, "--list", out],
                              capture_output=True, text=True,
                              preexec_fn=small_files)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertEqual(done.stderr,
                         f"bperc: {out}: cannot be written: File too large\n")
        self.assertEqual(glob.glob(out + "*"), [])
        with open("/dev/full", "w") as full:
            done = subprocess.run([BPERC, "enumerate", path, "--json"],
                                  stdout=full, stderr=subprocess.PIPE,
                                  text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (4, "bperc: standard output: No space left on "
                             "device\n"))
        before = os.stat("/dev/null")
        self.run_bad("enumerate", path, "--list", "/dev/null", status=4,
                     says="regular file")
        self.assertEqual(os.stat("/dev/null").st_mode, before.st_mode)

    def test_gray_is_the_same(self):
        path = self.instance(17, 6, 0.4, 9)
        a = self.run_json("enumerate", path, "--pairs")
        b = self.run_json("enumerate", path, "--pairs", "--method", "gray")
        for answer in (a, b):
            del answer["seconds"]
        self.assertEqual(a, b)

    def test_threads_are_the_same(self):
        path = self.instance(42, 15, 0.4, 3)
        answers = []
        for threads in (1, 3):
            got = self.run_json("enumerate", path, "--threads", threads)
            del got["seconds"]
            answers.append(got)
        self.assertEqual(answers[0], answers[1])

    def test_fixed_weights(self):
        path = self.instance(16, 5, 0.4, 2)
        full = int(self.run_json("enumerate", path)["count"])
        zero = self.run_json("enumerate", path, "--fix", "3=0,")
        one = self.run_json("enumerate", path, "--fix", "3=1")
        self.assertEqual(int(zero["count"]) + int(one["count"]), full)
        self.assertEqual(one["marginals"][3], 1)
        self.assertEqual(one["unfixed"], 15)

    def test_fixed_weights_and_the_full_space(self):
        """Local entropies and k index of a part are those of the full space
        around its solutions."""
        free = self.path("free.txt", "5 0 2\n")
        got = self.run_json("enumerate", free, "--fix", "4=0")
        self.assertAlmostEqual(got["local_entropy"][0]["mean"], math.log(5) / 5)
        self.assertAlmostEqual(got["clusters"]["k_index"], math.log(32) / 5)
        path = self.instance(12, 4, 0.4, 2)
        whole = self.run_json("enumerate", path)
        parts = [self.run_json("enumerate", path, "--fix", f"3={v}")
                 for v in (0, 1)]
        total = sum(p["count_number"] for p in parts)
        self.assertEqual(total, whole["count_number"])
        for d in range(3):
            self.assertEqual(sum(p["local_entropy"][d]["sum"] for p in parts),
                             whole["local_entropy"][d]["sum"])
            mean = sum(p["local_entropy"][d]["mean"] * p["count_number"]
                       for p in parts) / total
            self.assertAlmostEqual(mean, whole["local_entropy"][d]["mean"])
        mean = sum(p["clusters"]["k_index"] * p["count_number"]
                   for p in parts) / total
        self.assertAlmostEqual(mean, whole["clusters"]["k_index"])
        large = self.instance(41, 16, 0.5, 2)
        some = self.run_json("enumerate", large, "--fix", "0=0,1=0")
        self.assertIsNone(some["local_entropy"])
        self.assertIsNone(some["clusters"]["k_index"])
        self.assertEqual(some["not_computed"],
                         {"local_entropy": "--full", "k_index": "--full"})
        full = self.run_json("enumerate", large, "--fix", "0=0,1=0", "--full")
        self.assertNotIn("not_computed", full)
        self.assertEqual(len(full["local_entropy"]), 3)

    def test_costly_measures_of_large_spaces(self):
        """Null above the stated number of solutions, unless asked for."""
        path = self.instance(20, 1, 0.4, 5)
        got = self.run_json("enumerate", path)
        self.assertGreater(got["count_number"], 100000)
        self.assertIsNone(got["local_entropy"])
        self.assertIsNotNone(got["xcorr_mean"])
        self.assertEqual(got["not_computed"], {"local_entropy": "--full"})
        full = self.run_json("enumerate", path, "--full", "--distance", 1)
        self.assertNotIn("not_computed", full)
        self.assertGreater(full["local_entropy"][0]["mean"], 0)
        _, said, _ = bperc("enumerate", path)
        self.assertIn("--full asks for it", said)
        huge = self.run_json("enumerate", self.path("h.txt", "100 0 2\n"),
                             "--count-only")
        self.assertEqual((huge["count"], huge["count_number"]),
                         (str(2 ** 100), None))

    def test_samples(self):
        """Solutions, the same for a seed, whose marginals are the exact ones
        within five standard errors."""
        path = self.instance(30, 9, 0.4, 3)
        exact = self.run_json("enumerate", path, "--distance", 0)
        got = self.run_json("enumerate", path, "--sample", 2000, "--seed", 5)
        self.assertEqual(got["count"], exact["count"])
        self.assertEqual(len(got["samples"]), 2000)
        for p, q in zip(got["sample_marginals"], exact["marginals"]):
            self.assertLess(abs(p - q), 5 * (q * (1 - q) / 2000) ** .5 + 1e-12)
        again = self.run_json("enumerate", path, "--sample", 2000, "--seed", 5,
                              "--threads", 3)
        self.assertEqual(got["samples"], again["samples"])
        other = self.run_json("enumerate", path, "--sample", 2000, "--seed", 6)
        self.assertNotEqual(got["samples"], other["samples"])
        for weights in got["samples"][:5]:
            self.run_ok("check", path, self.path("w.txt", weights + "\n"))
        none = self.run_json("enumerate", case("e01.txt"), "--sample", 3)
        self.assertEqual((none["count"], none["samples"]), ("0", []))

    def test_clasp_counts_the_same(self):
        """Weights -1/+1, exported as OPB: inputs +-0 at N = 31, which clasp
        counts at once, and inputs +- at N = 21."""
        draw, total = random.Random(7), 0
        for n, m, inputs in [(31, 22, "+-00000")] * 20 + [(21, 13, "+-")] * 3:
            rows = "".join(
                f"{draw.randint(0, 1)} " +
                "".join(draw.choice(inputs) for _ in range(n)) + "\n"
                for _ in range(m))
            path = self.path("pm.txt",
                             f"{n} {m} 0 weights=pm threshold=0\n" + rows)
            out = self.path("pm.opb")
            self.run_ok("export", path, "--format", "opb", "--out", out)
            said = subprocess.run(["clasp", "-n", "0", "-q", out], text=True,
                                  capture_output=True).stdout
            models = re.search(r"^c Models +: (\d+)$", said, re.M)
            got = self.run_json("enumerate", path, "--count-only")
            self.assertEqual(got["count"], models.group(1))
            total += got["count_number"]
        self.assertGreater(total, 0)

    def test_matrices_as_text(self):
        path = self.generate(n=21, m=6, fin=0.5, a=12, seed=3)
        call = ["enumerate", path, "--overlaps", 3, "--correlations"]
        told, said = self.run_json(*call), self.run_ok(*call)
        for row in told["clusters"]["overlaps"]:
            self.assertIn(" ".join(f"{q:8.5f}" for q in row) + "\n", said)
        c = told["xcorr"]
        pairs = sorted(((i, j) for j in range(21) for i in range(j)),
                       key=lambda p: (-abs(c[p[0]][p[1]]), p))
        lines = said.partition("strongest correlations")[2].splitlines()[1:]
        self.assertEqual([line.split() for line in lines],
                         [[str(i), str(j), f"{c[i][j]:.6f}"]
                          for i, j in pairs[:10]])

    def test_text_has_the_names_of_the_json(self):
        path = self.generate(n=21, m=6, fin=0.5, a=12, seed=3)
        told, said = self.run_json("enumerate", path), self.run_ok(
            "enumerate", path)
        for name, value in (("xcorr_mean", told["xcorr_mean"]),
                            ("xcorr_mean_square", told["xcorr_mean_square"]),
                            ("k_index", told["clusters"]["k_index"])):
            self.assertRegex(said, rf"(?m)^{name} +{value:.6g}$")
        head = self.run_ok("decimate", path, "--marginals", "exact")
        self.assertIn("xcorr_mean_square", head.splitlines()[0])

    def test_around(self):
        path = self.instance(14, 4, 0.4, 4)
        weights = self.path("w.txt", "0" * 14 + "\n")
        got = self.run_json("enumerate", path, "--around", weights)
        self.assertEqual(sum(got["around"]), int(got["count"]))

    def test_bp_orders_can_be_measured(self):
        got = self.run_json("decimate", case("c05.txt"), "--marginals", "bp",
                            "--measure")
        self.assertEqual(int(got["steps"][0]["count"]), 669)
        self.assertEqual(sorted(got["order"]), list(range(18)))
        counts = [int(s["count"]) for s in got["steps"]]
        self.assertEqual(counts, sorted(counts, reverse=True))
        plain = self.run_json("decimate", case("c05.txt"), "--marginals", "bp")
        self.assertNotIn("count", plain["steps"][0])
        self.assertEqual(plain["order"], got["order"])

    def test_embed(self):
        svg, tsv = self.path("m.svg"), self.path("m.tsv")
        got = self.run_json("embed", case("c05.txt"), "--svg", svg, "--tsv",
                            tsv, "--points", 200, "--restarts", 1)
        self.assertEqual((got["solutions"], got["points"], got["sampled"]),
                         (669, 200, True))
        self.assertLess(got["stress"], got["classical_stress"])
        with open(svg) as source:
            picture = source.read()
        self.assertIn("a random sample of 200", picture)
        self.assertIn("stress", picture)
        picture, legend = picture.split('<g id="legend">')
        self.assertIn("and %d more" % (got["clusters"] - 8), legend)
        self.assertEqual(picture.count("<circle") + picture.count("<path t"),
                         200)
        with open(tsv) as source:
            lines = [l for l in source if not l.startswith("#")]
        self.assertEqual(lines[0].split()[:3], ["x", "y", "cluster"])
        self.assertEqual(len(lines), 201)
        none = self.run_json("embed", case("e01.txt"), "--svg", svg, status=1)
        self.assertIsNone(none["stress"])

    def test_mistakes(self):
        path = case("c01.txt")
        self.run_bad("enumerate", path, "--fix", "3=2", status=2, says="--fix")
        self.run_bad("enumerate", path, "--fix", "12=1", status=2, says="12")
        self.run_bad("enumerate", path, "--fix", "1=1,1=0", status=2,
                     says="both")
        self.run_bad("enumerate", path, "--fixed", 3, status=2, says="--order")
        self.run_bad("enumerate", path, "--order", self.path("none"), status=3,
                     says="none: No such file or directory")
        bad = self.path("bad.txt", "0 1\n0 0\n")
        self.run_bad("enumerate", path, "--order", bad, "--fixed", 2, status=3,
                     says="bad.txt:2")
        bad = self.path("bad.json", '{"order": [1.5], "values": [true]}')
        self.run_bad("enumerate", path, "--order", bad, "--fixed", 1, status=3,
                     says="whole numbers")
        self.run_bad("enumerate", path, "--list", "/nowhere/x.h5", status=4,
                     says="/nowhere/x.h5")
        large = self.instance(200, 60, 0.3, 1)
        self.run_bad("enumerate", large, status=2, says="128")
        # wider problems are searched by cutting planes
        self.run_ok("solve", large, "--solver", "exact")


if __name__ == "__main__":
    main()
