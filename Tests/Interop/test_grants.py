"""Logins at a server that we did not write: on another device, by hand, and by a pushed request."""

import base64
import json
import re
import subprocess
import urllib.parse

from Servers.case import Case
from Servers.glewlwyd import PASSWORD
from Servers.process import free_port
from Servers.sdkctl import BINARY


class GrantCase(Case):
    """A profile with a client that was registered by hand, and alice's browser."""

    def setUp(self):
        super().setUp()
        self.add_profile()
        self.ok("profile", "set", "scope=openid notes")

    def adopt(self, *grants):
        """Takes a client that was registered with these grants, by the names of this server."""
        self.redirect = f"http://127.0.0.1:{free_port()}/callback"
        answer = self.stand.provider.client().post(self.stand.provider.issuer + "/register", json_body={
            "client_name": "by hand", "redirect_uris": [self.redirect],
            "grant_types": ["authorization_code", "refresh_token", *grants],
            "token_endpoint_auth_method": "client_secret_basic"})
        self.assertEqual(answer.status, 200, answer)
        client = answer.json()
        self.ok("register", "--client-id", client["client_id"], "--client-secret-file", "-",
                "--redirect-uri", self.redirect, input=client["client_secret"])
        self.secret = client["client_secret"]
        return client["client_id"]

    def alice(self, client_id, scope="openid notes"):
        """A browser in which alice has signed in and agreed."""
        web, origin = self.stand.provider.client(), self.stand.provider.origin
        signed_in = web.post(origin + "/api/auth/", json_body={
            "username": "alice", "password": PASSWORD})
        self.assertEqual(signed_in.status, 200)
        granted = web.put(f"{origin}/api/auth/grant/{client_id}", json_body={"scope": scope})
        self.assertEqual(granted.status, 200, granted)
        return web


class GrantTests(GrantCase):
    def test_a_person_agrees_on_another_device(self):
        client = self.adopt("device_authorization")
        process = self.home.start("login", "--device", "--json")
        self.addCleanup(process.kill)
        for line in process.stderr:
            if found := re.search(rb"https://\S+code=\S+", line):
                break
        url = found[0].decode()
        answer = self.alice(client).get(url + "&g_continue")
        self.assertEqual(answer.status, 302, answer)
        self.assertIn("deviceComplete", answer.fields["Location"])
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(json.loads(out)["slot"], "user")
        self.ok("fetch", "--user", "/api/me")
        self.home.expire()
        self.ok("fetch", "--user", "/api/me")

    def test_a_code_that_nobody_enters_is_waited_for(self):
        self.adopt("device_authorization")
        result = self.home.run("login", "--device", "--timeout", "5")
        self.assertEqual(result.exit, 6, result)
        self.assertIn("the code was not entered in time", result.err)

    def test_the_answer_is_carried_over_by_hand(self):
        client = self.adopt()
        process = self.home.start("login", "--manual", stdin=subprocess.PIPE)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if found := re.search(rb"https://\S+[?&]state=\S+", line):
                break
        answer = self.alice(client).get(found[0].decode() + "&g_continue")
        _, errors = process.communicate(answer.fields["Location"].encode(), timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.ok("fetch", "--user", "/api/me")

    def begin(self, *arguments, shows):
        return super().begin(rb"https://\S+[?&]%b=\S+" % shows.encode(), "--no-browser", "--timeout", "20",
                             *arguments)

    @staticmethod
    def query(url) -> dict:
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))

    def end(self, process, web, url):
        """Follows the redirects from a URL to the login, which then must succeed."""
        answer = web.get(url)
        self.assertEqual(answer.status, 302, answer)
        while "Location" in answer.fields:
            url = urllib.parse.urljoin(url, answer.fields["Location"])
            answer = web.get(url)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.ok("fetch", "--user", "/api/me")

    def test_a_pushed_request_is_taken(self):
        client = self.adopt()
        self.ok("profile", "set", "par=true")
        process, url = self.begin(shows="request_uri")
        self.assertEqual(set(self.query(url)), {"client_id", "request_uri"})
        self.end(process, self.alice(client), url + "&g_continue")

    def test_a_signed_request_is_taken(self):
        """Signed with the client's key, alone or pushed, or with its secret.

        This server answers 403 to what is pushed and signed with a secret.
        """
        ways = {"private_key_jwt": ["false", "true"], "client_secret_basic": ["false"]}
        for method, choices in ways.items():
            self.ok("register", "--replace", "--auth-method", method)
            for pushed in choices:
                with self.subTest(method, pushed=pushed):
                    self.ok("profile", "set", "jar=true", "par=" + pushed)
                    process, url = self.begin(shows="client_id")
                    web = self.alice(self.query(url)["client_id"])
                    self.end(process, web, url + "&g_continue")

    def test_what_is_granted_beyond_scopes_is_kept(self):
        details = [{"type": "payment", "actions": ["initiate"],
                    "locations": ["https://bank.example"]}]
        for signed in "false", "true":
            with self.subTest(signed=signed):
                self.ok("register", "--replace")
                self.ok("profile", "set", "jar=" + signed)
                process, url = self.begin(
                    "--authorization-details", json.dumps(details), shows="client_id")
                client = self.query(url)["client_id"]
                self.stand.provider.furnish_client(
                    client, authorization_details_types=["payment"])
                web, origin = self.alice(client), self.stand.provider.issuer
                agreed = web.put(f"{origin}/rar/{client}/payment/1")
                self.assertEqual(agreed.status, 200, agreed)
                self.end(process, web, url + "&g_continue")
                [granted] = self.jsonOf(self.ok("token", "--json"))["authorizationDetails"]
                self.assertEqual({name: granted[name] for name in details[0]}, details[0])
                self.home.expire()
                again = self.jsonOf(self.ok("token", "--json"))
                self.assertEqual(again["authorizationDetails"], [granted])

    def test_a_signed_request_that_was_changed_is_refused(self):
        self.ok("register")
        self.ok("profile", "set", "jar=true")
        _, url = self.begin(shows="request")
        asked = self.query(url)
        self.assertEqual(set(asked), {"client_id", "response_type", "scope", "request"})
        header, payload, signature = asked["request"].split(".")
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        changed = json.dumps(claims | {"nonce": "x"}).encode()
        payload = base64.urlsafe_b64encode(changed).rstrip(b"=").decode()
        forged = url.replace(asked["request"], f"{header}.{payload}.{signature}")
        web = self.alice(asked["client_id"])
        refused, taken = web.get(forged + "&g_continue"), web.get(url + "&g_continue")
        self.assertNotIn("code=", refused.fields.get("Location", ""))
        self.assertIn("code=", taken.fields["Location"])

    def test_an_implicit_token_that_is_not_limited_is_refused(self):
        """This server takes no notice of `scope` at a refresh, and exchanges no tokens."""
        self.ok("register")
        self.home.use_browser(self.stand)
        self.ok("login")
        self.ok("profile", "set", "narrowedRefresh=true")
        result = self.fails(11, "login", "--implicit", "--scope", "openid")
        self.assertIn("more scope than was requested", result.err)
        self.assertFalse(self.home.slot_file("implicit").exists())
        self.ok("fetch", "--implicit", "/api/notes")  # as much as the user granted is no surprise
        self.home.expire()
        self.ok("fetch", "--user", "/api/notes")  # the rotated refresh token was kept each time

    def test_a_password_is_passed_on_where_the_profile_allows_it(self):
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register")
        result = self.ok("login", "password", "alice", "--password-file", "-", "--json",
                         input=PASSWORD)
        self.assertEqual(json.loads(result.out)["slot"], "user")
        self.ok("fetch", "--user", "/api/me")
        self.home.expire()
        self.ok("fetch", "--user", "/api/me")
        before = self.home.slot_file().read_bytes()
        result = self.fails(5, "login", "password", "alice", "--password-file", "-",
                            input="wrong horse")
        self.assertNotIn("wrong horse", result.err)
        self.assertEqual(self.home.slot_file().read_bytes(), before)

