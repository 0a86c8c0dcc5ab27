"""Checks a folder of HTML pages: links inside it lead somewhere, and nothing
is loaded from elsewhere.

    links.py FOLDER
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

LOADS = {"img": "src", "script": "src", "link": "href", "iframe": "src",
         "source": "src", "video": "src", "object": "data"}


class Page(html.parser.HTMLParser):
    """Ids, links and loaded addresses of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.faults = set(), [], [], []
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        for key in ("id", "name"):
            if given.get(key):
                self.ids.add(given[key])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        for part in (given.get("srcset") or "").split(","):
            self.loads += part.split()[:1]
        if tag in LOADS and given.get(LOADS[tag]):
            if not (tag == "link" and given.get("rel") == "canonical"):
                self.loads.append(given[LOADS[tag]])
        if tag == "img" and not given.get("alt"):
            self.faults.append(f"a picture without words: {given.get('src')}")


def target(page, link, root):
    """The file that a link means, and the place in it."""
    parts = urllib.parse.urlsplit(link)
    path = urllib.parse.unquote(parts.path)
    if not path:
        return page, parts.fragment
    base = root / path.lstrip("/") if path.startswith("/") \
        else page.parent / path
    if base.is_dir() or path.endswith("/"):
        base = base / "index.html"
    return base.resolve(), parts.fragment


def foreign(link):
    return bool(re.match(r"[a-z][a-z0-9+.-]*:|//", link)) and \
        not link.startswith("data:")


def look(path, page, pages, root):
    """The faults of one page."""
    found = list(page.faults)
    for link in page.loads:
        if foreign(link):
            found.append(f"loads {link}")
        elif not link.startswith("data:") and \
                not target(path, link, root)[0].exists():
            found.append(f"loads {link}, which is not there")
    for link in page.links:
        if foreign(link):
            continue
        goal, place = target(path, link, root)
        if not goal.exists():
            found.append(f"links to {link}, which is not there")
        elif place and goal in pages and place not in pages[goal].ids:
            found.append(f"links to {link}: there is no such place")
    return found


def check(root):
    root = pathlib.Path(root).resolve()
    pages = {path.resolve(): Page(path) for path in root.rglob("*.html")}
    count = 0
    for path, page in sorted(pages.items()):
        for fault in look(path, page, pages, root):
            print(f"{path.relative_to(root)}: {fault}")
            count += 1
    for path in [*root.rglob("*.css"), *root.rglob("*.svg")]:
        for link in re.findall(r"url\(['\"]?([^)'\"]+)|<(?:image|use|script)"
                               r"[^>]*href=['\"]([^'\"]+)|@import\s+['\"]"
                               r"([^'\"]+)", path.read_text(errors="replace")):
            link = "".join(link)
            if foreign(link):
                print(f"{path.relative_to(root)}: loads {link}")
                count += 1
    print(f"{len(pages)} pages, {sum(len(p.links) for p in pages.values())} "
          f"links, {count} faults")
    return count


if __name__ == "__main__":
    sys.exit(1 if check(sys.argv[1]) else 0)
