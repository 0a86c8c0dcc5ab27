"""Pages of the Python reference from docstrings."""
import inspect
import re


def block(text):
    """One paragraph of a docstring as Markdown."""
    if text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if re.match(r"[a-z_][\w, =]* : ", text):
        entries = re.split(r"\n(?=\S)|(?<=\.)  (?=\w+ : )", text)
        joined = [re.sub(r"\s*\n\s+", " ", entry) for entry in entries]
        return "\n".join("- " + re.sub(r"^([^:]*?) : ", r"**\1**: ", entry)
                         for entry in joined)
    return text.replace("<", "&lt;")


def markdown(thing):
    text = inspect.getdoc(thing) or ""
    if not text:
        raise SystemExit(f"no docstring: {thing!r}")
    return "\n\n".join(block(part) for part in re.split(r"\n\s*\n", text))


def signature(name, thing):
    try:
        said = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return name
    # annotations are strings; the quotes say nothing
    said = re.sub(r"(: |-> )(['\"])(.*?)\2(?=[,)=\s]|$)", r"\1\3", said)
    return name + said.replace("(self, ", "(").replace("(self)", "()")


def folded(said, width=78):
    """A long signature in lines, broken between arguments."""
    lines = [""]
    for part in re.split(r"(?<=, )", said):
        if len(lines[-1]) + len(part) > width:
            lines.append("    ")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def members(cls):
    """Public methods and properties, the inherited ones of ours too."""
    for name, value in inspect.getmembers(cls):
        if name.startswith("_") or not (callable(value) or
                                        isinstance(value, property)):
            continue
        owner = next((c for c in cls.__mro__ if name in vars(c)), cls)
        if owner.__module__.startswith("bperc"):
            yield name, value


def describe(name, thing, level):
    """A function or class with all that is public in it."""
    out = [f"{'#' * level} {name.split('.')[-1]}", ""]
    if not inspect.ismodule(thing):
        out += ["```python", folded(signature(name, thing)), "```", ""]
    out += [markdown(thing), ""]
    if inspect.isclass(thing):
        for member, value in members(thing):
            if isinstance(value, property):
                out += [f"**`.{member}`**: {markdown(value)}", ""]
            else:
                out += ["```python", folded("." + signature(member, value)),
                        "```", "", markdown(value), ""]
    return out


def public(module):
    """Functions of a module in the order of its source."""
    found = [(name, value) for name, value in vars(module).items()
             if inspect.isfunction(value) and not name.startswith("_") and
             value.__module__ == module.__name__]
    return sorted(found, key=lambda item: item[1].__code__.co_firstlineno)


def write(folder):
    """The pages `reference`, `theory` and `plot`."""
    import bperc
    folder.mkdir(parents=True, exist_ok=True)
    out = ["# Python reference", "", "From the docstrings of the package; "
           "their examples are run by the tests.", ""]
    for name in bperc.__all__:
        thing = getattr(bperc, name)
        if not inspect.ismodule(thing):
            out += describe(f"bperc.{name}", thing, 2)
    (folder / "reference.md").write_text("\n".join(out))
    for module in (bperc.theory, bperc.plot):
        out = [f"# {module.__name__}", "", markdown(module), ""]
        for name, value in public(module):
            out += describe(f"{module.__name__}.{name}", value, 2)
        (folder / (module.__name__.split(".")[1] + ".md")).write_text(
            "\n".join(out))
