"""Pages of the C reference from the comments of the public headers."""
import re

PIECE = re.compile(r"/\*.*?\*/|#(?:[^\n\\]|\\.)*(?:\\\n[^\n]*)*|[^\s/#;{}][^/#;{}]*"
                   r"|[;{}/]", re.S)


def plain(comment):
    """The words of a comment, without stars."""
    lines = comment[2:-2].strip("\n").split("\n")
    return "\n".join(re.sub(r"^\s*\* ?", "", line).rstrip()
                     for line in lines).strip()


def pieces(text):
    """(comment, code) pairs: code is a declaration or the list of options;
    a comment inside braces belongs to its code."""
    depth, start, comment, out = 0, None, "", []
    for match in PIECE.finditer(text):
        piece = match.group()
        if depth == 0 and start is None:
            if piece.startswith("/*"):
                comment = plain(piece)
                continue
            if piece.startswith("#"):
                if re.match(r"#define BPERC_\w+(\(|_OPTIONS| )", piece) and \
                        "_H" not in piece.split()[1]:
                    out.append((comment, piece))
                comment = ""
                continue
            start = match.start()
        if piece.startswith(("/*", "#")):
            continue
        depth += piece.count("{") - piece.count("}")
        ended = piece == ";" and depth == 0
        body = piece == "}" and depth == 0 and \
            text[start:].startswith("static inline")
        if ended or body:
            out.append((comment, text[start:match.end()]))
            start, comment = None, ""
    return out


def cleaned(code):
    """A declaration as a reader wants it."""
    if code.startswith("static inline"):
        code = code[:code.index("{")].rstrip() + ";"
    return re.sub(r"\bBPERC_API\s+", "", code).strip()


def functions(code):
    """Names of the functions that a declaration declares."""
    if code.startswith(("#", "typedef", "enum", "struct")):
        return []
    head = code[:code.index("{")] if "{" in code else code
    return re.findall(r"\b(bperc_\w+)\s*\(", head)[:1]


def arguments(text):
    """The arguments of a macro call, from after its bracket to the closing
    one; neighbouring texts are joined."""
    out, depth, start, k = [], 0, 0, 0
    for k, c in enumerate(text):
        if text[:k].count('"') % 2 == 1:
            continue
        if c == "," and depth == 0:
            out.append(text[start:k])
            start = k + 1
        depth += (c == "(") - (c == ")")
        if depth < 0:
            break
    return [re.sub(r'"\s+"', "", a.strip()).strip('"')
            for a in out + [text[start:k]]]


def options_table(code):
    """Rows (name, default, meaning) of a #define of options."""
    out = []
    for row in re.split(r"\bX\(", re.sub(r"\\\n", "\n", code))[1:]:
        kind, name, default, *rest = arguments(row)
        if kind.startswith("AUTO"):
            default = "auto"
            rest[-1] += f" (auto: {rest[-2]})"
        if kind == "CHOICE":
            rest[-1] += f" ({rest[-2]})"
        out.append((name, default, rest[-1]))
    return out


def page(name, text):
    """Markdown of one header, and the names of its functions."""
    text = re.sub(r"\bBPERC_C_(BEGIN|END)\b", "", text)
    text = re.sub(r"^BPERC_[A-Z_]+\([\w, ]*\);?$", "", text, flags=re.M)
    first = re.match(r"\s*/\*.*?\*/", text, re.S)
    body = text[first.end():] if first else text
    out = [f"# bperc/{name}", ""]
    if first:
        out += ["```text", plain(first.group().strip()), "```", ""]
    names = []
    for comment, code in pieces(body):
        found = functions(code)
        names += found
        if found:
            out += [f"### {found[0]}", ""]
        if comment:
            out += [comment.replace("<", "&lt;").replace("*", "\\*")
                    .replace("_", "\\_"), ""]
        if code.startswith("#define") and "_OPTIONS(" in code:
            out += ["| option | default | meaning |", "|---|---|---|"]
            out += [f"| `{a}` | `{b}` | {c.replace('|', '&#124;')} |"
                    for a, b, c in options_table(code)]
            out += [""]
        else:
            out += ["```c", cleaned(code), "```", ""]
    return "\n".join(out), names


def declared(text):
    """Every function that a header declares, by a plainer search."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return set(re.findall(r"BPERC_API[^;{]*?\b(bperc_\w+)\s*\([^;]*;", text))


def write(include, folder):
    """All pages; returns their names. A function that is missing is an
    error."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for path in sorted(include.rglob("*.h")):
        text = path.read_text()
        place = path.relative_to(include).with_suffix("").as_posix()
        name = place.replace("/", "_")
        said, names = page(place + ".h", text)
        missing = declared(text) - set(names)
        if missing:
            raise SystemExit(f"{path.name}: not in the reference: "
                             f"{', '.join(sorted(missing))}")
        (folder / (name + ".md")).write_text(said)
        first = re.match(r"\s*/\*(.*?)(\n|\*/)", text)
        found.append((name, place, first.group(1).strip() if first else "",
                      len(names)))
    rows = "\n".join(f"| [bperc/{place}.h]({name}.md) | {what} | {count} |"
                     for name, place, what, count in found)
    (folder / "index.md").write_text(
        "# C reference\n\nFrom the comments of the public headers. "
        "`#include <bperc/bperc.h>` includes those of the core, "
        "`#include <bperc/lab/lab.h>` those of the laboratory; flags come from "
        "`pkg-config --cflags --libs bperc`, or `bperc-lab`.\n\n| header | | functions |\n"
        f"|---|---|---|\n{rows}\n")
    return [name for name, *_ in found]
