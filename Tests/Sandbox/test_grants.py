"""Logins without a browser on this machine: by hand, and on another device."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.parse

from Servers.client import Client
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SCOPE, SandboxCase
from Servers.sdkctl import BINARY, PERSON

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"


class GrantCase(SandboxCase):
    def adopt(self, *grants, sandbox=None, **members):
        """Takes a client that was registered with these grants too."""
        sandbox = sandbox or self.sandbox
        self.ok("profile", "set", "scope=" + SCOPE)
        answer = Client(sandbox.ca_file).post(sandbox.issuer + "/register", json_body={
            "client_name": "by hand", "redirect_uris": ["http://127.0.0.1:61007/callback"],
            "grant_types": ["authorization_code", "refresh_token", *grants],
            "token_endpoint_auth_method": "client_secret_basic", "scope": SCOPE, **members})
        client = answer.json()
        self.ok("register", "--replace", "--client-id", client["client_id"], "--client-secret-file", "-",
                "--redirect-uri", "http://127.0.0.1:61007/callback",
                input=client["client_secret"])
        return client

    def act(self, url, action="accept"):
        """Does at an URL what a person does; answers the address at which the browser ends."""
        environment = os.environ | {
            "STAND_CA": str(self.sandbox.ca_file), "STAND_ACTION": action,
            "STAND_LAST": str(self.home.directory / "last")}
        subprocess.run([sys.executable, PERSON, url], env=environment, check=True, timeout=30)
        last = self.home.directory / "last"
        return last.read_text() if last.exists() else None


class ManualLoginTests(GrantCase):
    URL = re.compile(rb"https://\S+[?&]state=\S+")

    def setUp(self):
        super().setUp()
        self.adopt()

    def begin(self, *arguments):
        process = self.home.start("login", "--manual", *arguments, stdin=subprocess.PIPE)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if found := self.URL.search(line):
                return process, found[0].decode()
        self.fail("the login ended without an URL")

    def test_the_address_is_carried_over_by_hand(self):
        process, url = self.begin("--json")
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        self.assertEqual(asked["redirect_uri"], "http://127.0.0.1:61007/callback")
        address = self.act(url, "accept")
        self.assertTrue(address.startswith(asked["redirect_uri"] + "?"), address)
        process.stdin.write(address.encode() + b"\n")  # the pipe stays open: one line is enough
        process.stdin.flush()
        self.assertEqual(process.wait(20), 0, process.stderr.read())
        facts = json.loads(process.stdout.read())
        self.assertEqual((facts["slot"], facts["subject"] is None), ("user", False))
        process.communicate()
        self.ok("fetch", "--user", "/devices")

    def test_the_bare_query_is_enough_and_the_bare_code_is_not(self):
        process, url = self.begin()
        query = urllib.parse.urlsplit(self.act(url, "accept")).query
        _, errors = process.communicate(query.encode(), timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        process, url = self.begin()
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(self.act(url, "accept")).query)["code"]
        _, errors = process.communicate(code[0].encode(), timeout=60)
        self.assertEqual(process.returncode, 11, errors)
        self.assertIn(b"has no state", errors)
        self.assertIn(b"the whole address is needed", errors)
        self.assertNotIn(code[0].encode(), errors)

    def test_the_answer_of_another_login_is_refused_once(self):
        _, other = self.begin()
        process, _ = self.begin_second()
        address = self.act(other, "accept")
        _, errors = process.communicate(address.encode(), timeout=60)
        self.assertEqual(process.returncode, 11, errors)
        self.assertIn(b"its state differs", errors)
        self.assertEqual(self.sandbox.requests("token"), 0)

    def begin_second(self):
        first, self.home = self.home, self.new_home()
        self.adopt()
        try:
            return self.begin()
        finally:
            self.addCleanup(first.remove)

    def test_no_line_is_no_answer(self):
        result = self.home.run("login", "--manual")
        self.assertEqual(result.exit, 15, result)
        self.assertIn("no address was given", result.err)
        self.assertFalse(self.home.slot_file().exists())

    def test_on_a_terminal_a_wrong_paste_is_asked_for_again(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "--manual")
        shown = terminal.wait_for(b"address of the browser: ")
        url = self.URL.search(shown)[0].decode()
        terminal.type("https://example.com/\n")
        self.assertIn(b"it leads elsewhere", terminal.wait_for(b"address of the browser: "))
        terminal.type("code=c&state=x\n")
        self.assertIn(b"its state differs", terminal.wait_for(b"address of the browser: "))
        terminal.type(self.act(url, "accept") + "\n")
        code, shown = terminal.end()
        self.assertEqual(code, 0, shown)
        self.ok("fetch", "--user", "/devices")

    def test_on_a_terminal_three_wrong_pastes_are_the_end(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "--manual")
        for _ in range(3):
            terminal.wait_for(b"address of the browser: ")
            terminal.type("x\n")
        code, shown = terminal.end()
        self.assertEqual(code, 11, shown)
        self.assertEqual(shown.count(b"address of the browser: "), 0)

    def test_a_person_gives_up(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "--manual")
        terminal.wait_for(b"address of the browser: ")
        terminal.type("\x03")
        self.assertEqual(terminal.end()[0], -signal.SIGINT)
        process, _ = self.begin()
        process.send_signal(signal.SIGINT)
        process.wait(10)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(self.home.slot_file().exists())

    def test_who_refuses_is_told_so(self):
        process, url = self.begin()
        _, errors = process.communicate(self.act(url, "cancel-sign-in").encode(), timeout=60)
        self.assertEqual(process.returncode, 15, errors)
        self.assertIn(b"access_denied", errors)


class DeviceLoginTests(GrantCase):
    def setUp(self):
        super().setUp()
        self.server = self.own("--device-interval=1", "--device-lifetime=20")
        self.home = self.server.home
        self.adopt(DEVICE, sandbox=self.server)

    @property
    def sandbox(self):
        return getattr(self, "server", None) or super().sandbox

    def begin(self, *arguments):
        process = self.home.start("login", "--device", *arguments)
        self.addCleanup(process.kill)
        self.said = b""
        for line in process.stderr:
            self.said += line
            if found := re.search(rb"https://\S+\?user_code=(\S+)", line):
                return process, found[0].decode()
        self.fail(f"the login ended without an URL: {self.said}")

    def test_a_registered_client_may_use_it_and_exchange_tokens(self):
        self.ok("register", "--replace")
        process, url = self.begin()
        self.act(url)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.ok("token", "--implicit")

    def test_a_person_agrees_elsewhere(self):
        process, url = self.begin("--json")
        code = url.partition("=")[2]
        self.assertIn(b"enter the code " + code.encode(), self.said)
        self.assertIn((self.server.issuer + "/device").encode() + b"\n", self.said)
        self.act(url)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        facts = json.loads(out)
        self.assertEqual((facts["slot"], facts["subject"] is None), ("user", False))
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")

    def test_a_person_refuses_elsewhere(self):
        process, url = self.begin()
        self.act(url, "cancel-consent")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 15, errors)
        self.assertIn(b"access_denied", errors)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_server_that_fails_meanwhile_is_asked_again(self):
        process, url = self.begin()
        self.server.fault("503", "--on", "token")
        self.act(url)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)

    def test_who_comes_too_late_is_told_so(self):
        result = self.home.run("login", "--device", "--timeout", "5")
        self.assertEqual(result.exit, 6, result)
        self.assertIn("the code was not entered in time", result.err)

    def test_an_interrupt_ends_the_wait(self):
        process, _ = self.begin()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_client_without_the_grant_is_refused(self):
        self.adopt(sandbox=self.server)
        result = self.fails(5, "login", "--device")
        self.assertIn("unauthorized_client", result.err)

    def test_a_terminal_gets_a_picture_if_a_program_draws_it(self):
        folder = self.home.directory / "bin"
        folder.mkdir()
        program = folder / "qrencode"
        program.write_text("#!/bin/sh\nprintf '%s ' \"$@\"\nprintf 'PICTURE%s OF ' "
                           "\"$SDKCTL_TOKEN\"\ncat\necho\n")
        self.home.environment["SDKCTL_TOKEN"] = "-not-of-helpers"
        program.chmod(0o755)
        self.home.environment["PATH"] = f"{folder}:{self.home.environment['PATH']}"
        terminal = PseudoTerminal(self.home, BINARY, "login", "--device")
        shown = terminal.wait_for(b"waiting for the other device")
        self.assertRegex(shown, rb"-t UTF8 -o - PICTURE OF https://\S+\?user_code=\S+")
        terminal.type("\x03")
        self.assertEqual(terminal.end()[0], -signal.SIGINT)
        process, _ = self.begin()
        process.kill()
        self.assertNotIn(b"PICTURE", self.said)


class ImplicitTokenTests(GrantCase):
    def setUp(self):
        super().setUp()
        self.adopt(EXCHANGE)
        self.use_person()
        self.ok("login")

    def test_a_fetch_obtains_it_and_keeps_it(self):
        subject = self.jsonOf(self.ok("token", "decode", "--json"))["payload"]["sub"]
        answer = self.jsonOf(self.ok("fetch", "--implicit", "/user-id-decorated"))
        self.assertIn(subject, answer["decorated_user_id"])
        self.ok("fetch", "--implicit", "/user-id-decorated")
        self.assertEqual(self.sandbox.grants("token-exchange"), 1)
        self.assertFailed(self.home.run("fetch", "--implicit", "/devices"), 12)
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_a_token_of_less_scope_is_printed_and_kept_beside_the_stored_one(self):
        kept = self.ok("token").text
        token = self.ok("token", "--scope", "read").text.strip()
        self.assertEqual(self.sandbox.introspect(token)["scope"], "read")
        other = self.jsonOf(self.ok("token", "--scope", "read", "--json"))
        self.assertEqual((other["scope"], other["slot"]), ("read", "user"))
        self.assertEqual(other["accessToken"], token)
        fresh = self.ok("token", "--scope", "read", "--fresh").text.strip()
        self.assertNotEqual(fresh, token)
        self.assertEqual(self.ok("token").text, kept)
        self.assertFalse(self.home.slot_file("implicit").exists())
        result = self.fails(10, "token", "--scope", "read application-details")
        self.assertIn("has not granted 'application-details'", result.err)

    def test_shells_and_curl_read_the_token(self):
        token = self.ok("token").text.strip()
        shells = {"sh": ["sh", "-c"], "fish": ["fish", "--no-config", "-c"]}
        for shell, command in shells.items():
            with self.subTest(shell=shell):
                assignments = self.ok("token", "--env", shell).text
                script = assignments + 'printf "%s %s" "$SDKCTL_ACCESS_TOKEN" "$SDKCTL_ISSUER"'
                words = subprocess.run([*command, script], capture_output=True, text=True,
                                       timeout=30, check=True).stdout.split()
                self.assertEqual(words, [token, self.sandbox.issuer])
        url = self.sandbox.url.rstrip("/") + "/devices"
        answer = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--cacert", self.sandbox.ca_file,
             "--config", "-", url],
            input=self.ok("token", "--curl").text, capture_output=True, text=True, timeout=30)
        self.assertIn("devices", answer.stdout, answer.stderr)

    def test_its_scope_is_what_was_asked_for_and_granted(self):
        facts = self.jsonOf(self.ok("login", "--implicit", "--scope", "read", "--json"))
        self.assertEqual((facts["slot"], facts["scope"], facts["subject"]),
                         ("implicit", "read", None))
        token = self.ok("token", "--implicit").text.strip()
        self.assertEqual(self.sandbox.introspect(token)["scope"], "read")
        result = self.fails(10, "login", "--implicit", "--scope", "read application-details")
        self.assertIn("has not granted 'application-details'", result.err)
        self.ok("profile", "set", "implicitScope=openid", "defaultAccess=implicit")
        self.ok("login", "--implicit")
        token = self.ok("token", "--implicit").text.strip()
        self.assertEqual(self.sandbox.introspect(token)["scope"], "openid")
        self.ok("fetch", "/user-id-decorated")

    def test_a_token_that_the_server_revoked_is_replaced_once(self):
        self.ok("fetch", "--implicit", "/user-id-decorated")
        path = self.home.slot_file("implicit")
        path.write_text(json.dumps(json.loads(path.read_text()) | {"accessToken": "void"}))
        self.ok("fetch", "--implicit", "/user-id-decorated")
        self.assertEqual(self.sandbox.grants("token-exchange"), 2)

    def test_nobody_logged_in_is_9026(self):
        self.ok("logout")
        result = self.fails(4, "fetch", "--implicit", "/user-id-decorated", "--json")
        error = self.jsonError(result)
        self.assertEqual((error["domain"], error["number"]), ("implicit", 9026))
        self.fails(4, "login", "--implicit")
        self.fails(4, "token", "--implicit")

    def test_it_ends_with_its_own_logout_and_with_the_users(self):
        tokens = []
        for slot in ("implicit", "user"):
            self.ok("login", "--implicit")
            tokens.append(self.ok("token", "--implicit").text.strip())
            self.ok("logout", self.home.slot_option(slot))
            self.assertFalse(self.home.slot_file("implicit").exists())
        for token in tokens:
            self.assertFalse(self.sandbox.introspect(token)["active"])

    def test_a_token_from_outside_the_store_is_not_mixed_with_the_stored_user(self):
        self.ok("login", "--implicit", "--scope", "read")
        stored = self.ok("token", "--implicit").text.strip()
        self.home.environment["SDKCTL_TOKEN"] = "from-outside"
        self.assertEqual(self.ok("token").text.strip(), "from-outside")
        for words in (["token", "--implicit"], ["token", "--scope", "read"],
                      ["token", "decode", "--implicit"],
                      ["fetch", "--implicit", "/user-id-decorated"]):
            with self.subTest(words):
                result = self.fails(4, *words)
                self.assertNotIn(stored, result.text + result.err)

    def test_less_scope_takes_the_consent_of_the_profile_without_token_exchange(self):
        self.adopt()
        self.use_person()
        self.ok("login")
        before = self.home.slot_file().read_bytes()
        result = self.fails(4, "token", "--scope", "read")
        self.assertIn("narrowedRefresh", result.err)
        self.assertIn("hint: sdkctl -p sandbox login --implicit --scope read", result.err)
        self.ok("profile", "set", "implicitScope=read")
        self.assertIn("narrowedRefresh", self.fails(4, "fetch", "--implicit", "/devices").err)
        self.assertEqual(self.home.slot_file().read_bytes(), before)

    def test_a_client_without_token_exchange_refreshes_for_less_scope(self):
        self.adopt()
        self.use_person()
        self.ok("login")
        self.ok("profile", "set", "narrowedRefresh=true")
        result = self.ok("login", "--implicit", "--scope", "read")
        self.assertIn("may limit the login to 'read'", result.err)
        token = self.ok("token", "--implicit").text.strip()
        self.assertEqual(self.sandbox.introspect(token)["scope"], "read")
        self.home.expire()
        user = self.ok("token").text.strip()
        self.assertIn("write", self.sandbox.introspect(user)["scope"])
        status = self.sandbox.status()
        self.assertEqual((status["counts"]["grants"]["refresh_token"], status["reuses"]), (2, 0))


class RequestTests(GrantCase):
    """How the request travels, and how its answer comes back."""

    def setUp(self):
        super().setUp()
        self.register()

    def login(self, *arguments):
        self.use_person()
        result = self.ok("login", *arguments)
        [url] = self.home.urls.read_text().splitlines()
        return result, dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))

    def test_a_pushed_request_leaves_a_reference_to_the_browser(self):
        self.ok("profile", "set", "par=true")
        _, asked = self.login("--login-hint", "alice")
        self.assertEqual(set(asked), {"client_id", "request_uri"})
        self.assertEqual(self.sandbox.requests("par"), 1)
        self.assertEqual(self.notes()[0]["forms"]["/sign-in"]["username"], "alice")
        self.ok("fetch", "--user", "/devices")

    def test_an_answer_can_be_posted(self):
        self.ok("profile", "set", "responseMode=form_post")
        for pushed in ("false", "true"):
            with self.subTest(pushed=pushed):
                self.ok("profile", "set", "par=" + pushed)
                _, asked = self.login()
                if pushed == "false":
                    self.assertEqual(asked["response_mode"], "form_post")
                self.assertEqual(self.notes()[-1]["h1"], "You are signed in")
                self.home.urls.unlink()
                self.ok("fetch", "--user", "/devices")

    def test_resource_and_provider_are_named(self):
        _, asked = self.login("--resource", "https://api.example.com/a", "--idp", "house")
        self.assertEqual((asked["resource"], asked["idp"]), ("https://api.example.com/a", "house"))

    def test_a_server_without_the_endpoint_cannot_be_asked(self):
        self.ok("profile", "set", "endpoints.pushedAuthorization=https://localhost:1/par", "par=true")
        self.use_person()
        result = self.home.run("login")
        self.assertNotEqual(result.exit, 0)
        self.assertFalse((self.home.directory / "browser-arguments").exists())


class NarrowedLoginTests(GrantCase):
    """A server that limits the whole login to the scope of a refresh."""

    def setUp(self):
        super().setUp()
        self.one = self.own()
        self.home = self.one.home
        self.adopt(sandbox=self.one)
        self.home.use_browser(self.one)
        self.ok("login")
        self.one.fault("narrowed-rotation")

    def renewed(self):
        self.home.expire()
        result = self.ok("token")
        return result, self.one.introspect(result.text.strip())["scope"].split()

    def test_no_command_narrows_it_by_itself(self):
        self.fails(4, "token", "--scope", "read")
        self.fails(4, "login", "--quiet", "--implicit", "--scope", "read")
        self.ok("profile", "set", "implicitScope=read")
        self.fails(4, "fetch", "--implicit", "/devices")
        result, scope = self.renewed()
        self.assertIn("write", scope)
        self.assertNotIn("warning", result.err)

    def test_it_is_told_where_the_profile_allows_it(self):
        self.ok("profile", "set", "narrowedRefresh=true")
        result = self.ok("token", "--quiet", "--scope", "read")
        self.assertIn("warning: the server replaced the refresh token in a refresh with less scope; "
                      "it may limit the login to 'read' from now on", result.err)
        for _ in range(2):
            result, scope = self.renewed()
            self.assertEqual(scope, ["read"])
            self.assertRegex(result.err, "warning: .* less scope than the login had; missing: .*write")
        self.assertEqual(self.home.unsafe_modes(), [])
