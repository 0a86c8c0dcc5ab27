"""Every command of docs/tutorial.md is run and prints what the page shows."""
import os
import re
import shutil
import subprocess

from harness import BPERC, Case, main

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")


def blocks(text):
    """(command, what it prints) of every indented '$ ' line."""
    found = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append([line[6:], []])
        elif line.startswith("    ") and found and found[-1][1] is not None:
            found[-1][1].append(line[4:].rstrip())
        elif found:
            found.append(["", None])
    return [(command, out) for command, out in found if command]


def without_times(lines):
    return [re.sub(r", [0-9.e+-]+ s$", "", line.rstrip()) for line in lines]


class Tutorial(Case):
    def test_every_command(self):
        with open(os.path.join(ROOT, "docs", "tutorial.md")) as page:
            steps = blocks(page.read())
        self.assertGreaterEqual(len(steps), 7)
        folder = self.path("data")
        shutil.copytree(os.path.join(ROOT, "examples", "data"), folder)
        path = os.path.dirname(BPERC) + ":" + os.environ["PATH"]
        for command, shown in steps:
            said = subprocess.run(["sh", "-c", command], cwd=folder, text=True,
                                  env=dict(os.environ, PATH=path),
                                  stdout=subprocess.PIPE).stdout
            self.assertEqual(without_times(said.splitlines()),
                             without_times(shown), command)


if __name__ == "__main__":
    main()
