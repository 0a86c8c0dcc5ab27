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

import commands
import docstrings
import formulas
import gallery
import headers
import links
import moving
import notebooks

TOP = pathlib.Path(__file__).resolve().parents[2]
THEME = pathlib.Path(__file__).resolve().parent / "theme"
GROUPS = (("Use", ("tutorial", "model", "formats", "trace", "sweeps",
                   "measurements", "embedding", "extend")),
          ("Methods", ("sbpi", "bp", "exact", "frontier", "theory", "choices",
                       "equations", "notation")),
          ("Inside", ("architecture", "robustness", "dependencies", "bibliography")))


def words(text, pages):
    """Names of our documents become links where the site has them."""
    def link(match):
        name = match.group(1)
        return f"[{name}]({name}.md)" if name in pages else match.group(0)
    text = re.sub(r"`docs/(\w+)\.md`", link, text)
    text = re.sub(r"\[(?:docs/)?(\w+)\.md\]\((docs/)?\1\.md", r"[\1](\2\1.md",
                  text)
    for file, name in (("CITATION.cff", "how to cite"),
                       ("CONTRIBUTING", "how to contribute"),
                       ("python/README.md", "Python")):
        text = text.replace(f"[{file}]", f"[{name}]")
    for there, here in (("docs/", ""), ("CITATION.cff", "cite.md"),
                        ("CONTRIBUTING.md", "contributing.md"),
                        ("python/README.md", "python/index.md")):
        text = text.replace(f"]({there}", f"]({here}")
    return re.sub(r"`python/README\.md`", "[Python](python/index.md)", text)


def moved(text):
    """Links to pages that stand elsewhere on the site."""
    for there, here in (("../notebook/", "notebook/"), ("docs/index.md", "manual.md"),
                        ("../python/notebooks/README.md", "notebooks/01_first_problem.md")):
        text = text.replace(f"]({there}", f"]({here}")
    return text


def copy_notebook(source):
    """What was measured when; not the executed notebooks."""
    (source / "notebook").mkdir()
    paths = sorted((TOP / "notebook").glob("*.md"))
    for path in paths:
        text = path.read_text().replace("](../docs/index.md", "](../manual.md")
        (source / "notebook" / path.name).write_text(text.replace("](../docs/", "](../"))
    return [path.stem for path in paths if path.stem != "README"]


def copy_docs(source, found):
    """Formulas of the manual are appended to found."""
    # the site has a first page of its own: README.md
    shutil.copy(TOP / "docs" / "references.bib", source)
    (source / "manual.md").write_text(moved((TOP / "docs/index.md").read_text()))
    paths = [p for p in (TOP / "docs").glob("*.md") if p.stem != "index"]
    pages = {path.stem for path in paths}
    for picture in (TOP / "docs").glob("*.svg"):
        shutil.copy(picture, source / picture.name)
    for path in paths:
        text = words(moved(path.read_text()), pages)
        (source / path.name).write_text(formulas.mark(text, found))
    for name in ("CONTRIBUTING", "CHANGELOG"):
        (source / f"{name.lower()}.md").write_text(
            words((TOP / f"{name}.md").read_text(), pages))
    home = words(moved((TOP / "README.md").read_text()), pages)
    (source / "index.md").write_text(re.sub(
        r"!\[([^\]]*)\]\(explorer\.png\)", r'<p><a href="explorer.html"><picture>'
        r'<source media="(max-width: 50em)" srcset="moving-narrow.svg">'
        r'<img src="moving.svg" alt="\1"></picture></a></p>', home))
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


def title(path):
    found = re.search(r"^# (.+)$", path.read_text(), re.M)
    return found.group(1).replace("`", "") if found else path.stem


