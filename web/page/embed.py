#!/usr/bin/env python3
"""Writes page_assets.h: style and script of the report page as C strings.

usage: embed.py SOURCE SCRATCH OUT [NPM]
       embed.py --text NAME FILE OUT    any file as one C string

With npm, the packages of package-lock.json are installed in SCRATCH and the
script is built in. Without npm, or when it cannot reach its registry, the
script is empty and the page shows plain pictures.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def install(npm, source, scratch):
    """Folder of the installed packages, None when that fails."""
    os.makedirs(scratch, exist_ok=True)
    kept = os.path.join(scratch, "package-lock.json")
    lock = read(source, "package-lock.json")
    modules = os.path.join(scratch, "node_modules")
    if os.path.exists(kept) and read(kept) == lock and os.path.isdir(
            os.path.join(modules, "uplot")):
        return modules
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(source, name), scratch)
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund",
         "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000"],
        cwd=scratch, text=True, capture_output=True)
    if done.returncode == 0:
        return modules
    os.remove(kept)
    print("warning: npm cannot install uPlot; the report page will have plain "
          "pictures\n" + done.stderr[-600:], file=sys.stderr)
    return None


def literal(text):
    """A C string literal in pieces that every compiler takes."""
    out = []
    data = text.encode("utf-8")
    for at in range(0, len(data), 60):
        piece = "".join(
            chr(b) if 32 <= b < 127 and chr(b) not in '"\\?'
            else f"\\{b:03o}" for b in data[at:at + 60])
        out.append(f'"{piece}"')
    return "\n".join(out) or '""'


def short(css):
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", css)).strip()


def main(source, scratch, out, npm=None):
    style = short(read(source, "page.css"))
    script = ""
    modules = install(npm, source, scratch) if npm else None
    if modules:
        uplot = os.path.join(modules, "uplot")
        style += short(read(uplot, "dist", "uPlot.min.css"))
        library = re.sub(r"^/\*.*?\*/", "", read(
            uplot, "dist", "uPlot.iife.min.js"), flags=re.S)
        script = (f"/* uPlot, {read(uplot, 'LICENSE').strip()} */\n"
                  f"{library}\n{read(source, 'page.js')}")
        assert "</script" not in script and "<!--" not in script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest())
    with open(out, "w", encoding="utf-8") as file:
        file.write(
            "/* Written by web/page/embed.py. */\n"
            f"static const char BPERC_I_PAGE_STYLE[] =\n{literal(style)};\n"
            f"static const char BPERC_I_PAGE_SCRIPT[] =\n{literal(script)};\n"
            f"#define BPERC_I_PAGE_SCRIPT_HASH \"'sha256-{digest.decode()}'\"\n"
        )


def embed_text(name, source, out):
    with open(out, "w", encoding="utf-8") as file:
        file.write("/* Written by web/page/embed.py. */\n"
                   f"static const char {name}[] =\n{literal(read(source))};\n")


if sys.argv[1] == "--text":
    embed_text(*sys.argv[2:])
else:
    main(*sys.argv[1:])