class SchemeTests(Case):
    """A redirect URI with a scheme of our own, and what concerns people."""

    REDIRECT = "com.example.app:/callback"

    def test_a_browser_hands_the_address_over(self):
        self.add_profile()
        self.ok("profile", "set", "scope=openid notes")
        # Only its administrator may give a client such an address, not the client itself.
        self.assertIn("invalid_redirect_uri", self.fails(
            5, "register", "--redirect-uri", self.REDIRECT).err)
        admin, origin = self.stand.provider.client(), self.stand.provider.origin
        admin.post(origin + "/api/auth/", json_body={"username": "admin", "password": "password"})
        made = admin.post(origin + "/api/client/", json_body={
            "client_id": "desktop", "name": "Desktop", "password": "secret", "enabled": True,
            "confidential": True, "redirect_uri": [self.REDIRECT], "scope": ["openid", "notes"],
            "token_endpoint_auth_method": ["client_secret_basic"],
            "authorization_type": ["code", "refresh_token"]})
        self.assertEqual(made.status, 200, made)
        self.ok("register", "--client-id", "desktop", "--client-secret-file", "-",
                "--redirect-uri", self.REDIRECT, input="secret")
        opener = self.home.directory / "opener"
        opener.write_text(f"#!/bin/sh\nexec '{BINARY}' login respond \"$1\"\n")
        opener.chmod(0o755)
        self.home.use_browser(self.stand, STAND_OPENER=opener)
        self.ok("login", "--scheme")
        self.ok("fetch", "--user", "/api/me")
        self.ok("token")

    def test_no_sign_up_is_announced(self):
        self.add_profile()
        result = self.fails(1, "account", "create")
        self.assertIn("prompt=create", result.err)
        page = self.stand.provider.origin + "/sign-up"
        self.ok("profile", "set", f"accountURL={page}")
        self.assertEqual(self.ok("account", "create", "--no-browser").text, page + "\n")
