"""Executed notebooks as pages."""
import base64
import html
import json
import re
import subprocess
import sys


def caption(cells, k):
    """What the text after cell k says is seen: the words for a picture."""
    for cell in cells[k + 1:]:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            seen = re.search(r"\*\*What is seen\.\*\*\s*(.*?)(?:\.\s|\Z)",
                             text, re.S)
            words = seen.group(1) if seen else ""
            return html.escape(re.sub(r"[\[\]`*$\\]|\s+", " ", words).strip())
    return ""


def shown(output, folder, name, alt):
    """One output of a cell as Markdown."""
    data = output.get("data", {})
    if "image/png" in data:
        (folder / name).write_bytes(base64.b64decode(data["image/png"]))
        return f"![{alt or 'figure'}]({name})"
    if "text/html" in data:
        text = "".join(data["text/html"])
        return re.sub(r"<style.*?</style>", "", text, flags=re.S)
    text = "".join(output.get("text", data.get("text/plain", "")))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def maths(text):
    """$h_i$ and the like in HTML; code stays as it is."""
    def symbol(match):
        said = re.sub(r"\\(alpha|gamma|infty|to)\b", lambda m: {
            "alpha": "α", "gamma": "γ", "infty": "∞", "to": "→"}[m.group(1)],
            match.group(2))
        said = re.sub(r"_\{?(\w+)\}?", r"<sub>\1</sub>", said)
        return f"<i>{said}</i>"
    return re.sub(r"(```.*?```|`[^`]*`)|\$([^$\n]+)\$",
                  lambda m: m.group(1) or symbol(m), text, flags=re.S)


def page(notebook, folder, stem):
    out, cells, pictures = [], notebook["cells"], 0
    for k, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            out.append(re.sub(r"\.ipynb\)", ".md)", maths(source)))
            continue
        out.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            name = f"{stem}_{pictures + 1}.png"
            text = shown(output, folder, name, caption(cells, k))
            pictures += text.startswith("![")
            out.append(text)
    return "\n\n".join(part for part in out if part) + "\n", pictures


def write(source, folder, scratch):
    """Runs every notebook; returns the stems of the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, source / "run.py", "--out", scratch],
                   check=True)
    stems = []
    for path in sorted(scratch.glob("*.ipynb")):
        text, _ = page(json.loads(path.read_text()), folder, path.stem)
        (folder / (path.stem + ".md")).write_text(text)
        stems.append(path.stem)
    return stems
