"""Where the explorer was built; ends the test as skipped where it was not."""
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXPLORER = SOURCE / "web" / "explorer"
OUT = pathlib.Path(os.environ["BUILD"]).resolve() / "web"
PAGE = OUT / "explorer.html"


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def need(*programs):
    """The page is there and up to date, and so are these programs."""
    for name in programs:
        if not shutil.which(name):
            skip(f"{name} is not installed")
    if not PAGE.exists():
        skip("the explorer is not built: make web")
    if subprocess.run(["make", "-q", "-C", EXPLORER, f"OUT={OUT}"],
                      capture_output=True).returncode:
        skip("the explorer is older than its sources: make web")
