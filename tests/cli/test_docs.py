"""Code blocks of the documents: every one has a language. `console` blocks are
run and print what the page shows, `sh` and `python` blocks are run; `text` is
output, formulas and files. Commands that are too long for a test are listed
below, and it is checked that what they name exists."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from harness import BPERC, Case, bperc, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(
    path for folder in ("docs", "python", "examples", "tests")
    for path in (ROOT / folder).rglob("*.md"))]
LANGUAGES = {"console", "sh", "python", "pycon", "c", "text", "yaml"}

# Folder in which the commands of a page are run, a copy; else an empty one.
FOLDERS = {"tutorial.md": "examples/data", "formats.md": "examples/data"}

# Lines of `sh` blocks that are run elsewhere (cc: cli/install) or take hours.
ELSEWHERE = re.compile(
    r"cc program|(make|meson|ninja)\b|pip install|python3 -m venv|env/bin/|mpirun|tools/|tests/|build/|python3 (tests|tools|python)/"
    r"|bperc (reproduce|report|sweep my\.plan|sweep examples/)")


def blocks(text):
    """(language or None, line, lines) of every block; None: indented."""
    found, inside, item, before = [], False, False, ""
    for k, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
            if inside:
                found.append((line[3:].strip(), k, []))
        elif inside:
            found[-1][2].append(line)
        else:
            if line.strip() and not line.startswith(" "):
                item = bool(re.match(r"(\d+\.|[-*]) ", line))
            if line.startswith("    ") and not before and not item:
                found.append((None, k, [line]))
        before = line if not inside else "x"
    return found


def commands(lines):
    """(command, what it prints) of a console block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line.rstrip())
    return found


def without_times(lines):
    return [re.sub(r", [0-9.e+-]+ s$", "", line.rstrip()) for line in lines]


def without_comment(line):
    return re.sub(r"\s+#\s.*", "", line).strip()


# Phrases that say little or make persons of programs.
PHRASES = re.compile(
    r"honest|hang together|waits for nobody|boldly|chang\w* its mind|stubborn"
    r"|that each tells|speaks (of|against)|\btells (how|more|what)|does not care"
    r"|knows nothing", re.I)


class Words(Case):
    def test_plain_words(self):
        """Documents and help texts."""
        self.assertRegex("An honest negative answer", PHRASES)
        names = re.findall(r"^  ([a-z][a-z-]*) ", bperc("--help")[1], re.M)
        self.assertGreater(len(names), 15)
        texts = {name: bperc(*name.split(), "--help")[1]
                 for name in ["", *names]}
        texts.update((path.relative_to(ROOT).as_posix(), path.read_text())
                     for path in PAGES)
        for name, text in texts.items():
            found = PHRASES.search(text)
            self.assertIsNone(found, f"{name}: {found and found.group()}")


class Blocks(Case):
    def test_every_block_has_a_language(self):
        for path in PAGES:
            for language, line, _ in blocks(path.read_text()):
                self.assertIn(language, LANGUAGES,
                              f"{path.relative_to(ROOT)}:{line}")

    def test_the_reader_of_pages(self):
        found = blocks("a\n\n    b\n\n1. x\n\n    y\n\nz\n```sh\nc\n```\n")
        self.assertEqual([(a, c) for a, _, c in found],
                         [(None, ["    b"]), ("sh", ["c"])])

    def environment(self):
        path = f"{os.path.dirname(BPERC)}:{os.environ['PATH']}"
        return dict(os.environ, PATH=path, HOME=self.folder.name)

    def shell(self, command, folder):
        return subprocess.run(["sh", "-c", command], cwd=folder, text=True,
                              env=self.environment(), capture_output=True)

    def exists(self, line, where):
        """What a line of another place names is there."""
        words = shlex.split(line.split("&&")[0].split("|")[0])
        if words[0] == "make":
            for target in words[1:]:
                if "=" not in target:
                    self.assertIn(f"\n{target}:",
                                  (ROOT / "Makefile").read_text(), where)
        elif words[0] == "bperc":
            said = bperc(words[1], "--help")[1]
            for option in re.findall(r"--[a-z-]+", line):
                self.assertIn(option, said, where)
        elif words[0].startswith("build/"):
            source = (ROOT / words[0][6:]).with_suffix(".c")
            listed = (source.parent / "meson.build").read_text()
            self.assertTrue(source.exists() or f"'{source.stem}'" in listed,
                            where)
        elif "/" in words[0] and not words[0].startswith("env/"):
            self.assertTrue((ROOT / words[0]).exists(), where)

    def run_block(self, language, lines, folder, where):
        if language == "console":
            for command, shown in commands(lines):
                said = self.shell(command, folder)
                self.assertEqual(without_times(said.stdout.splitlines()),
                                 without_times(shown),
                                 f"{where}: {command}\n{said.stderr}")
        elif language == "sh":
            for line in filter(None, map(without_comment, lines)):
                program = re.sub(r"^(\w+=\S+ )+", "", line)
                if ELSEWHERE.match(program):
                    self.exists(program, where)
                    continue
                said = self.shell(line, folder)
                self.assertEqual(said.returncode, 0,
                                 f"{where}: {line}\n{said.stderr}")
        elif language == "python":
            done = subprocess.run([sys.executable, "-c", "\n".join(lines)],
                                  cwd=folder, text=True, capture_output=True)
            if "No module named" not in done.stderr:
                self.assertEqual(done.returncode, 0, f"{where}\n{done.stderr}")

    def test_every_command(self):
        count = 0
        for path in PAGES:
            folder = pathlib.Path(self.path(path.stem))
            if path.name in FOLDERS:
                shutil.copytree(ROOT / FOLDERS[path.name], folder)
            else:
                folder.mkdir(exist_ok=True)
            for language, line, lines in blocks(path.read_text()):
                where = f"{path.relative_to(ROOT)}:{line}"
                self.run_block(language, lines, folder, where)
                count += language == "console" and len(commands(lines))
        self.assertGreaterEqual(count, 10)

    def test_python_sessions_are_run_by_the_package(self):
        """python/tests/test_words.py runs those of python/README.md."""
        there = {path.relative_to(ROOT).as_posix() for path in PAGES
                 for language, _, _ in blocks(path.read_text())
                 if language == "pycon"}
        self.assertLessEqual(there, {"python/README.md"})


if __name__ == "__main__":
    main()
