"""The site in a browser: every page readable at two widths and in the dark,
the picture of the first page moves, the explorer runs inside its page, nothing
is fetched from elsewhere. Skipped where `make docs` has not built the site.

With SHOTS=FOLDER pictures of some pages are left there.
"""
import base64
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from browser import Browser  # noqa: E402

SITE = pathlib.Path(os.environ["BUILD"]).resolve() / "site"
CHECKS = (HERE / "checks.js").read_text()
SHOTS = os.environ.get("SHOTS")
SHOWN = ("index", "companion", "gallery/index", "explorer", "json", "tutorial",
         "c/solver", "python/reference", "commands", "formats", "cite")
# Width, height, dark, and the least size of what one clicks or taps.
LOOKS = ((1200, 900, False, 24), (390, 844, True, 44), (1200, 900, True, 24))


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()
        cls.addClassCleanup(cls.browser.__exit__)

    def open(self, page, width, height, dark, motion="no-preference"):
        self.browser.devtools(
            "Emulation.setEmulatedMedia", media="", features=[
                {"name": "prefers-color-scheme",
                 "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": motion}])
        self.browser.open(str(page), width, height)

    def shot(self, page, width, dark):
        name = page.relative_to(SITE).with_suffix("")
        if SHOTS and str(name) in SHOWN:
            kind = f"{str(name).replace('/', '-')}-{width}-{'dark' if dark else 'light'}"
            (pathlib.Path(SHOTS) / f"{kind}.png").write_bytes(
                base64.b64decode(self.browser.call("/screenshot")))

    def test_every_page(self):
        """Contrast, names, sizes of what one taps, width, headings."""
        pages = [p for p in sorted(SITE.rglob("*.html"))
                 if p.name != "explorer_page.html"]  # web/explorer has it
        self.assertGreater(len(pages), 60)
        faults = []
        for width, height, dark, tap in LOOKS:
            for page in pages:
                self.open(page, width, height, dark)
                kind = f"{page.relative_to(SITE)}, {width}, " \
                       f"{'dark' if dark else 'light'}"
                faults += [f"{kind}: {fault}"
                           for fault in self.browser.script(CHECKS, tap)]
                self.shot(page, width, dark)
        self.assertEqual(len(faults), 0, "\n" + "\n".join(faults[:40]))

    STEP = ("return document.querySelector('svg .moving text[opacity]') && "
            "[...document.querySelectorAll('.moving text')].filter((e) => "
            "getComputedStyle(e).opacity === '1').map((e) => e.textContent)")

    def test_the_picture_moves(self):
        """It ends where the README's problem ends; at rest it says the same."""
        self.open(SITE / "index.html", 1200, 900, False)
        box = self.browser.script(
            "const r = document.querySelector('main img[src$=\"moving.svg\"]')"
            ".getBoundingClientRect(); return [r.width, r.top]")
        self.assertGreater(box[0], 400)
        self.assertLess(box[1], 600, "the picture is below the first screen")
        self.open(SITE / "moving.svg", 1200, 900, False)
        said = []
        for seconds in (0.1, 4, 11):
            self.browser.script("const s = document.documentElement;"
                                f"s.pauseAnimations(); s.setCurrentTime({seconds})")
            said += self.browser.script(self.STEP)
        self.assertEqual(len(set(said)), 3, said)
        self.assertEqual(said[-1], "sweep 26: 0 of 96 patterns violated")
        self.open(SITE / "moving.svg", 1200, 900, False, "reduce")
        self.assertEqual(self.browser.script(
            "return [...document.querySelectorAll('text.rest, .moving')]"
            ".filter((e) => getComputedStyle(e).display !== 'none')"
            ".map((e) => e.textContent)"), said[-1:])

    def test_the_explorer_runs_in_its_page(self):
        if not (SITE / "explorer_page.html").exists():
            self.skipTest("this site was made without the explorer")
        self.open(SITE / "explorer.html", 1200, 900, False)
        frame = self.browser.call("/element", {
            "using": "css selector", "value": "iframe.explorer"})
        self.browser.call("/frame", {"id": frame})
        status = "document.getElementById('solving-status')?.dataset"
        self.browser.until(f"return {status}?.outcome === 'running'")
        self.browser.script("document.getElementById('play').click()")
        self.browser.until(f"return {status}.outcome === 'solved'")
        self.assertEqual(self.browser.script(f"return {status}.step"), "26")

    @classmethod
    def tearDownClass(cls):
        """Over all tests: no message of the console, no foreign address."""
        said = cls.browser.console()
        assert said == [], said
        for url in cls.browser.requests():
            assert url.startswith(f"file://{SITE}/") or \
                url.startswith(("data:", "blob:")), url


if __name__ == "__main__":
    if Browser.missing or not (SITE / "index.html").exists():
        print("skipped:", Browser.missing or "no site is built: make docs")
        sys.exit(77)
    unittest.main()
