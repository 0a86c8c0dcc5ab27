"""The explorer in a browser: every view answers, nothing is fetched.

Frames a second are printed, not judged: they belong to the machine. With
SHOTS=FOLDER pictures of every view are left there.
"""
import base64
import functools
import http.server
import os
import pathlib
import sys
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from browser import Browser  # noqa: E402
from built import PAGE, need, skip  # noqa: E402

CHECKS = (HERE / "checks.js").read_text()
SHOTS = os.environ.get("SHOTS")
STATUS = "document.getElementById('solving-status')?.dataset"
SOLVING = "#solving?n=480&alpha=0.2&fin=0.3&a=40&seed=1&solver={}&speed={}"


def click(name):
    return f"document.getElementById('{name}').click()"


class Explorer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()
        cls.browser.call("/timeouts", {"script": 600000})
        cls.addClassCleanup(cls.browser.__exit__)

    def open(self, hash_, width=1200, height=900, dark=False):
        """A fresh page: the address alone decides."""
        self.browser.devtools(
            "Emulation.setEmulatedMedia", media="", features=[
                {"name": "prefers-color-scheme",
                 "value": "dark" if dark else "light"}])
        self.browser.call("/url", {"url": "about:blank"})
        self.browser.open(str(PAGE) + hash_, width, height)

    def text(self, name):
        return self.browser.script(
            f"return document.getElementById('{name}').textContent")

    def until(self, text):
        self.browser.until("return " + text)

    def shot(self, name):
        if not SHOTS:
            return
        size = self.browser.script("return [document.documentElement."
                                   "scrollWidth, document.documentElement.scrollHeight]")
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride", width=size[0],
            height=size[1], deviceScaleFactor=1, mobile=False)
        self.browser.script("return new Promise((r) => requestAnimationFrame("
                            "() => requestAnimationFrame(r)))")
        with open(pathlib.Path(SHOTS) / f"{name}.png", "wb") as file:
            file.write(base64.b64decode(self.browser.call("/screenshot")))

    def looked_at(self, name, hash_, ready):
        """Both widths, both themes: no fault of checks.js."""
        for width, height, dark in ((1200, 900, False), (390, 844, True),
                                    (1200, 900, True), (390, 844, False)):
            self.open(hash_, width, height, dark)
            self.until(ready)
            kind = f"{name}-{width}-{'dark' if dark else 'light'}"
            self.assertEqual(self.browser.script(CHECKS), [], kind)
            self.shot(kind)

    def solve(self, solver, speed=240):
        self.open(SOLVING.format(solver, speed))
        self.until(STATUS + ".outcome === 'running'")
        self.browser.script(click("play"))
        self.until(STATUS + ".outcome !== 'running'")
        return self.browser.script(f"return {{...{STATUS}}}")

    # ---- solving

    def test_solving_to_the_end(self):
        self.assertEqual(self.solve("sbpi"), {"outcome": "solved", "step": "26"})
        self.assertEqual(self.text("solving-status"),
                         "SBPI: solved after 26 sweeps.")
        for solver in ("rbp", "amp"):
            self.assertEqual(self.solve(solver)["outcome"], "solved", solver)

    def test_decimation_to_the_end(self):
        self.assertEqual(self.solve("bpd"), {"outcome": "solved", "step": "480"})

    def test_frames(self):
        self.open(SOLVING.format("amp", 12))
        self.until(STATUS + ".outcome === 'running'")
        self.browser.script(click("play"))
        self.until(f"Number({STATUS}.step) >= 24")
        self.browser.script(click("play"))
        self.until("document.querySelector('.view').dataset.fps")
        print("frames a second, N = 480, 12 steps a second:", self.browser.script(
            "return document.querySelector('.view').dataset.fps"), flush=True)

    def test_keys(self):
        self.open(SOLVING.format("sbpi", 12))
        self.until(STATUS + ".outcome === 'running'")
        press = ("document.body.dispatchEvent(new KeyboardEvent('keydown',"
                 "{{key: '{}', bubbles: true}}))")
        self.browser.script(press.format("ArrowRight"))
        self.until(STATUS + ".step === '1'")
        self.browser.script(press.format("r"))
        self.until(STATUS + ".step === '0'")
        self.browser.script(press.format("3"))
        self.until("document.getElementById('solving-status').textContent"
                   ".startsWith('AMP')")
        self.assertIn("solver=amp", self.browser.script("return location.hash"))

    def test_solving_looks(self):
        self.looked_at("solving", SOLVING.format("sbpi", 12),
                       STATUS + ".outcome === 'running'")

    # ---- the page itself

    def test_nothing_is_fetched(self):
        self.assertEqual(self.browser.console(), [])
        for url in self.browser.requests():
            self.assertRegex(url, r"^(file://.*/explorer\.html(#.*)?$"
                                  r"|data:|blob:null/)")

    def test_from_a_server(self):
        asked = []

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                asked.append(self.path)

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(
                Quiet, directory=PAGE.parent)) as server:
            threading.Thread(target=server.serve_forever).start()
            self.browser.call("/url", {
                "url": f"http://127.0.0.1:{server.server_port}/explorer.html"
                       + SOLVING.format("sbpi", 240)})
            self.until(STATUS + ".outcome === 'running'")
            self.browser.script(click("play"))
            self.until(STATUS + ".outcome !== 'running'")
            server.shutdown()
        self.assertEqual(self.browser.script(f"return {STATUS}.step"), "26")
        self.assertEqual(asked, ["/explorer.html"])


if __name__ == "__main__":
    need("emcc")
    if Browser.missing:
        skip(Browser.missing)
    unittest.main()
