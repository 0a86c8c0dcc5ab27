"""tools/bench runs every program, also after one that misses a floor."""
import pathlib
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/bench"


class Bench(unittest.TestCase):
    def run_with(self, codes):
        with tempfile.TemporaryDirectory() as folder:
            bench = pathlib.Path(folder, "bench")
            bench.mkdir()
            for name, code in codes.items():
                program = bench / f"bench_{name}"
                program.write_text(f"#!/bin/sh\necho ran {name}\nexit {code}\n")
                program.chmod(0o755)
            return subprocess.run(
                [TOOL, folder], capture_output=True, text=True, check=False
            )

    def test_all_run_and_the_miss_is_told_at_the_end(self):
        result = self.run_with({"a": 0, "b": 1, "c": 0})
        self.assertEqual(
            result.stdout.splitlines(),
            ["ran a", "ran b", "ran c", "below a floor: bench_b"],
        )
        self.assertEqual(result.returncode, 1)

    def test_no_miss(self):
        result = self.run_with({"a": 0, "b": 0})
        self.assertEqual(result.stdout.splitlines(), ["ran a", "ran b"])
        self.assertEqual(result.returncode, 0)


if __name__ == "__main__":
    unittest.main()
