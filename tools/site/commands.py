"""Pages of the program: what every command says of itself, and its JSON."""
import re
import subprocess


def said(program, *words):
    done = subprocess.run([program, *words, "--help"], text=True,
                          stdout=subprocess.PIPE)
    return done.stdout if done.returncode == 0 else ""


def names(program):
    return re.findall(r"^  ([a-z][a-z-]*)  ", said(program), re.M)


def help_page(program):
    out = ["# Commands", "", "```text", said(program).rstrip(), "```", ""]
    for name in names(program):
        text = said(program, name)
        if text:
            out += [f"## {name}", "", "```text", text.rstrip(), "```", ""]
    return "\n".join(out)


def keys(text):
    """(names, meaning) of the part "JSON keys" of a help text."""
    part = text.partition("\nJSON keys:\n")[2].split("\n\n")[0]
    found = []
    for line in part.splitlines():
        if line.startswith(" " * 26):  # the meaning, below or continued
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
        else:
            # two blanks end the names, except those that fill the column
            left, _, right = line[2:].partition("  ")
            if not right and left[24:25] == " " and \
                    left[:24].count("{") == left[:24].count("}"):
                left, right = left[:24], left[25:]
            found.append([left.strip(), right.strip()])
    return found


def json_page(program):
    """The keys of every command; a command without any is an error."""
    out = ["# JSON keys", "", "With `--json` a command prints exactly one "
           "object. Braces hold the keys of an object inside, brackets a list. "
           "Numbers have as many digits as are needed to read back the same "
           "value; a number that does not exist is `null`. Entropies are "
           "natural logarithms per weight, indices begin at 0.", ""]
    for name in names(program):
        rows = keys(said(program, name))
        if not rows or any(not meaning for _, meaning in rows):
            raise SystemExit(f"{name} --help does not explain its JSON keys")
        out += [f"## {name}", "", "| keys | meaning |", "|---|---|"]
        out += [f"| `{left}` | {right.replace('|', '&#124;').replace('<', '&lt;')} |"
                for left, right in rows] + [""]
    return "\n".join(out)


def write(program, folder):
    (folder / "commands.md").write_text(help_page(program))
    (folder / "json.md").write_text(json_page(program))


def missing(program, page):
    """Keys of any command that a page of HTML does not name."""
    found = []
    for name in names(program):
        part = page.partition(f'id="{name}"')[2].partition("<h2")[0]
        words = set(re.findall(r"\w+", re.sub(r"<[^>]+>", " ", part)))
        for left, _ in keys(said(program, name)):
            found += [f"{name}: {key}" for key in re.findall(r"\w+", left)
                      if key not in words]
    return found