def navigation(source, pages, c_pages, stems, notebook):
    """The list of pages, as mkdocs wants it."""
    known = {name for _, names in GROUPS for name in names}
    groups = [[name, [p for p in names if p in pages]]
              for name, names in GROUPS]
    groups[-1][1] += sorted(pages - known - {"explorer"})
    nav = [{"Home": "index.md"}, {"Manual": "manual.md"}]
    nav += [{name: [{title(source / f"{p}.md"): f"{p}.md"} for p in names]}
            for name, names in groups]
    nav[2]["Use"][1:1] = [{"Commands": "commands.md"},
                          {"JSON keys": "json.md"}]
    nav += [{"Explorer": "explorer.md"}, {"Gallery": "gallery/index.md"},
            {"Companion to the paper": "companion.md"},
            {"Python": [{"Start": "python/index.md"},
                        {"Reference": "python/reference.md"},
                        {"theory": "python/theory.md"},
                        {"plot": "python/plot.md"}]
             + [{title(source / "notebooks" / f"{s}.md"): f"notebooks/{s}.md"}
                for s in stems]},
            {"C": [{"Headers": "c/index.md"}]
             + [{f"{name}.h": f"c/{name}.md"} for name in c_pages]},
            {"Notebook": [{"What it is": "notebook/README.md"}]
             + [{title(source / "notebook" / f"{s}.md"): f"notebook/{s}.md"}
                for s in notebook]},
            {"About": [{"How to cite": "cite.md"},
                       {"How to contribute": "contributing.md"},
                       {"Changes": "changelog.md"}]}]
    return nav


def embed(page, source):
    """The explorer at the top of its page, when it is built."""
    text = (source / "explorer.md").read_text()
    head, rest = text.split("\n", 1)
    if page.exists():
        shutil.copy(page, source / "explorer_page.html")
        said = ('<p><a href="explorer_page.html">Open the explorer in the '
                'whole window</a></p>\n<iframe class="explorer" '
                'src="explorer_page.html" title="The explorer"></iframe>')
    else:
        said = ("*This copy of the site was made without the explorer; `make "
                "web`, then `make docs` puts it here.*")
    (source / "explorer.md").write_text(f"{head}\n\n{said}\n{rest}")


def configure(work, source, site, nav):
    import yaml
    config = {"site_name": "bperc", "docs_dir": str(source),
              "site_dir": str(site), "nav": nav, "use_directory_urls": False,
              "theme": {"name": None, "custom_dir": str(THEME)},
              "plugins": [], "markdown_extensions": [
                  "tables", "fenced_code", "toc", "sane_lists"]}
    (work / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False))


def summary(source, claims, stems):
    """What the site has, counted in its pages."""
    def count(folder, start):
        return sum(len(re.findall(rf"^{start}", path.read_text(), re.M))
                   for path in (source / folder).glob("*.md"))
    print(f"{count('c', '### bperc_')} functions of the C library, "
          f"{count('python', '## ')} names of the Python package, "
          f"{(source / 'json.md').read_text().count('## ')}"
          f" commands with their JSON keys, {claims} claims, {len(stems)} "
          "notebooks executed")


def main():
    begun = time.time()
    build = pathlib.Path(sys.argv[1]).resolve()
    work, site = build / "site-work", build / "site"
    shutil.rmtree(work, ignore_errors=True)
    source = work / "pages"
    source.mkdir(parents=True)
    sys.path.insert(0, str(build / "python"))
    os.environ["PYTHONPATH"] = str(build / "python")
    found = []
    pages = copy_docs(source, found)
    notebook = copy_notebook(source)
    commands.write(build / "bperc", source)
    c_pages = headers.write(TOP / "include" / "bperc", source / "c")
    docstrings.write(source / "python")
    claims = gallery.write(build / "bperc", TOP / "experiments", source,
                           work / "report", TOP / "report" / "store.db")
    stems = notebooks.write(TOP / "python" / "notebooks",
                            source / "notebooks", work / "executed")
    summary(source, claims, stems)
    moving.write(build / "bperc", source)
    embed(build / "web" / "explorer.html", source)
    configure(work, source, site,
              navigation(source, pages, c_pages, stems, notebook))
    subprocess.run(["mkdocs", "build", "--quiet", "--clean", "-f",
                    work / "mkdocs.yml"], check=True)
    print(f"{formulas.fill_pages(site, found, build / 'site-npm')} formulas")
    faults = links.check(site)
    for key in commands.missing(build / "bperc",
                                (site / "json.html").read_text()):
        print(f"json.html: no word about {key}")
        faults += 1
    print(f"{site}/index.html, {time.time() - begun:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
