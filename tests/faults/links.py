#!/usr/bin/python3
"""Symbolic links planted at every name that a command uses.

    tests/faults/links.py BPERC [--commands WORD ...]

Each command of campaign.py that writes is traced: names that it, or a program that
it starts, opens for writing, renames to or makes a folder of. Then it is run once
for each of these names, with a link there to a file (or folder) of somebody else,
and once more with a link that leads nowhere: what the link leads to must stay as it
is, and nothing may appear there. The links belong to another user, as in a folder
that is open to all; without the right to make such links (root), outputs that the
caller names are left out, because a link of one's own is followed. Prints a table;
exit status 1 when a link was followed, 77 without strace."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import campaign

STRANGER = 12345
CALLS = "open,openat,creat,rename,renameat,renameat2,mkdir,mkdirat"
PART = re.compile(r"\.[0-9a-f]{16}\.part$")


def names_in(log, folder):
    """Paths below the folder that lines of strace -y write to."""
    found = set()
    for line in log:
        call = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if not call or "ENOENT" in line:
            continue
        if call.group(1).startswith("open") and not re.search(
                "O_WRONLY|O_RDWR|O_CREAT", line):
            continue
        here = re.search(r"AT_FDCWD<([^>]*)>", line)
        for name in re.findall(r'"([^"]*)"', line):
            path = os.path.normpath(os.path.join(here.group(1) if here else "/", name))
            if path.startswith(folder + "/") and not PART.search(path):
                found.add(os.path.relpath(path, folder))
    return found


class Links:
    def __init__(self, bperc, folder):
        self.folder = folder
        self.c = campaign.Campaign(bperc, None, folder)
        self.root = os.geteuid() == 0

    def used(self, command):
        """Name -> whether it is a folder; without root, not the outputs."""
        log = os.path.join(self.folder, "calls")
        done = campaign.run(["strace", "-f", "-y", "-qq", "-s", "4096", "-o", log, "-e",
                             f"trace={CALLS}", *self.c.words(command)])
        if done.returncode > 1:
            sys.exit(f"{command}: {done.stderr}")
        with open(log) as f:
            names = names_in(f, self.c.out)
        return {n: os.path.isdir(os.path.join(self.c.out, n)) for n in names
                if self.root or not os.path.lexists(os.path.join(self.c.out, n))}

    def plant(self, name, target):
        path = os.path.join(self.c.out, name)
        os.chmod(self.c.out, 0o1777)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.chmod(os.path.dirname(path), 0o1777)
        os.symlink(target, path)
        if self.root:
            os.lchown(path, STRANGER, STRANGER)

    def attack(self, command, name, is_folder, exists):
        """What is wrong, or nothing."""
        victim = os.path.join(self.folder, "victim")
        words = self.c.words(command)
        if exists and is_folder:
            os.mkdir(victim)
        elif exists:
            with open(victim, "w") as f:
                f.write("mine")
        self.plant(name, victim)
        done = campaign.run(words)
        why = self.look(victim, is_folder, exists)
        if not why and done.returncode not in (0, 1, 3, 4):
            why = f"exit {done.returncode}: {done.stderr.strip()[:80]!r}"
        return why

    def look(self, victim, is_folder, exists):
        if not os.path.lexists(victim):
            return "what it leads to is gone" if exists else None
        if not os.path.isdir(victim):
            with open(victim, "rb") as f:
                text = f.read()
            os.unlink(victim)
            return None if exists and text == b"mine" else f"followed: {text[:20]}"
        inside = os.listdir(victim)
        shutil.rmtree(victim)
        return None if exists and not inside else f"followed: {inside}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bperc")
    parser.add_argument("--commands", nargs="*", default=[])
    told = parser.parse_args()
    if not shutil.which("strace") or campaign.run(["strace", "-qq", "true"]).returncode:
        print("skipped: strace is not there or may not trace")
        return 77
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        links = Links(os.path.abspath(told.bperc), os.path.realpath(folder))
        print(f"{'names':>5} {'bad':>4}  command")
        for command in campaign.COMMANDS.strip().splitlines():
            if "{o}" not in command or (told.commands and not any(
                    w in command for w in told.commands)):
                continue
            names = links.used(command)
            bad = [(name, why) for name, is_folder in sorted(names.items())
                   for exists in (True, False)
                   if (why := links.attack(command, name, is_folder, exists))]
            tried, wrong = tried + 2 * len(names), wrong + len(bad)
            print(f"{len(names):5} {len(bad):4}  {command}", flush=True)
            for name, why in bad:
                print(f"{'':12}{name}: {why}", flush=True)
    print(f"{tried - wrong} passed, {wrong} failed")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
