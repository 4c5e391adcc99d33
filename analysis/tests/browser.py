# SPDX-License-Identifier: GPL-2.0-only
"""A headless Chromium that tests look at a page with: DevTools over two pipes, no package."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 60


def find():
    """Return the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a browser of its own; ``complaints`` collects what its console says.

    So it does what the page asks for next to itself, but for addresses that begin with ``within``.
    """

    def __init__(self, address, width=1200, height=1600, within=None):
        self.address = address
        self.within = within
        self.complaints = []
        self._buffer = b""
        self._number = 0
        self._session = None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        self._process = None
        try:
            self._start(there, back, f"--window-size={width},{height}")
            self._open()
        except BaseException:
            self.close()
            raise

    def _start(self, there, back, size):
        """Start the browser; it reads from ``there`` and writes to ``back``."""
        words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        words += [f"--user-data-dir={self._profile.name}", size]

        def pipes():
            # What DevTools reads is 3 and what it writes 4; first away from both numbers.
            first, second = os.dup2(there, 23), os.dup2(back, 24)
            os.dup2(first, 3)
            os.dup2(second, 4)

        try:
            self._process = subprocess.Popen(
                [find(), *words, "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                close_fds=False,
                preexec_fn=pipes,  # noqa: PLW1509 - no threads here
            )
        finally:
            os.close(there)
            os.close(back)

    def _open(self):
        """Open the page and wait until it is there, while about:blank may be shown still."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.go(self.address)

    def go(self, address):
        """Show another page."""
        self.address = address
        self.call("Page.navigate", url=address)
        self.arrive()

    def arrive(self):
        """Wait until the page at ``address`` is there."""
        end = time.monotonic() + SECONDS
        while self._state() != f"complete {self.address}":
            if time.monotonic() > end:
                raise TimeoutError(f"{self.address} does not load")
            time.sleep(0.02)

    def _state(self):
        """Return how far which page is, or None where the one that was asked is just left."""
        try:
            return self.value("document.readyState + ' ' + location.href")
        except RuntimeError as error:
            if "navigated" not in str(error):
                raise
            return None

    def close(self):
        """End the browser and remove what it left."""
        if self._process:
            self._process.kill()
            self._process.wait()
        for pipe in (self._in, self._out):
            os.close(pipe)
        self._profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, end):
        """Return the next message; note what it complains about."""
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._in, 1 << 20) if ready else b""
            if not data:
                raise TimeoutError("the browser says nothing any more")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(line)
        method, details = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(details["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning"):
            self.complaints.append(details["args"])
        elif method == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.complaints.append(details["entry"])
        elif method == "Network.requestWillBeSent":
            address = details["request"]["url"]
            own = self.within is not None and address.startswith(self.within)
            if address != self.address and not address.startswith("data:") and not own:
                self.complaints.append(f"asks for {address}")
        return message

    def call(self, method, **details):
        """Call DevTools and return its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": details}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self._read(end)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def value(self, expression):
        """Return the value of a JavaScript expression, awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def resize(self, width, height):
        """Give the page a window of this size, however small."""
        size = {"width": width, "height": height}
        self.call("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path):
        """Write what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def pdf(self):
        """Return the page as it prints: PDF, A4 by the page's own style."""
        answer = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(answer["data"])
