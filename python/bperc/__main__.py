"""The program: `python3 -m bperc solve ...`, and `bperc` where pip has installed
the package. It lies in the folder of the package, else it is the one in PATH."""
from __future__ import annotations

import os
import shutil
import sys


def find_program() -> str | None:
    """The program of this package, or another `bperc` than the script of pip."""
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (os.path.join(here, "bin", "bperc"),
                 os.path.join(here, "..", "..", "bperc")):  # of a build folder
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which("bperc")
    if found and os.path.exists(sys.argv[0]) and \
            os.path.samefile(found, sys.argv[0]):
        return None
    return found


def main() -> None:
    program = find_program()
    if program is None:
        sys.exit("bperc: the program is not part of this package and not in "
                 "PATH")
    os.execv(program, ["bperc", *sys.argv[1:]])


if __name__ == "__main__":
    main()
