"""A test with a person at Chromium: what they type, press and read."""

import os
import re
import select

from Servers.sandbox import SandboxCase

from .chromium import Chromium


class BrowserCase(SandboxCase):
    """Logins whose $BROWSER hands the URL to the Chromium of this test run."""

    def setUp(self):
        super().setUp()
        self.register()
        self.chromium = Chromium.shared(self.sandbox)
        self.driver = self.chromium.driver
        self.addCleanup(self.chromium.forget)
        self.fifo = self.home.directory / "fifo"
        os.mkfifo(self.fifo)
        script = self.home.directory / "browser"
        script.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$1\" >'{self.fifo}'\n")
        script.chmod(0o755)
        self.home.environment["BROWSER"] = str(script)

    # A login

    def start_login(self, *arguments) -> str:
        """Starts a login and opens in Chromium what it asks $BROWSER to open."""
        self.process = self.home.start("login", *arguments)
        self.addCleanup(self.end_login)
        descriptor = os.open(self.fifo, os.O_RDWR)
        try:
            if not select.select([descriptor], [], [], 20)[0]:
                self.fail("no browser was asked for")
            url = os.read(descriptor, 8192).decode().strip()
        finally:
            os.close(descriptor)
        [self.listener] = re.findall(r"\A(http://127\.0\.0\.1:\d+)/start/[0-9a-f]{32}\Z", url)
        self.driver.get(url)
        return url

    def end_login(self):
        self.process.kill()
        self.process.communicate()

    def assertLoginEnds(self, code) -> str:
        out, errors = self.process.communicate(timeout=60)
        self.assertEqual((self.process.returncode, out), (code, b""), errors)
        return errors.decode()

    def assertAddressIsClean(self):
        self.assertNotRegex(self.driver.current_url, "[?&](code|state|iss|error)=")

    # At the page

    def title(self) -> str:
        return self.driver.find_element("tag name", "h1").text

    def sees(self, title):
        """Waits until the page has this title."""
        self.wait(lambda: self.title() == title, f"the page {title!r}")

    def alert(self) -> str:
        """Waits until the page complains, and answers of what."""
        return self.wait(lambda: self.driver.find_element("css selector", "[role=alert]").text,
                         "an alert on the page")

    def wait(self, condition, what):
        """Waits until something holds; pages come and go meanwhile."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.ui import WebDriverWait
        wait = WebDriverWait(
            self.driver, 20, poll_frequency=0.02, ignored_exceptions=[WebDriverException])
        return wait.until(lambda _: condition(), what)

    def type(self, **fields):
        for name, text in fields.items():
            field = self.driver.find_element("name", name)
            field.clear()
            field.send_keys(text)

    def press(self, identifier):
        self.driver.find_element("id", identifier).click()

    def follow(self, text):
        self.driver.find_element("partial link text", text).click()

    def sign_in(self, name="alice", password="wonderland"):
        self.sees("Sign in")
        self.type(username=name, password=password)
        self.press("sign-in")

    def allow(self):
        self.sees("Allow access?")
        self.press("allow")

    def open_tab(self, url):
        self.driver.switch_to.new_window("tab")
        self.driver.get(url)

    def shoot(self, name):
        """Keeps pictures of the page, and fails where it cannot be read."""
        self.assertEqual(self.chromium.shoot(name), [])
