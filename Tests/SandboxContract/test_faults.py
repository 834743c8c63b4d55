import base64
import email.utils
import http.client
import json
import ssl
import time
import unittest

from browser import HTTP
from client import Client, claims, header
from program import run, shared


class Faults(unittest.TestCase):
    def setUp(self):
        self.client = Client(shared(), token_endpoint_auth_method="none")
        self.http = HTTP(shared())
        self.addCleanup(shared().fault, "clear")

    def count(self, name):
        return shared().status()["counts"]["faults"].get(name, 0)

    def test_the_list_describes_every_fault_in_one_line(self):
        lines = run("fault", "list").stdout.splitlines()
        self.assertEqual(len(lines), len(json.loads(run("fault", "list", "--json").stdout)))
        for line in lines:
            self.assertRegex(line, r"^[a-z0-9-]+ +\S.*[^.]$")
        self.assertIn("lost-rotation", " ".join(lines))

    def test_answers_by_request_and_by_command(self):
        for name, expect in (
            ("500", lambda a: self.assertEqual(a.status, 500)),
            ("503", lambda a: self.assertEqual((a.status, a.field("Retry-After")), (503, "1"))),
            ("html", lambda a: self.assertIn("text/html", a.field("Content-Type"))),
            ("garbage", lambda a: self.assertRaises(ValueError, lambda: a.json)),
            ("wrong-length", lambda a: self.assertRaises(ValueError, lambda: a.json)),
        ):
            before = self.count(name)
            expect(self.http.get(f"/jwks?fault={name}"))
            expect(self.http.get("/jwks", fields={"Sandbox-Fault": name}))
            shared().fault(name, "--on", "jwks")
            self.assertEqual(self.http.get("/resources/unauthenticated").text, "OK")
            expect(self.http.get("/jwks"))
            self.assertIn("keys", self.http.get("/jwks").json)
            self.assertEqual(self.count(name), before + 3)

    def test_a_login_without_a_scope_may_get_one(self):
        outcome = self.client.browse(scope=None).outcome
        self.assertEqual(outcome["error"], "invalid_scope")
        shared().fault("default-scope")
        self.assertEqual(self.client.login(scope=None)["scope"], "openid profile email read write")

    def test_a_refresh_for_less_scope_may_narrow_the_login_for_good(self):
        refresh = self.client.login(scope="openid read")["refresh_token"]
        shared().fault("narrowed-rotation")
        narrow = self.client.refresh(refresh, scope="read").json
        self.assertEqual(narrow["scope"], "read")
        whole = self.client.refresh(narrow["refresh_token"]).json
        self.assertEqual(whole["scope"], "read")
        wide = self.client.refresh(whole["refresh_token"], scope="openid read")
        self.assertEqual(wide.json["error"], "invalid_scope")

    def test_basic_credentials_may_be_taken_as_they_are(self):
        client = Client(shared())
        encoded = "".join(f"%{ord(letter):02X}" for letter in client.secret)
        for secret, statuses in ((encoded, [200, 401]), (client.secret, [200, 200])):
            shared().fault("clear")
            pair = base64.b64encode(f"{client.id}:{secret}".encode()).decode()
            fields = {"Authorization": "Basic " + pair}
            ask = lambda: client.token("client_credentials", fields).status
            plain = ask()
            shared().fault("raw-basic")
            self.assertEqual([plain, ask()], statuses)

    def test_an_unknown_fault_is_refused(self):
        self.assertEqual(self.http.get("/jwks?fault=flood").status, 400)

    def test_times_counts_down_and_zero_lasts(self):
        shared().fault("500", "--times", "2")
        statuses = [self.http.get("/jwks").status for _ in range(3)]
        self.assertEqual(statuses, [500, 500, 200])
        shared().fault("500", "--times", "0")
        statuses = [self.http.get("/jwks").status for _ in range(3)]
        self.assertEqual(statuses, [500, 500, 500])
        shared().fault("clear")
        self.assertEqual(self.http.get("/jwks").status, 200)

    def test_a_cut_body_ends_early(self):
        with self.assertRaises((http.client.IncompleteRead, ssl.SSLError, ConnectionError)):
            self.http.get("/jwks?fault=cut-body")
        with self.assertRaises((http.client.IncompleteRead, ssl.SSLError, ConnectionError)):
            self.http.get("/resources/bytes/100000?fault=cut-body")

    def test_a_long_body_of_the_wrong_length_arrives_if_somebody_reads_it(self):
        for most in (1000, 16_000_000):
            connection = self.http.client_connection(buffer=4096)
            connection.sock.sendall(
                b"GET /resources/bytes/16000000?fault=wrong-length HTTP/1.1\r\nHost: a\r\n\r\n")
            count = 0
            while count < most and (piece := connection.sock.recv(1 << 16)):
                count += len(piece)
            connection.close()
            self.assertGreaterEqual(count, most)
        self.assertEqual(self.http.get("/jwks").status, 200)

    def test_latency_delays(self):
        start = time.monotonic()
        self.assertEqual(self.http.get("/jwks?fault=latency").status, 200)
        self.assertGreaterEqual(time.monotonic() - start, 3)
        shared().fault("latency", "--delay", "300ms")
        start = time.monotonic()
        self.assertEqual(self.http.get("/jwks").status, 200)
        self.assertTrue(0.3 <= time.monotonic() - start < 3)

    def check_id_token(self, name, token):
        identity = claims(token)
        now = time.time()
        kids = {key["kid"] for key in self.http.get("/jwks").json["keys"]}
        {
            "unknown-kid": lambda: self.assertNotIn(header(token)["kid"], kids),
            "wrong-iss": lambda: self.assertNotEqual(identity["iss"], shared().issuer),
            "wrong-aud": lambda: self.assertNotEqual(identity["aud"], self.client.id),
            "wrong-nonce": lambda: self.assertNotEqual(identity["nonce"], self.client.nonce),
            "wrong-at-hash": lambda: self.assertIn("at_hash", identity),
            "bad-signature": lambda: self.assertEqual(identity["nonce"], self.client.nonce),
            "alg-none": lambda: self.assertEqual(
                (header(token)["alg"], token[-1]), ("none", ".")),
            "expired-id-token": lambda: self.assertLess(identity["exp"], now - 3000),
            "clock-skew": lambda: self.assertGreater(identity["iat"], now + 3000),
            "future-iat": lambda: self.assertTrue(
                identity["iat"] > now + 3000 and identity["auth_time"] < now + 60),
            "keys-dropped": lambda: self.assertNotIn(header(token)["kid"], kids),
        }[name]()

    def test_id_tokens_are_spoilt_one_by_one(self):
        names = [
            "unknown-kid", "wrong-iss", "wrong-aud", "wrong-nonce", "wrong-at-hash",
            "bad-signature", "alg-none", "expired-id-token", "clock-skew", "future-iat",
            "keys-dropped"]
        for name in names:
            shared().fault(name)
            self.check_id_token(name, self.client.login()["id_token"])
            by_login = self.client.login(fault=name)
            self.check_id_token(name, by_login["id_token"])
            after = claims(self.client.refresh(by_login["refresh_token"]).json["id_token"])
            self.assertEqual(after["iss"], shared().issuer)
            self.assertEqual(after["aud"], self.client.id)
            code = self.client.code()
            by_query = self.client.redeem(code, target=f"/token?fault={name}").json
            self.check_id_token(name, by_query["id_token"])

    def test_the_key_set_is_huge_and_the_real_keys_are_last(self):
        token = self.client.login()["id_token"]
        shared().fault("many-keys")
        for target in ("/jwks", "/jwks?fault=many-keys"):
            keys = self.http.get(target).json["keys"]
            kids = [key["kid"] for key in keys]
            self.assertGreater(len(set(kids)), 5000)
            self.assertGreaterEqual(kids.index(header(token)["kid"]), 5000)
        self.assertLess(len(self.http.get("/jwks").json["keys"]), 10)

    def test_userinfo_tells_of_another_person(self):
        tokens = self.client.login()
        bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
        subject = claims(tokens["id_token"])["sub"]
        shared().fault("other-sub")
        for target, same in (
            ("/userinfo", False), ("/userinfo?fault=other-sub", False), ("/userinfo", True),
        ):
            facts = self.http.get(target, fields=bearer).json
            self.assertEqual(facts["sub"] == subject, same)
            self.assertEqual(facts["email"], "alice@example.com")

    def test_the_date_is_an_hour_behind(self):
        shared().fault("date-skew", "--on", "token")
        token = self.client.login()["refresh_token"]
        shared().fault("date-skew", "--on", "token")
        for answer, behind in (
            (self.client.refresh(token), 3600), (self.http.get("/jwks"), 0),
            (self.http.get("/jwks?fault=date-skew"), 3600),
        ):
            self.assertEqual(answer.status, 200)
            [text] = answer.all("Date")
            date = email.utils.parsedate_to_datetime(text).timestamp()
            self.assertAlmostEqual(date, time.time() - behind, delta=60)
            self.assertEqual(email.utils.formatdate(date, usegmt=True), text)
            self.assertIsNone(answer.field("Sandbox-Date"))

    def test_authorization_responses_are_altered(self):
        for arm in (
            lambda name: {"fault": name}, lambda name: shared().fault(name) or {},
        ):
            outcome = self.client.browse(**arm("state-altered")).sign_in().allow().outcome
            self.assertNotEqual(outcome["state"], self.client.state)
            self.assertEqual(outcome["iss"], shared().issuer)
            outcome = self.client.browse(**arm("iss-altered")).sign_in().allow().outcome
            self.assertEqual(outcome["state"], self.client.state)
            self.assertNotEqual(outcome["iss"], shared().issuer)

    def test_a_rotation_whose_answer_is_lost_has_happened(self):
        for arm in (
            lambda: {"target": "/token?fault=lost-rotation"},
            lambda: shared().fault("lost-rotation") or {},
        ):
            token = self.client.login()["refresh_token"]
            with self.assertRaises((http.client.HTTPException, ssl.SSLError, ConnectionError)):
                self.client.refresh(token, **arm())
            again = self.client.refresh(token)
            self.assertEqual((again.status, again.json["error"]), (400, "invalid_grant"))

    def test_a_swapped_certificate_shows_once(self):
        for arm in (
            lambda: shared().fault("certificate-swapped"),
            lambda: self.http.get("/jwks?fault=certificate-swapped"),
        ):
            arm()
            with self.assertRaises(ssl.SSLCertVerificationError):
                self.http.get("/jwks")
            self.assertEqual(self.http.get("/jwks").status, 200)
