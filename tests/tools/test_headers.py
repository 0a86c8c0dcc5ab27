"""The public headers: what they promise is tested and used; sentences of the
library."""

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


def words(*patterns):
    """The files in which each name of the library stands."""
    found = {}
    for path in sorted(p for pattern in patterns for p in TOP.glob(pattern)):
        if path.is_file():
            for word in set(re.findall(r"\bbperc_\w+",
                                       path.read_text(errors="replace"))):
                found.setdefault(word, []).append(path)
    return found


class Functions(unittest.TestCase):
    def test_each_has_a_user_besides_tests(self):
        """The program, the Python package, the explorer, an example, a
        document, or another file of the library than its own."""
        outside = words("cli/*.c", "python/bperc/*.py", "web/explorer/*.c",
                        "examples/*.c", "docs/*.md")
        inside = words("src/*/*.c", "src/*/*.h", "src/*/*.inc")
        names = declarations()
        self.assertGreater(len(names), 200)
        idle = [name for name in names if name not in outside
                and len(inside.get(name, ())) < 2
                and name != "bperc_abi_version"]  # for hosts, at run time
        self.assertEqual(idle, [])

    def test_each_is_described(self):
        """A comment in the same paragraph."""
        bare = []
        for path in sorted((TOP / "include" / "bperc").glob("*.h")):
            for part in re.split(r"\n\s*\n", path.read_text()):
                if "*/" not in part:
                    bare += re.findall(
                        r"BPERC_API[^;{]*?\b(bperc_\w+)\s*\([^;]*;", part)
        self.assertEqual(bare, [])


class Messages(unittest.TestCase):
    def test_the_library_knows_no_command_line(self):
        """Its sentences and tables name options without hyphens: the program
        writes them as its users do. The remark of svmlight files is a format
        (docs/formats.md), not a message."""
        remark = {"src/model/write.c", "src/model/svmlight.c"}
        found = []
        for path in sorted(TOP.glob("src/*/*.[ch]")) + \
                sorted(TOP.glob("include/bperc/*.h")):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            name = str(path.relative_to(TOP))
            found += [f"{name}: {said}" for said in
                      re.findall(r'"(?:[^"\\\n]|\\.)*"', text)
                      if re.search(r"(^|[ (\"'])--[a-z]", said)
                      and name not in remark]
        self.assertEqual(found, [])


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
