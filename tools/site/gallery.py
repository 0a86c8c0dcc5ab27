"""The gallery: every experiment, its picture, verdicts and command; and the
companion to the paper: every claim and the page with plots to zoom."""
import html
import json
import re
import shutil
import subprocess


def plan_key(text, key):
    found = re.search(rf"^{key}\s*=\s*(.*(?:\n[ \t].*)*)", text, re.M)
    return re.sub(r"\s+", " ", found.group(1)).strip() if found else ""


def claims_of(folder):
    """(id, text, quoted sentence, source) of the claims of an experiment."""
    path = folder / "claims"
    if not path.exists():
        return []
    parts = re.split(r"^\[claim ([^\]]+)\]", path.read_text(), flags=re.M)
    return [(name.strip(), plan_key(body, "text"), plan_key(body, "quote"),
             plan_key(body, "source") or "ours")
            for name, body in zip(parts[1::2], parts[2::2])]


def place(path):
    """The paper's figures first, then its supplement, then our own."""
    kinds = (r"fig\d", r"[A-Z]\d|T$|app")
    kind = next((k for k, start in enumerate(kinds)
                 if re.match(start, path.name)), len(kinds))
    return kind, [int(part) if part.isdigit() else part
                  for part in re.split(r"(\d+)", path.name)]


def experiments_of(folder):
    return [path for path in sorted(folder.iterdir(), key=place)
            if (path / "plan").exists()]


def cell(text):
    return html.escape(text, quote=False).replace("|", "&#124;")


class Report:
    """What `bperc report` makes of the kept tables (scale paper) or of the
    store that `make demo` left (scale quick)."""

    def __init__(self, program, experiments, folder, scale, store=None):
        self.folder, self.scale = folder, scale
        # Without --experiments: its own ones, whose plot.gp may run.
        call = [program, "report", "--out", folder, "--json", "--quiet"]
        if store:
            call += ["--store", store, "--scale", "quick"]
        done = subprocess.run(call, text=True, stdout=subprocess.PIPE,
                              cwd=experiments.parent)
        if done.returncode not in (0, 1):  # 1: a claim fails
            raise SystemExit("bperc report failed")
        self.claims = {c["id"]: c for c in json.loads(done.stdout)["claims"]}

    def pictures(self, name):
        return sorted((self.folder / name).glob("*.svg"))

    def verdict(self, name):
        return self.claims[name]["verdict"] if name in self.claims \
            else "not measured"


def pictures(name, reports, folder, words):
    """Copies the pictures of the first report that has some."""
    for report in reports:
        found = report.pictures(name)
        for picture in found:
            shutil.copy(picture, folder / f"{name}_{picture.name}")
        if found:
            return [line for picture in found for line in (
                f"![{words}](pictures/{name}_{picture.name})", "")] + [
                f"*{report.scale.capitalize()} scale.*", ""]
    return ["*Not measured yet in this copy of the site; the command below "
            "makes the picture.*", ""]


def entry(folder, reports, where):
    """One experiment as Markdown."""
    plan = (folder / "plan").read_text()
    title = plan_key(plan, "title") or folder.name
    caption = plan_key(plan, "caption")
    words = html.escape(caption or title).replace("]", ")").replace("[", "(")
    out = [f'<span id="{folder.name}"></span>', "",
           f"## {folder.name}: {title}", ""]
    out += pictures(folder.name, reports, where, words)
    if caption:
        out += [caption, ""]
    rows = claims_of(folder)
    if rows:
        scales = [report.scale + " scale" for report in reports]
        out += [f"| claim | {' | '.join(scales)} | |",
                "|---|" + "---|" * len(reports) + "---|"]
        out += [f"| {name} | "
                + " | ".join(report.verdict(name) for report in reports)
                + f" | {cell(text)} |" for name, text, *_ in rows] + [""]
    command = f"bperc reproduce {folder.name}"
    return out + ["```text", f"{command} --scale quick",
                  f"{command} --scale paper", "```", ""]


def companion(experiments, reports):
    """Every claim: the sentence of the paper, what we ask, the verdicts."""
    rows, counts = [], {}
    for folder in experiments_of(experiments):
        for name, text, quote, source in claims_of(folder):
            said = [report.verdict(name) for report in reports]
            key = source, said[0]
            counts[key] = counts.get(key, 0) + 1
            measured = reports[0].claims.get(name, {}).get("measured", "")
            rows.append((name, folder.name, text, quote, said, measured))
    total = "; ".join(name + ": " + ", ".join(
        f"{counts.get((source, word), 0)} {said}" for word, said in (
            ("holds", "hold"), ("fails", "fail"), ("undecided", "undecided"),
            ("not measured", "not measured")))
        for source, name in (("paper", "the paper's"), ("ours", "ours")))
    out = ["# Companion to the paper", "", "[Open the interactive companion]"
           "(gallery/companion/index.html): every figure with plots to zoom "
           "and read off, its claims and what was measured. It is one file.",
           "", f"All {len(rows)} claims, at paper scale: {total}. \"Not "
           "measured\" means that the repository keeps no table of the paper "
           "scale for it; `make demo` measures all of them at quick scale.",
           ""]
    for name, figure, text, quote, said, measured in rows:
        out += [f"## {name}", "", f"{cell(text)}.", ""]
        if quote:
            out += [f"> {cell(quote)}", ""]
        verdicts = "; ".join(f"{report.scale} scale: **{word}**"
                             for report, word in zip(reports, said))
        out += [f"{verdicts[0].upper()}{verdicts[1:]}. Figure: "
                f"[{figure}](gallery/index.md#{figure}).", ""]
        if measured:
            marked = re.sub(r" \[(fails|undecided)\]", r" (\1)", measured)
            out += [f"Measured: {cell(marked)}.", ""]
    return "\n".join(out), len(rows)


def write(program, experiments, source, scratch, store):
    """gallery/index.md, companion.md and, under gallery/companion/, the report
    with all plots."""
    folder = source / "gallery"
    where = folder / "pictures"
    where.mkdir(parents=True, exist_ok=True)
    reports = [Report(program, experiments, scratch / "paper", "paper")]
    if store.exists():
        reports.append(Report(program, experiments, scratch / "quick", "quick",
                              store))
    out = ["# Gallery", "", "Every experiment with the command that makes it. "
           "Verdicts at paper scale are those of the tables that are kept in "
           "the repository; verdicts at quick scale stand here when `make "
           "demo` has run before `make docs`. The [companion](../companion.md) "
           "lists all claims with their sentences.", ""]
    for path in experiments_of(experiments):
        out += entry(path, reports, where)
    (folder / "index.md").write_text("\n".join(out))
    text, count = companion(experiments, reports)
    (source / "companion.md").write_text(text)
    shutil.copytree(reports[-1].folder, folder / "companion",
                    dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("*.db*", "*.md"))
    return count
