"""The life of a token: handed out, refreshed once for all, stale, and never in an argument list."""

import base64
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from Servers import kills
from Servers.case import Case
from Servers.documents import find
from Servers.relay import Relay

REFRESHED = "Refresh token generated"
TOKEN_PATH = "/api/oidc/token"


class TokenTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.events = self.stand.provider.events()

    def test_a_valid_token_is_answered_as_it_is(self):
        first = self.ok("token").out
        self.assertEqual(self.ok("token").out, first)
        self.assertEqual(self.events.count(REFRESHED), 0)

    def test_the_forms_agree(self):
        token = self.ok("token").text.strip()
        self.assertEqual(self.ok("token", "--header").text, f"Authorization: Bearer {token}\n")
        document = self.jsonOf(self.ok("token", "--json"))
        self.assertIn(token, document.values())

    def test_decode_shows_what_the_token_says(self):
        token = self.ok("token").text.strip()
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        stored = self.ok("token", "decode", "--json")
        file = self.home.directory / "jwt"
        file.write_text(token + "\n")
        for result in (stored, self.ok("token", "decode", "--json", file),
                       self.ok("token", "decode", "--json", "-", input=token)):
            self.assertEqual(result.out, stored.out)
            self.assertIn(claims, [self.jsonOf(result), *self.jsonOf(result).values()])
        self.assertIn(claims["jti"], self.ok("token", "decode").text)

    def test_an_expired_token_is_refreshed_and_rotated(self):
        old, before = self.ok("token").text, self.home.slot_file().read_text()
        self.home.expire()
        new = self.ok("token").text
        self.assertNotEqual(new, old)
        self.assertEqual(self.events.count(REFRESHED), 1)
        after = self.home.slot_file().read_text()
        self.assertNotEqual(refresh_token(after), refresh_token(before))
        self.assertEqual(self.ok("token").text, new)
        self.assertTrue(self.stand.provider.introspect(new.strip())["active"])
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_min_ttl_and_fresh_refresh_once_each(self):
        first = self.ok("token").text
        second = self.ok("token", "--min-ttl", "3600").text
        third = self.ok("token", "--fresh").text
        self.assertEqual(len({first, second, third}), 3)
        self.assertEqual(self.events.count(REFRESHED), 2)

    def test_fetch_refreshes_an_expired_token(self):
        self.home.expire()
        self.ok("fetch", "--user", "/api/me")
        self.assertEqual(self.events.count(REFRESHED), 1)

    def test_fetch_refreshes_and_repeats_after_401(self):
        log = self.stand.gateway.requests()
        self.revoke_access(self.ok("token").text.strip())
        self.ok("fetch", "--user", "/api/me")
        self.assertEqual((log.count(" 401 "), log.count(" 200 ")), (1, 1))
        self.assertEqual(self.events.count(REFRESHED), 1)

    def test_a_stale_refresh_token_asks_for_a_login(self):
        stale = self.home.slot_file().read_bytes()
        self.ok("token", "--fresh")
        self.home.slot_file().write_bytes(stale)
        self.home.expire()
        result = self.fails(4, "token")
        self.assertIn("login", result.hint)
        # Glewlwyd refuses without a word (400, no body), so nothing is thrown away for it.
        self.assertIn(refresh_token(stale.decode()), self.home.slot_file().read_text())
        self.fails(4, "fetch", "--user", "/api/me")
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("token")

    def test_a_hundred_processes_make_one_refresh(self):
        """Each piece of the answer is late, so that many find the token expired."""
        relay = Relay(self.stand.provider.port, 0.3).start()
        self.addCleanup(relay.stop)
        old = self.ok("token").text
        self.ok("profile", "set", f"endpoints.token=https://localhost:{relay.port}{TOKEN_PATH}")
        self.home.forget_endpoints()
        self.home.expire()
        with ThreadPoolExecutor(100) as pool:
            results = list(pool.map(lambda _: self.home.run("token", timeout=120), range(100)))
        self.assertEqual({(result.exit, result.out, result.errors) for result in results},
                         {(0, results[0].out, b"")})
        self.assertNotEqual(results[0].text, old)
        self.assertTrue(self.stand.provider.introspect(results[0].text.strip())["active"])
        self.assertEqual(self.events.count(REFRESHED), 1)

    def test_a_stopped_provider_leaves_the_tokens_alone(self):
        self.home.expire()
        before = self.home.slot_file().read_bytes()
        self.stand.provider.stop()
        try:
            self.fails(6, "token")
            self.fails(6, "fetch", "--user", "/api/me")
        finally:
            self.stand.provider.resume()
        self.assertEqual(self.home.slot_file().read_bytes(), before)
        self.ok("token")

    def test_a_token_from_the_environment_wins(self):
        given = {"SDKCTL_TOKEN": self.stand.provider.service_token("introspect")}
        self.assertEqual(self.ok("token", environment=given).text.strip(), given["SDKCTL_TOKEN"])
        echo = self.jsonOf(self.ok("fetch", "--user", "/api/me", environment=given))
        self.assertEqual(echo["fields"]["authorization"], ["Bearer " + given["SDKCTL_TOKEN"]])

    def test_no_token_ever_stands_in_an_argument_list(self):
        seen, over = set(), threading.Event()

        def sample():
            while not over.is_set():
                for path in Path("/proc").glob("[0-9]*/cmdline"):
                    try:
                        seen.add(path.read_bytes())
                    except OSError:
                        pass
                time.sleep(0.002)

        watcher = threading.Thread(target=sample)
        watcher.start()
        try:
            before = refresh_token(self.home.slot_file().read_text())
            tokens = [before, self.ok("token", "--fresh").text.strip()]
            self.ok("fetch", "--user", "/slow/0.3")
            self.ok("logout")
        finally:
            over.set()
            watcher.join()
        self.assertTrue(any(b"fetch\0--user" in line for line in seen), "the watcher saw nothing")
        for token in tokens:
            self.assertFalse([line for line in seen if token.encode() in line])


