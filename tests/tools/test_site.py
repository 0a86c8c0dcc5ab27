"""The site: headers are read whole, and the check of links sees faults."""
import pathlib
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tools" / "site"))
import commands  # noqa: E402
import formulas  # noqa: E402
import gallery  # noqa: E402
import headers  # noqa: E402
import links  # noqa: E402
import notebooks  # noqa: E402

HEADER = """/* A thing.
 *
 * Cost  nothing
 */
#ifndef X_H
#define X_H
BPERC_C_BEGIN
/* name, default, paper, low, high, meaning */
#define BPERC_X_OPTIONS(X)   \\
  X(INT, count, 3, 3, 0, 9, "how "                     \\
      "many")
BPERC_OPTIONS_DECLARE(bperc_x_options, BPERC_X_OPTIONS);
typedef struct {
  int a; /* one; two */
} bperc_x;
/* Says so; NULL is fine. */
BPERC_API int bperc_x_say(const bperc_x *x,
                          void (*tell)(int));
static inline int bperc_x_twice(int a) { return 2 * a; }
BPERC_API void bperc_x_free(bperc_x *x); /* NULL is fine */
BPERC_C_END
#endif
"""


class Headers(unittest.TestCase):
    def test_a_header(self):
        said, names = headers.page("x.h", HEADER)
        self.assertEqual(names, ["bperc_x_say", "bperc_x_twice",
                                 "bperc_x_free"])
        self.assertIn("| `count` | `3` | how many |", said)
        self.assertIn("Says so; NULL is fine.", said)
        self.assertNotIn("return 2 * a", said)
        self.assertNotIn("BPERC_API", said)

    def test_every_public_function_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            pages = headers.write(TOP / "include" / "bperc",
                                  pathlib.Path(folder))
            said = "".join((pathlib.Path(folder) / f"{page}.md").read_text()
                           for page in pages)
        self.assertGreater(len(pages), 20)
        for name in ("bperc_run", "bperc_theory_capacity", "bperc_bit_get"):
            self.assertIn(f"### {name}\n", said)


class Links(unittest.TestCase):
    def faults(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(text)
            return links.check(folder)

    def test_pictures_and_styles(self):
        for name, text in (
                ("a.svg", '<svg><image xlink:href="https://x.org/a"/></svg>'),
                ("a.svg", '<svg><style>@import "//x.org/a";</style></svg>'),
                ("a.css", "p { background: url(https://x.org/a.png) }")):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / name).write_text(text)
                self.assertEqual(links.check(folder), 1, text)
                (pathlib.Path(folder) / name).write_text(
                    text.replace("https://x.org/", "").replace("//x.org/", ""))
                self.assertEqual(links.check(folder), 0, text)

    def test_links(self):
        good = '<p id="here"></p><a href="b.html#there">x</a>'
        other = '<p id="there"></p><a href="a.html">x</a><a href="#there">y</a>'
        self.assertEqual(self.faults(a=good, b=other), 0)
        for bad in ('<a href="c.html">x</a>', '<a href="b.html#no">x</a>',
                    '<img src="https://example.org/a.png" alt="a">',
                    '<script src="//example.org/a.js"></script>',
                    '<img src="no.png" alt="a">',
                    '<source srcset="https://example.org/a.svg 2x">',
                    '<img src="data:image/png;base64,AA">'):
            self.assertEqual(self.faults(a=bad, b=other.replace(
                "a.html", "b.html")), 1, bad)


HELP = """usage

JSON keys:
  m alpha                  number of patterns, in all and per weight
  backbone{weights values} with one value
  points[{x distance entropy}]
                           per coupling
                           and more
"""


class Commands(unittest.TestCase):
    def test_keys(self):
        self.assertEqual(commands.keys(HELP), [
            ["m alpha", "number of patterns, in all and per weight"],
            ["backbone{weights values}", "with one value"],
            ["points[{x distance entropy}]", "per coupling and more"]])

    def test_the_page_has_every_key(self):
        """A key that is taken out of the page is missed."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(
                "#!/bin/sh\n[ $# -gt 1 ] || { echo '  say  x'; exit; }\n"
                f"cat <<'END'\n{HELP}END\n")
            program.chmod(0o755)
            text = commands.json_page(program)
            self.assertIn("| `m alpha` | number of patterns", text)
            page = '<h2 id="say">' + text
            self.assertEqual(commands.missing(program, page), [])
            self.assertEqual(commands.missing(
                program, page.replace("distance", "")), ["say: distance"])


class Gallery(unittest.TestCase):
    def test_order(self):
        names = ["S10", "pm", "fig8b", "S9", "fig2", "A1", "fig8", "about"]
        paths = sorted(map(pathlib.Path, names), key=gallery.place)
        self.assertEqual([path.name for path in paths], [
            "fig2", "fig8", "fig8b", "A1", "S9", "S10", "about", "pm"])


class Notebooks(unittest.TestCase):
    def test_maths(self):
        self.assertEqual(
            notebooks.maths(r"$f_{in}$, $h_i > 0$, `$x$`, $\alpha = M/N$"),
            "<i>f<sub>in</sub></i>, <i>h<sub>i</sub> > 0</i>, `$x$`, "
            "<i>α = M/N</i>")

    def test_a_page(self):
        cells = [{"cell_type": "code", "source": "1 + 1", "outputs": [
            {"data": {"image/png": "AAAA"}},
            {"data": {"text/plain": "2"}}]},
            {"cell_type": "markdown",
             "source": "**What is seen.** A `dot`. More. [n](b.ipynb)"}]
        with tempfile.TemporaryDirectory() as folder:
            text, count = notebooks.page({"cells": cells},
                                         pathlib.Path(folder), "a")
        self.assertEqual(count, 1)
        self.assertIn("![A  dot](a_1.png)", text)
        self.assertIn("```text\n2\n```", text)
        self.assertIn("[n](b.md)", text)


class Formulas(unittest.TestCase):
    def test_what_is_a_formula(self):
        found = []
        text = formulas.mark("At $f_{in} = 0.5$, `$HOME` and $5 or $6:\n\n"
                             "```sh\necho $PATH $USER\n```\n\n$$\nx^2\n$$\n", found)
        self.assertEqual(found, [("f_{in} = 0.5", False), ("x^2", True)])
        self.assertIn("`$HOME` and $5 or $6", text)
        self.assertIn("echo $PATH $USER", text)

    def test_pages_are_filled(self):
        with tempfile.TemporaryDirectory() as place:
            site = pathlib.Path(place)
            (site / "a.html").write_text("<p>formula1end, formula0end</p>")
            real, formulas.translated = formulas.translated, lambda f, _: ["<a>", "<b>"]
            try:
                formulas.fill_pages(site, [("a", False), ("b", False)], site)
            finally:
                formulas.translated = real
            self.assertEqual((site / "a.html").read_text(), "<p><b>, <a></p>")


if __name__ == "__main__":
    unittest.main()
