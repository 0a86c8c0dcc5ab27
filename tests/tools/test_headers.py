"""The public headers: what they promise is tested and used; sentences of the
library."""

import pathlib
import re
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]


def declarations():
    """Every public function with its parameters, and the header it is in."""
    found = {}
    for path in sorted((TOP / "include" / "bperc").rglob("*.h")):
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
        inside = words("src/**/*.c", "src/**/*.h")
        names = declarations()
        self.assertGreater(len(names), 200)
        idle = [name for name in names if name not in outside
                and len(inside.get(name, ())) < 2
                and name != "bperc_abi_version"]  # for hosts, at run time
        self.assertEqual(idle, [])

    def test_each_is_described(self):
        """A comment in the same paragraph."""
        bare = []
        for path in sorted((TOP / "include" / "bperc").rglob("*.h")):
            for part in re.split(r"\n\s*\n", path.read_text()):
                if "*/" not in part:
                    bare += re.findall(
                        r"BPERC_API[^;{]*?\b(bperc_\w+)\s*\([^;]*;", part)
        self.assertEqual(bare, [])

    def test_each_header_is_called_stable_or_experimental(self):
        """In the table of docs/embedding.md, once."""
        table = re.findall(r"(?m)^\| (`.*?) \| (stable|experimental) \|",
                           (TOP / "docs/embedding.md").read_text())
        said = [name for cell, _ in table
                for name in re.findall(r"`([^`]+)`", cell)]
        top = TOP / "include/bperc"
        self.assertEqual(sorted(said),
                         sorted([path.name for path in top.glob("*.h")]
                                + ["lab/*.h"]))

    def test_six_arguments_are_enough(self):
        """More go into a struct. A page of a laboratory has seven as yet."""
        long = []
        for name, (rest, _) in declarations().items():
            flat = rest
            while re.search(r"\([^()]*\)", flat[1:-1]):
                flat = flat[0] + re.sub(r"\([^()]*\)", "", flat[1:-1]) + \
                    flat[-1]
            if flat.count(",") > 5:
                long.append(name)
        self.assertEqual([name for name in long
                          if name != "bperc_report_add"], [])


class Messages(unittest.TestCase):
    def test_the_library_knows_no_command_line(self):
        """Its sentences and tables name options without hyphens: the program
        writes them as its users do. The remark of svmlight files is a format
        (docs/formats.md), not a message."""
        remark = {"src/io/instance_write.c", "src/io/instance_svmlight.c"}
        found = []
        for path in sorted(TOP.glob("src/**/*.[ch]")) + \
                sorted(TOP.glob("include/bperc/**/*.h")):
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


class Solvers(unittest.TestCase):
    def setUp(self):
        self.code = {str(path.relative_to(TOP)):
                     re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
                     for path in sorted(TOP.glob("src/**/*.[ch]"))
                     + sorted(TOP.glob("cli/*.[ch]"))}
        self.classes = re.findall(
            r"(?m)^const bperc_solver_class bperc_(\w+)_class =",
            "\n".join(self.code.values()))
        self.assertGreater(len(self.classes), 4)

    def test_the_class_is_the_only_way_in(self):
        """No second set of functions to make and drive a solver."""
        verbs = "new|create|step|view|fields|free|destroy|adopt|start"
        own = re.compile(f"bperc_({'|'.join(self.classes)})_({verbs})")
        self.assertEqual([name for name in declarations()
                          if own.fullmatch(name)], [])

    def test_one_list_has_all(self):
        """No other file names them all, side by side or in a choice."""
        header = (TOP / "include/bperc/solver.h").read_text()
        listed = re.search(r"(?m)^#define BPERC_SOLVERS\(X\) (.*)", header)
        self.assertIsNotNone(listed)
        self.assertEqual(sorted(re.findall(r"X\((\w+)\)", listed[1])),
                         sorted(self.classes))
        again = [name for name, text in self.code.items() if all(
            re.search(rf'["|]{solver}["|]', text) for solver in self.classes)]
        self.assertEqual(again, [])

    def test_none_is_known_by_its_number(self):
        """Choices are asked for by class or name: a number would change its
        meaning when the list does."""
        found = [f"{name}: {line.strip()}" for name, text in self.code.items()
                 for line in text.splitlines()
                 if re.search(r"\bsolver\s*[!=]=\s*(\d|[A-Z])", line)
                 and "NULL" not in line]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
