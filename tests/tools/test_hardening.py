"""What readelf says of the programs and the library of a hardened build.

    test_hardening.py FILE..."""
import subprocess
import sys


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True,
                          text=True, check=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def faults(path):
    """What is missing, in words."""
    head, segments = readelf("-h", path), readelf("-l", path)
    dynamic, symbols = readelf("-d", path), readelf("--dyn-syms", path)
    stack = [row for row in segments.splitlines() if "GNU_STACK" in row]
    if "DYN" not in head:
        yield "has a fixed address"
    if "GNU_RELRO" not in segments:
        yield "its tables stay writable"
    if "BIND_NOW" not in dynamic and " NOW" not in dynamic:
        yield "binds its symbols late"
    if len(stack) != 1 or "E" in stack[0].split()[-2]:
        yield "its stack may be executed"
    if "__stack_chk_fail" not in symbols:
        yield "has no canaries"
    if "_chk@" not in symbols:
        yield "calls libc unchecked"


wrong = [f"{path}: {fault}" for path in sys.argv[1:] for fault in faults(path)]
print("\n".join(wrong) or f"{len(sys.argv) - 1} files are hardened")
sys.exit(bool(wrong) or len(sys.argv) < 2)
