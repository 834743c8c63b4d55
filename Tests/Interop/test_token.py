"""The life of a token: handed out, refreshed once for all, stale, and never in an argument list."""

import json
import threading
import time
from pathlib import Path

from Servers.case import Case
from Servers.documents import find

REFRESHED = "Refresh token generated"


class TokenTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.events = self.stand.provider.events()

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


def refresh_token(text: str) -> str:
    """The refresh token in a slot file, wherever it stands."""
    return find(json.loads(text), "refresh_token", "refreshToken")
