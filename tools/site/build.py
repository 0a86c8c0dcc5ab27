"""The site: pages from docs/, headers, docstrings, notebooks, experiments.

    build.py BUILD_FOLDER

writes BUILD_FOLDER/site, which opens from disk and loads nothing from
elsewhere. Needs mkdocs and what the notebooks need.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import docstrings
import gallery
import headers
import links
import notebooks

TOP = pathlib.Path(__file__).resolve().parents[2]
THEME = pathlib.Path(__file__).resolve().parent / "theme"
GROUPS = (("Use", ("tutorial", "model", "formats", "trace", "sweeps",
                   "measurements", "explorer")),
          ("Methods", ("sbpi", "bp", "exact", "frontier", "theory", "choices",
                       "equations", "notation")),
          ("Inside", ("architecture", "costs", "bench", "robustness")))


def words(text, pages):
    """Names of our documents become links where the site has them."""
    def link(match):
        name = match.group(1)
        return f"[{name}]({name}.md)" if name in pages else match.group(0)
    text = re.sub(r"`docs/(\w+)\.md`", link, text)
    text = text.replace("](docs/", "](")
    return re.sub(r"`python/README\.md`", "[Python](python/index.md)", text)


def copy_docs(source):
    pages = {path.stem for path in (TOP / "docs").glob("*.md")}
    for path in (TOP / "docs").glob("*.md"):
        (source / path.name).write_text(words(path.read_text(), pages))
    for name in ("CONTRIBUTING", "CHANGELOG"):
        (source / f"{name.lower()}.md").write_text(
            words((TOP / f"{name}.md").read_text(), pages))
    (source / "index.md").write_text(
        words((TOP / "README.md").read_text(), pages))
    readme = (TOP / "python" / "README.md").read_text()
    readme = readme.replace("(notebooks/README.md)",
                            "(../notebooks/01_first_problem.md)")
    readme = re.sub(r" \(\[declarations\.py\]\([^)]*\)\)", "", readme)
    (source / "python").mkdir(exist_ok=True)
    (source / "python" / "index.md").write_text(readme)
    citation = (TOP / "CITATION.cff").read_text()
    (source / "cite.md").write_text(
        f"# How to cite\n\n```yaml\n{citation}```\n")
    return pages


def commands(program, source):
    """What `bperc COMMAND --help` says, for every command."""
    said = subprocess.run([program, "--help"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    names = re.findall(r"^  ([a-z][a-z-]*)  ", said, re.M)
    out = ["# Commands", "", "```text", said.rstrip(), "```", ""]
    for name in names:
        help_text = subprocess.run(
            [program, name, "--help"], text=True, stdout=subprocess.PIPE)
        if help_text.returncode == 0:
            out += [f"## {name}", "", "```text", help_text.stdout.rstrip(),
                    "```", ""]
    (source / "commands.md").write_text("\n".join(out))


def title(path):
    found = re.search(r"^# (.+)$", path.read_text(), re.M)
    return found.group(1).replace("`", "") if found else path.stem


def navigation(source, pages, c_pages, stems):
    """The list of pages, as mkdocs wants it."""
    known = {name for _, names in GROUPS for name in names}
    groups = [[name, [p for p in names if p in pages]]
              for name, names in GROUPS]
    groups[-1][1] += sorted(pages - known)
    nav = [{"Home": "index.md"}]
    nav += [{name: [{title(source / f"{p}.md"): f"{p}.md"} for p in names]}
            for name, names in groups]
    nav[1]["Use"].insert(1, {"Commands": "commands.md"})
    nav += [{"Gallery": "gallery/index.md"},
            {"Python": [{"Start": "python/index.md"},
                        {"Reference": "python/reference.md"},
                        {"theory": "python/theory.md"},
                        {"plot": "python/plot.md"}]
             + [{title(source / "notebooks" / f"{s}.md"): f"notebooks/{s}.md"}
                for s in stems]},
            {"C": [{"Headers": "c/index.md"}]
             + [{f"{name}.h": f"c/{name}.md"} for name in c_pages]},
            {"About": [{"How to cite": "cite.md"},
                       {"How to contribute": "contributing.md"},
                       {"Changes": "changelog.md"}]}]
    return nav


def configure(work, source, site, nav):
    import yaml
    config = {"site_name": "bperc", "docs_dir": str(source),
              "site_dir": str(site), "nav": nav, "use_directory_urls": False,
              "theme": {"name": None, "custom_dir": str(THEME)},
              "plugins": [], "markdown_extensions": [
                  "tables", "fenced_code", "toc", "sane_lists"]}
    (work / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False))


def main():
    begun = time.time()
    build = pathlib.Path(sys.argv[1]).resolve()
    work, site = build / "site-work", build / "site"
    shutil.rmtree(work, ignore_errors=True)
    source = work / "pages"
    source.mkdir(parents=True)
    sys.path.insert(0, str(build / "python"))
    os.environ["PYTHONPATH"] = str(build / "python")
    pages = copy_docs(source)
    commands(build / "bperc", source)
    c_pages = headers.write(TOP / "include" / "bperc", source / "c")
    docstrings.write(source / "python")
    gallery.write(build / "bperc", TOP / "experiments", source / "gallery",
                  work / "report")
    stems = notebooks.write(TOP / "python" / "notebooks",
                            source / "notebooks", work / "executed")
    explorer = build / "web" / "explorer.html"
    if explorer.exists():  # built by make web
        shutil.copy(explorer, source / "explorer_page.html")
        with open(source / "explorer.md", "a") as file:
            file.write("\n[Open the explorer](explorer_page.html)\n")
    configure(work, source, site,
              navigation(source, pages, c_pages, stems))
    subprocess.run(["mkdocs", "build", "--quiet", "--clean", "-f",
                    work / "mkdocs.yml"], check=True)
    faults = links.check(site)
    print(f"{site}/index.html, {time.time() - begun:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
