"""Formulas of the pages, `$...$` and `$$...$$`, as MathML.

Pages are written with a mark in place of each formula (so that Markdown does not
touch it); when the site is built, marks become MathML, which browsers and screen
readers know without a script. Temml (npm) translates. Without npm the formulas stay
as they are written, in TeX, and the build says so.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FENCE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.M | re.S)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\w$])\$(?=\S)([^$\n]*(?:\n[^$\n]+)?[^$\s])\$(?![\w$])", re.S)
MARK = "formula{}end"
TRANSLATE = """
const temml = require('temml');
const wanted = JSON.parse(require('fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(wanted.map(
  ([tex, block]) => temml.renderToString(tex, {displayMode: block, annotate: true,
                                               throwOnError: true}))));
"""


def mark(text, found):
    """The page with marks; formulas are appended to found as (TeX, block)."""
    def put(match):
        block = match.group(1) is not None
        found.append((" ".join((match.group(1) or match.group(2)).split()), block))
        return MARK.format(len(found) - 1)
    parts = FENCE.split(text)
    return "".join(p if k % 2 else FORMULA.sub(put, p) for k, p in enumerate(parts))


def installed(scratch):
    """A folder with Temml; None without npm."""
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    scratch.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, scratch)
    done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
                           "--prefer-offline", "--fetch-retries=1"],
                          cwd=scratch, capture_output=True, text=True)
    return scratch if done.returncode == 0 else None


def translated(found, scratch):
    place = installed(scratch)
    if not place:
        print("formulas stay in TeX: npm cannot install temml", file=sys.stderr)
        return [f"<code>{html.escape(tex)}</code>" for tex, _ in found]
    done = subprocess.run(["node", "-e", TRANSLATE], cwd=place, input=json.dumps(found),
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def fill_pages(site, found, scratch):
    """Marks of the built pages become formulas."""
    made = translated(found, scratch)
    pattern = re.compile(MARK.format(r"(\d+)"))
    for path in sorted(site.rglob("*.html")):
        text = path.read_text()
        filled = pattern.sub(lambda m: made[int(m.group(1))], text)
        if filled != text:
            path.write_text(filled)
    return len(made)
