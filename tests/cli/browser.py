"""A browser without a window, driven through chromedriver's HTTP interface."""
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1"]


class Browser:
    """One session; use as a context. `missing` says what is not installed."""

    missing = next((f"{name} is not installed" for name in
                    ("chromium", "chromedriver") if not shutil.which(name)),
                   None)

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        for line in self.driver.stdout:  # it says when it listens, and where
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        self.root = f"http://127.0.0.1:{found[1]}"
        options = {"binary": shutil.which("chromium"), "args": FLAGS + [
            f"--user-data-dir={self.profile.name}"]}
        self.root += "/session/" + self.call("/session", {
            "capabilities": {"alwaysMatch": {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL",
                                      "performance": "ALL"}}}})["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            self.profile.cleanup()

    def call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path, data, {"Content-Type": "application/json"},
            method=method)
        with urllib.request.urlopen(request, timeout=1800) as answer:
            return json.load(answer)["value"]

    def open(self, path, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width,
                      height=height, deviceScaleFactor=1, mobile=False)
        self.call("/url", {"url": "file://" + path})

    def devtools(self, command, **parameters):
        return self.call("/goog/cdp/execute",
                         {"cmd": command, "params": parameters})

    def script(self, text, *args):
        return self.call("/execute/sync", {"script": text, "args": args})

    def until(self, text):
        """Waits until the script answers true."""
        return self.call("/execute/async", {"args": [], "script": (
            "const done = arguments[0]; (function again() {"
            f"if ((() => {{ {text} }})()) done(true);"
            "else requestAnimationFrame(again); })()")})

    def pointer(self, *steps):
        """(x, y) moves; "down" and "up" press and release."""
        actions = [{"type": "pointerMove", "duration": 0, "x": s[0], "y": s[1]}
                   if isinstance(s, tuple) else
                   {"type": "pointer" + s.capitalize(), "button": 0}
                   for s in steps]
        self.call("/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "actions": actions,
             "parameters": {"pointerType": "mouse"}}]})

    def console(self):
        """Messages of our pages, not of the browser's own first one."""
        said = [e["message"] for e in self.call("/se/log", {"type": "browser"})]
        return [text for text in said if not text.startswith("chrome://")]

    def requests(self):
        """Addresses that pages from files asked for."""
        found = []
        for entry in self.call("/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent" and message[
                    "params"]["documentURL"].startswith("file:"):
                found.append(message["params"]["request"]["url"])
        return found