class KillTests(Case):
    """kill -9 while a refresh goes on: the old session or the new one, never half of one."""

    def test_kills_at_any_instant_lose_at_most_the_answer_in_flight(self):
        """One home: Glewlwyd on SQLite fails now and then when several clients write at once."""
        events = self.stand.provider.events()
        sessions = kills.kill_many(self, self.stand.provider.port, TOKEN_PATH, self.prepare,
                                   self.judge, workers=1)
        total = lambda name: sum(getattr(session, name) for session in sessions)
        # Each refresh that the provider made is a new session here, or one that was lost; besides,
        # each login made a refresh token.
        refreshes = total("renewed") + total("repeated") + total("lost")
        logins = len(sessions) + total("lost")
        self.assertEqual(events.count(REFRESHED), refreshes + logins)

    def prepare(self, home, endpoint):
        for words in (["profile", "add", home.name, "--issuer", self.stand.provider.issuer,
                       "--resource-url", self.stand.gateway.url, "--ca-file", self.stand.ca_file],
                      ["profile", "use", home.name],
                      # The relay has a port of its own.
                      ["pin", "add", urlsplit(self.stand.provider.issuer).netloc, "--host",
                       urlsplit(self.stand.provider.issuer).hostname, "--yes"],
                      ["profile", "set", "scope=openid notes", endpoint],
                      ["register"], ["login"]):
            home.use_browser(self.stand)
            result = home.run(*words)
            self.assertEqual(result.exit, 0, result)

    def judge(self, token):
        self.assertTrue(self.stand.provider.introspect(token)["active"])


def refresh_token(text: str) -> str:
    """The refresh token in a slot file, wherever it stands."""
    return find(json.loads(text), "refresh_token", "refreshToken")
