"""`sdkctl login` with a person at Chromium."""

import contextlib
import json
import urllib.parse

from Servers.http_server import Handler, HTTPServer

from .person import BrowserCase


class LoginTests(BrowserCase):
    def test_a_person_signs_in_and_agrees(self):
        self.start_login()
        self.sign_in()
        self.allow()
        self.sees("You are signed in")
        self.assertAddressIsClean()
        self.assertIn("logged alice in", self.assertLoginEnds(0))
        self.ok("fetch", "--user", "/devices")

    def test_the_page_waits_for_the_exchange_and_then_has_the_final_word(self):
        self.sandbox.fault("latency", "--on", "token")
        self.start_login()
        self.sign_in()
        self.allow()
        self.sees("Authorization received")
        self.assertAddressIsClean()
        self.assertIsNone(self.process.poll())
        self.shoot("listener-received")
        self.sees("You are signed in")
        self.assertAddressIsClean()
        self.shoot("listener-signed-in")
        self.assertLoginEnds(0)

    def test_the_page_tells_when_the_exchange_failed(self):
        self.sandbox.fault("bad-signature")
        self.start_login()
        self.sign_in()
        self.allow()
        self.sees("The login failed")
        self.assertAddressIsClean()
        self.shoot("listener-failed")
        self.assertLoginEnds(11)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_wrong_password_is_asked_for_again(self):
        self.start_login()
        self.sign_in(password="rabbit hole")
        self.assertIn("do not fit", self.alert())
        name = self.driver.find_element("name", "username")
        self.assertEqual(name.get_attribute("value"), "alice")
        self.sign_in()
        self.allow()
        self.sees("You are signed in")
        self.assertLoginEnds(0)

    def test_cancelled_at_the_consent(self):
        self.start_login()
        self.sign_in()
        self.sees("Allow access?")
        self.press("cancel")
        self.sees("The login was cancelled")
        self.assertAddressIsClean()
        self.shoot("listener-cancelled")
        self.assertIn("access_denied", self.assertLoginEnds(15))
        self.assertEqual(self.sandbox.requests("token"), 0)

    def test_a_browser_that_knows_the_person_asks_for_nothing(self):
        self.start_login()
        self.sign_in()
        self.allow()
        self.sees("You are signed in")
        self.assertLoginEnds(0)
        self.start_login("--prompt", "none")
        self.sees("You are signed in")
        self.assertLoginEnds(0)
        self.assertEqual(self.sandbox.grants("authorization_code"), 2)

    def test_a_browser_that_knows_the_person_gives_a_token_of_less_scope(self):
        self.start_login()
        self.sign_in()
        self.allow()
        self.sees("You are signed in")
        self.assertLoginEnds(0)
        # As from a server that gives no refresh token and exchanges nothing.
        metadata = self.home.store / "cache/issuers"
        for path in [self.home.slot_file(), *metadata.iterdir()]:
            document = json.loads(path.read_text())
            document.pop("refreshToken", None)
            text = json.dumps(document).replace("urn:ietf:params:oauth:grant-type:token-exchange", "")
            path.write_text(text)
        self.start_login("--implicit", "--scope", "read")
        self.sees("You are signed in")
        self.assertLoginEnds(0)
        token = self.ok("token", "--implicit").text.strip()
        self.assertEqual(set(self.sandbox.introspect(token)["scope"].split()), {"openid", "read"})

    def test_a_new_person_signs_up(self):
        self.start_login("--prompt", "create")
        self.sees("Create an account")
        self.type(name="Carol", username="carol", password="looking-glass")
        self.press("sign-up")
        self.sees("Allow access?")
        self.assertIn("Carol", self.driver.page_source)
        self.press("allow")
        self.sees("You are signed in")
        self.assertLoginEnds(0)


class ListenerTests(BrowserCase):
    """What else a browser may send to the listener: none of it ends the login."""

    def assertLoginGoesOn(self):
        self.assertIsNone(self.process.poll())
        self.driver.switch_to.window(self.driver.window_handles[0])
        self.sign_in()
        self.allow()
        self.sees("You are signed in")
        self.assertLoginEnds(0)

    def test_a_favicon_and_a_second_tab(self):
        self.start_login()
        self.open_tab(self.listener + "/favicon.ico")
        self.assertEqual(self.title(), "Not found")
        self.open_tab(self.listener + "/")
        self.assertEqual(self.title(), "Not found")
        self.shoot("listener-nothing")
        self.open_tab(self.listener + "/callback")
        self.assertEqual(self.title(), "This is not the expected response")
        self.shoot("listener-foreign")
        self.assertLoginGoesOn()

    def test_the_login_page_opened_twice(self):
        url = self.start_login()
        self.sees("Sign in")
        page = self.driver.current_url
        self.open_tab(page)
        self.sees("Sign in")
        self.open_tab(url)
        self.assertEqual(self.title(), "This address was already used")
        self.shoot("listener-used")
        self.assertLoginGoesOn()

    def test_an_error_forged_by_another_page(self):
        self.start_login()
        forged = self.listener + "/callback?error=access_denied"
        forgery = FORGERY.replace("FORGED", forged)
        with served(forgery) as url:
            self.open_tab(url)
            self.assertEqual(self.outcome(), "kept back")
            # The requests did reach the listener, and it refused them all.
            self.assertEqual(set(self.chromium.statuses(forged)), {400})
        self.open_tab("data:text/html," + urllib.parse.quote(forgery))
        self.assertEqual(self.outcome(), "kept back")
        # Chromium may keep such a page from addresses of this machine.
        self.assertLessEqual(set(self.chromium.statuses(forged)), {400})
        self.open_tab(forged + "&state=")
        self.assertEqual(self.title(), "This is not the expected response")
        self.assertLoginGoesOn()

    def outcome(self) -> str:
        """What the open page could see of its own request, once that is over."""
        return self.wait(lambda: self.driver.execute_script("return window.outcome"),
                         "the end of the forgery")


FORGERY = """<!doctype html><title>Cats</title><h1>Cats</h1>
<img src='FORGED' alt=''><iframe src='FORGED'></iframe>
<script>fetch('FORGED', {mode: 'no-cors'})
.then(() => window.outcome = 'read', () => window.outcome = 'kept back')</script>"""


@contextlib.contextmanager
def served(page):
    """The URL of a page of another server on this machine."""

    class Page(Handler):
        def do_GET(self):
            self.respond(200, page.encode(), "text/html; charset=utf-8")

    server = HTTPServer(Page).start()
    try:
        yield server.url
    finally:
        server.stop()
