"""The report page in a browser: no errors, no network, plots that answer."""
import re
import unittest

from browser import Browser
from harness import main
from sweeping import SweepCase

FIRST = "document.querySelector('.panel')"
CANVAS = FIRST + ".querySelector('.u-wrap canvas').toDataURL()"


@unittest.skipIf(Browser.missing, Browser.missing)
class Page(SweepCase):
    def page(self):
        folder = self.experiment(instances=12)
        with open(self.path("toy/plan")) as f:  # two series in a panel
            plan = f.read().replace("noise = 0.5", "noise = 0.5 1")
        self.path("toy/plan", plan)
        self.path("toy/claims", "")
        self.sweep(folder, "out", status=0)
        with open(self.path("out/index.html")) as f:
            self.live = "<script>" in f.read()
        return self.path("out/index.html")

    def started(self, browser):
        browser.script(FIRST + ".scrollIntoView({behavior: 'instant',"
                       "block: 'center'})")
        browser.until("return " + FIRST + ".querySelector('.u-over')")
        return browser.script(
            "const r = " + FIRST + ".querySelector('.u-over')"
            ".getBoundingClientRect();"
            "return [r.left, r.top, r.width, r.height]")

    def test_in_a_browser(self):
        page = self.page()
        with Browser() as browser:
            for width, height in ((1200, 900), (390, 844)):
                browser.open(page, width, height)
                self.assertLessEqual(browser.script(
                    "return document.documentElement.scrollWidth"), width)
                if self.live:
                    self.hover(browser)
                    self.toggle(browser)
                    self.zoom(browser)
                self.printed(browser)
            self.assertEqual(browser.console(), [])
            requests = browser.requests()
            self.assertEqual(len([u for u in requests if u[:4] == "file"]), 2)
            for url in requests:
                self.assertRegex(url, r"^(file:///.*/out/index\.html$|data:)")

    def hover(self, browser):
        """A walk over the plot meets points, and is told values and errors."""
        left, top, width, height = self.started(browser)
        told = set()
        for y in range(20, int(height), 36):
            for x in range(20, int(width), 36):
                browser.pointer((int(left) + x, int(top) + y))
                told.add(browser.script(
                    "const t = " + FIRST + ".querySelector('.tip');"
                    "return t.hidden ? '' : t.innerText"))
        self.assertTrue(any(re.search(r"y: .*\d ± \d", t) for t in told), told)

    def toggle(self, browser):
        """A click on the legend takes a series away, another brings it back."""
        before = browser.script("return " + CANVAS)
        self.assertEqual(browser.script(
            "return " + FIRST + ".querySelectorAll('.entry').length"), 2)
        browser.script(FIRST + ".querySelector('.entry').click()")
        browser.until(f"return {CANVAS} !== {before!r}")
        browser.script(FIRST + ".querySelector('.entry').click()")
        browser.until(f"return {CANVAS} === {before!r}")

    def zoom(self, browser):
        left, top, width, height = self.started(browser)
        at = [(int(left + width * f), int(top + height * f)) for f in
              (0.2, 0.5, 0.7)]
        before = browser.script("return " + CANVAS)
        browser.pointer(at[0], "down", at[1], at[2], "up")
        browser.until(f"return {CANVAS} !== {before!r}")
        browser.pointer(at[1], "down", "up", "down", "up")
        browser.until(f"return {CANVAS} === {before!r}")

    def printed(self, browser):
        """On paper stand the plain pictures."""
        browser.devtools("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(browser.script(
            "return [...document.querySelectorAll('.picture, .panels')]"
            ".map((e) => e.className.split(' ')[0] + ' '"
            " + getComputedStyle(e).display).sort()"),
            (["panels none"] if self.live else []) + ["picture block"])
        browser.devtools("Emulation.setEmulatedMedia", media="")
        self.assertTrue(browser.call("/print", {}).startswith("JVBER"))


if __name__ == "__main__":
    main()
