"""The explorer in a browser: every view answers, nothing is fetched.

Frames a second are printed, not judged: they belong to the machine and its
load. What is judged is the CPU time that the page takes for a frame. With
SHOTS=FOLDER pictures of every view are left there.
"""
import base64
import functools
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from browser import Browser  # noqa: E402
from built import PAGE, need, skip  # noqa: E402
from harness import bperc  # noqa: E402

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
        """At normal speed the main thread has room for 60 frames a second."""
        self.open(SOLVING.format("amp", 12))
        self.until(STATUS + ".outcome === 'running'")
        self.until("document.querySelector('.view .progress').hidden")
        self.browser.devtools("Performance.enable", timeDomain="threadTicks")
        before = self.cpu_seconds()
        self.browser.script(click("play"))
        self.until(STATUS + ".outcome !== 'running'")
        self.until("document.querySelector('.view').dataset.fps")
        fps, frames = self.browser.script(
            "const d = document.querySelector('.view').dataset;"
            "return [d.fps, Number(d.frames)]")
        cost = 1000 * (self.cpu_seconds() - before) / frames
        print(f"N = 480, 12 steps a second: {fps} frames a second; {frames} "
              f"frames, {cost:.2f} ms of CPU time each (60 a second leave "
              "16.67 ms)", flush=True)
        self.assertGreater(cost, 0)
        self.assertLess(cost, 1000 / 60)

    def cpu_seconds(self):
        """Of the main thread of the page."""
        found = self.browser.devtools("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in found if m["name"] == "TaskDuration")

    def test_stop_of_the_order(self):
        """N = 2000: minutes for BPD's order; it stops, the solver goes on."""
        self.open("#solving?n=2000&alpha=0.2&fin=0.3&a=40&seed=1&solver=sbpi"
                  "&speed=240")
        self.until(STATUS + ".outcome === 'running' && document.querySelector("
                   "'.view .progress progress').value > 0")
        self.browser.script(
            "document.querySelector('.view .progress button').click()")
        self.until("/^Stopped/.test(document.getElementById('order')"
                   ".textContent)")
        self.browser.script(click("play"))
        self.until(STATUS + ".outcome === 'solved'")

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
        """At the end of a run, in the colours of decimation's order."""
        ends = ("(() => { const s = " + STATUS + "; if (!s?.outcome) return;"
                "if (s.outcome === 'running' && s.step === '0' && !self.begun) {"
                "self.begun = true;" + click("play") + "}"
                "return s.outcome === 'solved' && document.querySelector("
                "'.view .progress').hidden; })()")
        self.looked_at("solving", SOLVING.format("sbpi", 240), ends)

    # ---- solution spaces

    SPACE = "#space?n={}&alpha={}&fin=0.3&a=12&seed={}"
    MAPPED = "document.getElementById('space-status')?.dataset.ready === 'mapped'"

    def test_space(self):
        n, alpha, seed = 40, 0.5, 3
        self.open(self.SPACE.format(n, alpha, seed))
        self.until(self.MAPPED)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.txt")
            bperc("generate", "--n", n, "--alpha", alpha, "--fin", 0.3, "--a",
                  12, "--seed", seed, "--out", path)
            there = json.loads(bperc("enumerate", path, "--json")[1])
            steps = json.loads(bperc("decimate", path, "--marginals", "exact",
                                     "--json")[1])["steps"]
        self.assertEqual(self.browser.script(
            "return document.getElementById('space-status').dataset.count"),
            there["count"])
        self.assertEqual(int(self.text("space-clusters")),
                         there["clusters"]["count"])
        self.assertAlmostEqual(float(self.text("space-x")),
                               there["clusters"]["parisi_x"], places=3)
        for fixed in (1, 7):
            self.set_number("fixed", fixed)
            self.until("document.getElementById('space-status').dataset.fixed"
                       f" === '{fixed}'")
            self.assertEqual(int(self.text("space-clusters")),
                             steps[fixed]["clusters"])
            self.assertAlmostEqual(float(self.text("space-same")),
                                   steps[fixed]["q_same"], places=3)
        before = self.text("chosen")
        left, top, width, height = self.browser.script(
            "const c = document.querySelector('canvas.map'); c.scrollIntoView();"
            "const r = c.getBoundingClientRect();"
            "return [r.left, r.top, r.width, r.height]")
        for part in (0.4, 0.5, 0.6, 0.35, 0.65):
            self.browser.pointer((int(left + part * width),
                                  int(top + part * height)), "down", "up")
        self.until("document.getElementById('chosen').textContent !== "
                   + json.dumps(before))
        self.assertRegex(self.text("chosen"), r"Solution \d+ of \d+: \d+ neighb")
        self.assertRegex(self.browser.script("return location.hash"),
                         r"fixed=7&solution=\d+")

    def set_number(self, name, value):
        self.browser.script(
            f"const e = document.querySelector('.view:not([hidden]) [id^={name}-]');"
            f"e.value = {value}; e.dispatchEvent(new Event('change'))")

    def test_large_space(self):
        self.open("#space?n=50&alpha=0.36&fin=0.3&a=12&seed=3")
        self.until("document.getElementById('space-status')?.dataset.ready"
                   " === 'counted'")
        self.assertEqual(self.browser.script(
            "return document.getElementById('space-status').dataset.count"),
            "6925485")

    def test_stop(self):
        """A search of hours ends at once; the page goes on."""
        self.open("#space?n=50&alpha=0.1&fin=0.3&a=4&seed=3")
        self.until("/Searching: /.test(document.getElementById('space-status')"
                   "?.textContent)")
        self.browser.script("document.querySelector('.progress button').click()")
        self.until("/^Stopped/.test(document.getElementById('space-status')"
                   ".textContent)")
        self.set_number("n", 25)
        self.set_number("alpha", 0.5)
        self.until("document.getElementById('space-status').dataset.ready")

    def test_space_looks(self):
        self.looked_at("space", self.SPACE.format(40, 0.5, 3) + "&fixed=2",
                       self.MAPPED + " && document.getElementById("
                       "'space-status').dataset.fixed === '2'")

    # ---- theory

    THEORY = "#theory?a=12&fin=0.5&alpha=0.3&n=30&seed=1"
    SOLVED = ("document.getElementById('theory-status')?.dataset.ready && "
              "document.getElementById('measured').dataset.ready")

    def test_theory(self):
        self.open(self.THEORY)
        self.until(self.SOLVED)
        self.assertEqual(self.browser.script(
            "return document.getElementById('theory-status').dataset.capacity"),
            "0.50331298")
        self.assertIn("0.2056", self.text("theory-status"))
        self.assertRegex(self.text("measured"), r"has [\d\u202f]+ solutions")
        self.assertEqual(self.browser.script("return location.hash"),
                         self.THEORY)

    def test_theory_looks(self):
        self.looked_at("theory", self.THEORY, self.SOLVED)

    # ---- own data

    FITTED = "document.getElementById('data-status')?.dataset.ready"

    def fit(self, table):
        self.browser.script(
            f"document.getElementById('table').value = {json.dumps(table)};"
            "document.getElementById('data-status').dataset.ready = '';"
            + click("fit"))
        self.until(self.FITTED)
        return self.text("data-status")

    def test_data(self):
        self.open("#data?seed=1")
        self.until(self.FITTED)
        self.assertIn("No errors on 12 rows", self.text("data-status"))
        self.assertIn("No errors on 4 rows", self.fit("1 110\n0 001\n1 101\n0 010"))
        self.assertEqual(self.browser.script(
            "return [...document.querySelectorAll('.weights > span')]"
            ".map((e) => e.textContent)"),
            ["x1: weight 1", "x2: weight 0", "x3: weight 0"])
        self.assertIn("1 error cannot be avoided",
                      self.fit("label,a,b\n1,1,0\n0,1,0\n1,1,1\n0,0,0\n"))
        self.assertIn("table:3: ", self.fit("label,a,b\n1,1,0\n0,1\n"))
        link = self.browser.script("return location.hash")
        self.open(link)
        self.until(self.FITTED)
        self.assertIn("table:3: ", self.text("data-status"))

    def test_data_looks(self):
        self.looked_at("data", "#data?seed=1", self.FITTED)

    # ---- the page itself

    def test_other_view(self):
        """Views are kept while another one is looked at."""
        self.open(SOLVING.format("sbpi", 240))
        self.until(STATUS + ".outcome === 'running'")
        self.browser.script(click("play"))
        self.until(STATUS + ".outcome === 'solved'")
        self.browser.script(click("tab-data"))
        self.until(self.FITTED)
        self.browser.script(click("tab-solving"))
        self.until("location.hash.includes('solver=sbpi')")
        self.assertEqual(self.text("solving-status"),
                         "SBPI: solved after 26 sweeps.")

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
