"""The gallery: every experiment, its picture, verdicts and command."""
import html
import json
import re
import shutil
import subprocess


def plan_key(text, key):
    found = re.search(rf"^{key}\s*=\s*(.*(?:\n[ \t].*)*)", text, re.M)
    return re.sub(r"\s+", " ", found.group(1)).strip() if found else ""


def claims_of(folder):
    """(id, text) of the claims of an experiment."""
    path = folder / "claims"
    if not path.exists():
        return []
    parts = re.split(r"^\[claim ([^\]]+)\]", path.read_text(), flags=re.M)
    return [(name.strip(), plan_key(body, "text"))
            for name, body in zip(parts[1::2], parts[2::2])]


def natural(path):
    return [int(part) if part.isdigit() else part
            for part in re.split(r"(\d+)", path.name)]


def entry(folder, report, pictures, verdicts):
    """One experiment as Markdown."""
    plan = (folder / "plan").read_text()
    out = [f"## {folder.name}: {plan_key(plan, 'title') or folder.name}", ""]
    found = sorted((report / folder.name).glob("*.svg"))
    for picture in found:
        name = f"{folder.name}_{picture.name}"
        shutil.copy(picture, pictures / name)
        alt = html.escape(plan_key(plan, "caption") or
                          plan_key(plan, "title")).replace("]", ")")
        out += [f"![{alt}](pictures/{name})", ""]
    if plan_key(plan, "caption"):
        out += [plan_key(plan, "caption"), ""]
    if not found:
        out += ["*No tables of the paper scale are kept for this one; the "
                "command below makes its picture.*", ""]
    rows = claims_of(folder)
    if rows:
        out += ["| claim | verdict | |", "|---|---|---|"]
        out += [f"| {name} | {verdicts.get(name, 'not judged here')} | "
                f"{text.replace('|', '&#124;')} |" for name, text in rows]
        out += [""]
    return out + ["```text", f"bperc reproduce {folder.name} --scale quick",
                  "```", ""]


def write(program, experiments, folder, scratch):
    """The page and, under companion/, the report with all plots."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [program, "report", "--experiments", experiments, "--out", scratch,
         "--json"], text=True, stdout=subprocess.PIPE)
    if done.returncode not in (0, 1):  # 1: a claim fails
        raise SystemExit("bperc report failed")
    verdicts = {c["id"]: c["verdict"]
                for c in json.loads(done.stdout)["claims"]}
    out = ["# Gallery", "", "Every experiment with the command that makes "
           "it. Pictures and verdicts are those of the tables of the paper "
           "scale that are kept in the repository; the [companion page]"
           "(companion/index.html) has the same with plots to zoom.", ""]
    for path in sorted(experiments.iterdir(), key=natural):
        if (path / "plan").exists():
            out += entry(path, scratch, pictures, verdicts)
    (folder / "index.md").write_text("\n".join(out))
    shutil.copytree(scratch, folder / "companion", dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("*.db", "*.md"))
