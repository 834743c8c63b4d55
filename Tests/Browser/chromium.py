"""Chromium without a screen, driven by selenium from a virtual environment under .build/."""

import atexit
import json
import os
import shutil
import tempfile

from Servers.stand import ARTEFACTS
from Servers.virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("browser")
SCREENSHOTS = ARTEFACTS / "browser"


class Chromium:
    """One browser for a test run. It trusts the sandbox's key and, as always, the system's CAs."""

    _shared = None

    def __init__(self, sandbox):
        ENVIRONMENT.use()
        from selenium import webdriver

        self.profile = tempfile.mkdtemp(prefix="sdkctl-chromium.")
        atexit.register(self.close)
        options = webdriver.ChromeOptions()
        options.binary_location = program("chromium")
        [leaf, *_] = sandbox.facts["pins"]
        for word in ("headless=new", f"user-data-dir={self.profile}", "disable-dev-shm-usage",
                     "no-first-run", "hide-scrollbars",
                     # The one key that is trusted beside the system's authorities.
                     f"ignore-certificate-errors-spki-list={leaf.removeprefix('sha256/')}"):
            options.add_argument("--" + word)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        service = webdriver.ChromeService(
            executable_path=program("chromedriver"), log_output=f"{self.profile}/driver.log")
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_page_load_timeout(30)

    @classmethod
    def shared(cls, sandbox) -> "Chromium":
        if cls._shared is None:
            cls._shared = cls(sandbox)
        return cls._shared

    def close(self):
        if hasattr(self, "driver"):
            self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def forget(self):
        """Closes all tabs but one, and drops cookies and emulations."""
        first, *others = self.driver.window_handles
        for tab in others:
            self.driver.switch_to.window(tab)
            self.driver.close()
        self.driver.switch_to.window(first)
        self.driver.get("about:blank")
        self.order("Network.clearBrowserCookies")
        self.order("Emulation.clearDeviceMetricsOverride")
        self.order("Emulation.setEmulatedMedia", features=[])

    def order(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def statuses(self, url) -> list:
        """The statuses with which requests for this URL were answered since the last call."""
        entries = [json.loads(entry["message"])["message"]
                   for entry in self.driver.get_log("performance")]
        asked = {entry["params"]["requestId"] for entry in entries
                 if entry["method"] == "Network.requestWillBeSent"
                 and entry["params"]["request"]["url"] == url}
        return [entry["params"]["statusCode"] for entry in entries
                if entry["method"] == "Network.responseReceivedExtraInfo"
                and entry["params"]["requestId"] in asked]

    # Looking at a page

    def shoot(self, name) -> list:
        """Keeps the page as pictures, light and dark, on a desk and in a hand.

        Answers what is hard to read in them: texts of low contrast, and what sticks out.
        """
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        troubles = []
        for size, width, height in (("desk", 1000, 760), ("hand", 360, 740)):
            self.order("Emulation.setDeviceMetricsOverride", width=width, height=height,
                       deviceScaleFactor=1, mobile=False)
            for scheme in ("light", "dark"):
                self.order("Emulation.setEmulatedMedia", features=[
                    {"name": "prefers-color-scheme", "value": scheme}])
                troubles += [f"{name} {size} {scheme}: {trouble}"
                             for trouble in self.driver.execute_script(TROUBLES)]
                self.driver.save_screenshot(str(SCREENSHOTS / f"{name}-{size}-{scheme}.png"))
        self.order("Emulation.clearDeviceMetricsOverride")
        return troubles


def program(name) -> str:
    path = shutil.which(name)
    if path is None:
        raise FileNotFoundError(f"{name} is missing: Tests/install-packages test")
    return path


# Contrast as WCAG 2.2 counts it (1.4.3: 4.5 to 1), of every element that has text of its own.
TROUBLES = """
const colour = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
  .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const ground = element => {
  for (let e = element; e; e = e.parentElement) {
    const c = colour(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
};
const troubles = [];
const edge = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > edge) troubles.push('the page is too wide');
for (const element of document.body.querySelectorAll('*')) {
  const texts = [...element.childNodes].filter(n => n.nodeType === 3 && n.data.trim());
  if (!texts.length) continue;
  const label = JSON.stringify(texts[0].data.trim().slice(0, 40));
  const [a, b] = [light(colour(getComputedStyle(element).color)), light(ground(element))];
  const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (contrast < 4.5) troubles.push(label + ' has a contrast of ' + contrast.toFixed(1));
  const box = element.getBoundingClientRect();
  if (box.left < 0 || box.right > edge + .5) troubles.push(label + ' sticks out');
  if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
    troubles.push(label + ' is cut off');
}
return troubles;
"""
