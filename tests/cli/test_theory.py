"""bperc theory: keys, values, lists, honest negatives and broken input."""
from harness import Case, bperc, main


class Theory(Case):
    def ask(self, *args, status=0):
        return self.run_json("theory", *args, status=status)

    def test_capacity(self):
        told = self.ask("capacity", "--a", 12, "--fin", 0.5)
        self.assertAlmostEqual(told["alpha_c"], 0.50331, delta=5e-6)
        self.assertGreater(told["overlap"], 0)
        self.assertLess(told["quadrature_error"], 1e-8)
        told = self.ask("capacity", "--weights", "ising")
        self.assertAlmostEqual(told["alpha_c"], 0.8330786, delta=5e-8)
        told = self.ask("capacity", "--weights", "integer", "--a", 10,
                        "--fin", 0.1)
        self.assertAlmostEqual(told["alpha_c"], 0.8882, delta=5e-5)
        self.assertEqual(self.ask("capacity", "--a", 2, "--fin",
                                  0.4)["alpha_c"], 0)

    def test_entropy_and_geometry(self):
        told = self.ask("entropy", "--alpha", 0.2, "--a", 40, "--fin", 0.5)
        self.assertAlmostEqual(told["entropy"], 0.0472776, delta=5e-8)
        states = self.ask("geometry", "--alpha", 0.2, "--a", 40, "--fin", 0.5,
                          "--x", "0.5,1,2")
        self.assertEqual(states["q_same"], told["overlap"])
        self.assertEqual([p["x"] for p in states["points"]], [0.5, 1, 2])
        self.assertAlmostEqual(states["points"][0]["q_same"], 0.05)
        self.assertAlmostEqual(states["points"][2]["g"], 2 * told["entropy"])

    def test_labels_and_margin(self):
        plain = self.ask("capacity", "--a", 12, "--fin", 0.5)
        same = self.ask("capacity", "--a", 12, "--fin", 0.5, "--fout", 0.5,
                        "--kappa", 0)
        self.assertEqual(plain, same)
        sparse = self.ask("capacity", "--a", 12, "--fin", 0.5, "--fout", 0.2)
        self.assertAlmostEqual(sparse["alpha_c"], 0.6831992, delta=5e-8)
        self.assertLess(sparse["activity_shift"], 0)
        wide = self.ask("capacity", "--a", 12, "--fin", 0.5, "--fout", 0.2,
                        "--kappa", 0.1)
        self.assertLess(wide["alpha_c"], sparse["alpha_c"])
        told = self.ask("curve", "--a", "12", "--fin", "0.5", "--fout", 0.2)
        self.assertEqual(told["points"][0]["alpha_c"], sparse["alpha_c"])
        for bad in (("--fout", 0), ("--fout", 1), ("--kappa", -1)):
            self.run_bad("theory", "capacity", "--a", 12, "--fin", 0.5, *bad,
                         status=2, says=bad[0])

    def test_pm_is_ising(self):
        for line in (("capacity",), ("entropy", "--alpha", 0.5),
                     ("franz-parisi", "--alpha", 0.5, "--distances", 0.1)):
            self.assertEqual(self.ask(*line, "--weights", "pm"),
                             self.ask(*line, "--weights", "ising"))

    def test_symmetric(self):
        pm = ("--weights", "pm", "--band", 1)
        told = self.ask("capacity", *pm)
        self.assertAlmostEqual(told["alpha_c"], 1.8158755, delta=5e-8)
        self.assertEqual(told["overlap"], 0)
        told = self.ask("entropy", *pm, "--alpha", 0.5)
        self.assertTrue(told["exact"])
        far = self.ask("entropy", *pm, "--alpha", 0.5, "--fout", 0)
        self.assertFalse(far["exact"])
        points = self.ask("franz-parisi", *pm, "--alpha", 0.5, "--distances",
                          "0.001,0.1")["points"]
        self.assertLess(points[0]["entropy"], 0)
        self.assertLess(points[1]["entropy"], points[1]["bound"])
        lost = self.ask("franz-parisi", *pm, "--alpha", 0.5, "--distances",
                        "0.00001", status=1)
        self.assertIsNone(lost["points"][0]["entropy"])
        for bad, says in ((("capacity", "--band", 1), "--weights pm"),
                          (("alpha-u", *pm), "--band"),
                          (("capacity", *pm, "--kappa", 0.1), "exclude"),
                          (("capacity", *pm[:2], "--band", 9), "--band")):
            self.run_bad("theory", *bad, status=2, says=says)

    def test_generalisation(self):
        told = self.ask("generalisation", "--weights", "pm", "--alpha", 1.3,
                        "--steps", 3)
        self.assertAlmostEqual(told["alpha_it"], 1.24468, delta=5e-6)
        self.assertAlmostEqual(told["alpha_amp"], 1.49263, delta=5e-6)
        self.assertEqual((told["overlap"], told["error_bayes"]), (1, 0))
        self.assertAlmostEqual(told["overlap_amp"], 0.725871, delta=1e-6)
        self.assertEqual([s["step"] for s in told["steps"]], [0, 1, 2, 3])
        told = self.ask("generalisation", "--a", 40, "--fin", 0.5, "--alpha",
                        0.3)
        same = self.ask("generalisation", "--activity", 0.05, "--alpha", 0.3)
        self.assertEqual(told, same)
        for bad, says in ((("--weights", "pm"), "--alpha"),
                          (("--alpha", 1), "--a"),
                          (("--alpha", 1, "--weights", "integer",
                            "--activity", 0.5), "0, 1"),
                          (("--alpha", 1, "--weights", "pm", "--noise", 0.5),
                           "noise"),
                          (("--alpha", 1, "--weights", "pm", "--kappa", 0.1),
                           "margin")):
            self.run_bad("theory", "generalisation", *bad, status=2, says=says)

    def test_finite_y(self):
        told = self.ask("large-deviation", "--alpha", 0.2, "--a", 40, "--fin",
                        0.5, "--y", 15, "--references", "rs", "--distances",
                        "0.01")
        point = told["points"][0]
        self.assertAlmostEqual(point["entropy"], 0.0266691, delta=5e-8)
        self.assertLess(point["external_entropy"], 0)
        self.assertIsNone(point["parisi_m"])
        self.run_bad("theory", "large-deviation", "--alpha", 0.2, "--a", 40,
                     "--fin", 0.5, "--references", "rs", "--distances", "0.01",
                     status=2, says="finite y")

    def test_curve(self):
        told = self.ask("curve", "--a", "5:45:10", "--fin", "0.2,0.4")
        self.assertEqual([p["a"] for p in told["points"][:5]],
                         [5, 15, 25, 35, 45])
        self.assertEqual(len(told["points"]), 10)
        best = [o["a_opt"] for o in told["optima"]]
        self.assertGreater(best[0], best[1])
        self.assertAlmostEqual(told["optima"][0]["alpha_c"], 0.5897, delta=5e-5)

    def test_local_entropies(self):
        model = ("--alpha", 0.2, "--a", 40, "--fin", 0.5)
        told = self.ask("large-deviation", *model, "--distances", "0.02,0.01")
        first, second = told["points"]
        self.assertAlmostEqual(first["entropy"], 0.0351868, delta=5e-8)
        self.assertEqual(second["distance"], 0.01)
        self.assertLess(second["entropy"], second["bound"])
        near = self.ask("franz-parisi", *model, "--distances", "0.01,0.008")
        self.assertLess(near["points"][0]["entropy"], second["entropy"])
        self.assertLess(near["points"][1]["entropy"], 0)

    def test_a_lost_saddle_point_is_an_answer(self):
        told = self.ask("large-deviation", "--alpha", 0.24, "--a", 40, "--fin",
                        0.5, "--distances", "0.01,0.0005", status=1)
        self.assertIsNone(told["points"][1]["entropy"])
        self.assertIsNotNone(told["points"][0]["entropy"])
        self.assertTrue(0.0005 < told["ended"] < 0.005)
        told = self.ask("entropy", "--alpha", 9, "--a", 40, "--fin", 0.5,
                        status=1)
        self.assertFalse(told["saddle"])

    def test_alpha_u(self):
        told = self.ask("alpha-u", "--weights", "ising")
        self.assertTrue(0.77 < told["low"] < told["high"] < 0.78)
        self.assertTrue(told["trials"][0]["survived"])
        self.assertFalse(told["trials"][1]["survived"])

    def test_people(self):
        text = self.run_ok("theory", "curve", "--a", "10,20", "--fin", 0.3)
        self.assertIn("a_opt", text)
        self.assertIn("alpha_c", text)

    def test_broken_input(self):
        self.run_bad("theory", "capcity", status=2, says="capacity")
        self.run_bad("theory", "capacity", "--a", 40, status=2, says="--fin")
        self.run_bad("theory", "capacity", "--a", -1, "--fin", 0.5, status=2,
                     says="A must be")
        self.run_bad("theory", "capacity", "--a", 40, "--fin", 1.5, status=2,
                     says="f_in")
        self.run_bad("theory", "capacity", "--a", "4,5", "--fin", 0.5,
                     status=2, says="one value")
        self.run_bad("theory", "entropy", "--a", 40, "--fin", 0.5, status=2,
                     says="--alpha")
        self.run_bad("theory", "curve", "--a", "1:9", "--fin", 0.5, status=2,
                     says="--a")
        self.run_bad("theory", "capacity", "--weights", "ising", "--a", 3,
                     status=2, says="--a")
        self.run_bad("theory", "franz-parisi", "--alpha", 0.2, "--a", 40,
                     "--fin", 0.5, "--distances", "2", status=2,
                     says="distance")
        self.run_bad("theory", "large-deviation", "--alpha", 0.2, "--a", 40,
                     "--fin", 0.5, status=2, says="--distances")

    def test_every_bad_parameter_is_named(self):
        """One sentence and exit status 2, whatever the question."""
        model = {"--alpha": 0.2, "--a": 40, "--fin": 0.5, "--distances": 0.01}
        bad = [("--a", 0, "A must be a positive number, not 0"),
               ("--a", -3, "A must be a positive number, not -3"),
               ("--a", "nan", "--a: 'nan' is not a list"),
               ("--a", "", "--a: '' is not a list"),
               ("--fin", 0, "f_in must lie between 0 and 1, not at 0"),
               ("--fin", 1.5, "f_in must lie between 0 and 1, not at 1.5"),
               ("--fin", "nan", "--fin: 'nan' is not a list"),
               ("--alpha", -0.1, "--alpha: '-0.1' is not in the range"),
               ("--alpha", "nan", "--alpha: 'nan' is not in the range"),
               ("--alpha", 0, "alpha must be a positive number, not 0"),
               ("--distances", 0, "distance 0 is not between 0 and 1"),
               ("--distances", 1.5, "distance 1.5 is not between 0 and 1"),
               ("--distances", "nan", "--distances: 'nan' is not a list"),
               ("--distances", "", "--distances: '' is not a list"),
               ("--distances", "0.1,", "--distances: '0.1,' is not a list")]
        for question in ("franz-parisi", "large-deviation"):
            for name, value, says in bad:
                words = [f"{k}={v}" for k, v in {**model, name: value}.items()]
                self.run_bad("theory", question, *words, status=2, says=says)
        for question in ("capacity", "entropy", "geometry", "alpha-u", "curve"):
            for name, value, says in bad[:7]:
                given = {"--a": 40, "--fin": 0.5, name: value}
                if question in ("entropy", "geometry"):
                    given["--alpha"] = 0.2
                words = [f"{k}={v}" for k, v in given.items()]
                self.run_bad("theory", question, *words, status=2, says=says)
        self.run_bad("theory", "geometry", "--a", 40, "--fin", 0.5, "--alpha",
                     0.2, "--x", "", status=2, says="--x: ''")
        for value, named in (("-1", "-1"), ("0.5,-0.25,2", "-0.25")):
            self.run_bad("theory", "geometry", "--a", 40, "--fin", 0.5,
                         "--alpha", 0.2, f"--x={value}", status=2,
                         says="--x: the Parisi parameter must be 0 or more, "
                         f"not {named}")
        self.run_bad("theory", "alpha-u", "--a", 40, "--fin", 0.5,
                     "--tolerance", 0, status=2, says="--tolerance")

    def test_above_capacity(self):
        """Formulas go on above capacity; the program says what they mean."""
        model = ("--a", 40, "--fin", 0.5, "--alpha", 0.26)
        for question in ("entropy", "geometry", "large-deviation",
                         "franz-parisi"):
            more = ("--distances", 0.01) if "-" in question else ()
            code, _, err = bperc("theory", question, *model, *more)
            self.assertEqual(code, 0)
            self.assertIn("above capacity", err)
        # Next to Q = 1 the densest region is not followed up there.
        full = ("large-deviation", "--a", 2.222, "--fin", 0.5, "--distances")
        got = self.run_json("theory", *full, 0.01, "--alpha", 0.067, status=1)
        self.assertIn("is above capacity", got["reason"])
        got = self.run_json("theory", *full, 0.01, "--alpha", 0.06)
        self.assertEqual(got["points"][0]["regime"], "saddle")


if __name__ == "__main__":
    main()
