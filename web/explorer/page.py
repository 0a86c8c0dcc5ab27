#!/usr/bin/env python3
"""Puts the explorer together: one HTML file without anything to fetch.

usage: page.py UI OUT PAGE

UI has the sources, OUT the modules of emscripten: NAME.wasm with its glue code
NAME.js for NAME simd and plain. The two share their glue code.
"""
import base64
import gzip
import hashlib
import os
import re
import subprocess
import sys

MOST = 1_000_000  # bytes of the page


def read(*parts, mode="r"):
    with open(os.path.join(*parts), mode) as file:
        return file.read()


def bundle(path):
    """One script of a module and what it imports."""
    return subprocess.run(
        ["esbuild", path, "--bundle", "--minify", "--format=iife",
         "--target=es2020", "--log-level=warning", "--charset=utf8"],
        check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def minify(text):
    return subprocess.run(
        ["esbuild", "--minify", "--log-level=error", "--target=es2020"],
        check=True, text=True, input=text, stdout=subprocess.PIPE).stdout


def packed(path):
    return base64.b64encode(gzip.compress(read(path, mode="rb"), 9,
                                          mtime=0)).decode()


def short(css):
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", css)).strip()


def glue(out):
    texts = {read(out, name + ".js").replace(name + ".wasm", "bperc.wasm")
             for name in ("simd", "plain")}
    assert len(texts) == 1, "the two modules need different glue code"
    return minify(texts.pop())


def main(ui, out, page):
    script = bundle(os.path.join(ui, "main.js"))
    worker = glue(out) + bundle(os.path.join(ui, "worker.js"))
    for text in (script, worker):
        assert "</script" not in text and "<!--" not in text
    version = re.search(r"^  version : '(.*)',$", read(
        os.path.dirname(os.path.abspath(__file__)), "..", "..", "meson.build"),
        re.M)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest())
    fill = {"HASH": f"'sha256-{digest.decode()}'",
            "STYLE": short(read(ui, "style.css")), "VERSION": version,
            "WORKER": worker, "SIMD": packed(os.path.join(out, "simd.wasm")),
            "PLAIN": packed(os.path.join(out, "plain.wasm")),
            "SCRIPT": script}
    text = re.sub("@(" + "|".join(fill) + ")@", lambda found: fill[found[1]],
                  read(ui, "index.html"))
    size = len(text.encode())
    assert size < MOST, f"{size} bytes: the page must stay under {MOST}"
    with open(page + ".part", "w") as file:
        file.write(text)
    os.replace(page + ".part", page)
    print(f"{page}: {size} bytes")


main(*sys.argv[1:])
