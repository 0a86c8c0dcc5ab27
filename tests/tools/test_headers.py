"""The public headers: what they promise is tested and used."""

import pathlib
import re
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]


def declarations():
    """Every public function with its parameters, and the header it is in."""
    found = {}
    for path in sorted((TOP / "include" / "bperc").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        text = re.sub(r"(?m)^#define(.*\\\n)*.*", "", text)
        for name, rest in re.findall(
                r"BPERC_API[^;{]*?\b(bperc_\w+)\s*(\([^;]*);", text):
            found[name] = (re.sub(r"\s+", " ", rest), path.name)
    return found


class Options(unittest.TestCase):
    def test_null_is_tried_wherever_options_are_taken(self):
        """A function takes options when a parameter that it only reads is
        called so, or is of a type called so."""
        said = (TOP / "tests/unit/run/test_defaults.c").read_text()
        takers = [name for name, (rest, _) in declarations().items()
                  if re.search(r"const void \*\w*options\b"
                               r"|const bperc_\w+_options \*", rest)
                  and not name.startswith("bperc_options_")]
        self.assertGreater(len(takers), 20)
        missing = [name for name in takers if not re.search(name + r"\(", said)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
