"""The whole job against the sandbox, and the exact answers of its gateway."""

import json
import stat

from Servers.sandbox import SandboxCase

REALM = 'Bearer realm="Example resource gateway"'


class JobTests(SandboxCase):
    def test_a_person_does_the_whole_job(self):
        self.register()
        self.use_person()
        self.ok("login")
        self.assertEqual([note["h1"] for note in self.notes()],
                         ["Sign in", "Allow access?", "You are signed in"])
        token = self.ok("token").text.strip()
        claims = self.jsonOf(self.ok("token", "decode", "--json"))["payload"]
        self.assertEqual(claims["iss"], self.sandbox.issuer)
        self.assertEqual(claims["aud"], self.sandbox.url)
        self.assertTrue(self.sandbox.introspect(token)["active"])
        [device] = self.jsonOf(self.ok("fetch", "--user", "/devices"))["devices"]
        self.assertTrue(device["current"])
        self.assertEqual(device["id"], claims["client_id"])
        self.ok("logout")
        self.assertFalse(self.sandbox.introspect(token)["active"])
        self.assertFailed(self.home.run("fetch", "--user", "/devices"), 4)
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_a_refresh_rotates(self):
        self.add_session()
        first, slot = self.ok("token").text.strip(), self.home.slot_file().read_text()
        self.home.expire()
        second = self.ok("token").text.strip()
        self.assertNotEqual(first, second)
        after = json.loads(self.home.slot_file().read_text())
        self.assertNotIn(after["refreshToken"], slot)
        self.assertTrue(self.sandbox.introspect(second)["active"])
        self.assertEqual((self.sandbox.grants("refresh_token"), self.sandbox.status()["reuses"]),
                         (1, 0))

    def test_an_installation_speaks_for_itself(self):
        self.register()
        result = self.ok("fetch", "--anonymous", "/application-details")
        self.assertEqual(self.jsonOf(result), {
            "application_identifier": "sdkctl", "application_platform": "linux",
            "application_version": "1"})
        self.ok("fetch", "--anonymous", "/application-details")
        self.assertEqual(self.sandbox.grants("client_credentials"), 1)
        self.assertFalse(self.home.slot_file("user").exists())

    def test_everybody_may_read_what_is_unauthenticated(self):
        self.assertEqual(self.ok("fetch", "--unauth", "/unauthenticated").out, b"OK")

    def test_a_closed_server_wants_the_initial_access_token(self):
        closed = self.own("--closed")
        token = closed.status()["initialAccessToken"]
        result = closed.home.run("register", "-p", "sandbox")
        self.assertFailed(result, 5)
        self.assertIn("initial access token", result.err.lower())
        done = closed.home.run("register", "-p", "sandbox", "--initial-access-token-file", "-",
                               input=token + "\n")
        self.assertEqual(done.exit, 0, done)
        self.assertNotIn(token, done.text + done.err)

    def test_opaque_tokens_are_carried_but_not_decoded(self):
        opaque = self.own("--token-format=opaque")
        self.home = opaque.home
        self.ok("profile", "set", "scope=openid read")
        self.ok("register")
        self.home.use_browser(opaque)
        self.ok("login")
        self.assertNotIn(".", self.ok("token").text)
        self.ok("fetch", "--user", "/devices")
        result = self.fails(1, "token", "decode")
        self.assertError(result, "it is not a jwt; only the server can read an opaque token")
        self.assertIn("hint: sdkctl -p sandbox token userinfo", result.err)
        self.ok("token", "userinfo")


class GatewayTests(SandboxCase):
    """What goes to the gateway and comes back from it, byte by byte."""

    def setUp(self):
        super().setUp()
        self.add_session()

    def head(self, result) -> dict:
        head, _, self.body = result.out.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        pairs = (line.split(": ", 1) for line in lines)
        return {name.lower(): value for name, value in pairs} | {":status": status.split(" ")[1]}

    def refused(self, *arguments, **keywords):
        result = self.home.run("fetch", "-i", *arguments, **keywords)
        self.assertEqual(result.exit, 12, result)
        return self.head(result)

    def test_without_a_token_the_answer_is_a_bare_challenge(self):
        head = self.refused("--unauth", "/devices")
        self.assertEqual((head[":status"], head["www-authenticate"], self.body),
                         ("401", REALM, b""))

    def test_a_token_that_is_not_active_is_named_so(self):
        head = self.refused("--user", "/devices", environment={"SDKCTL_TOKEN": "t0ken"})
        message = "The access token is not active."
        self.assertEqual((head[":status"], head["www-authenticate"]), (
            "401", f'Bearer error="invalid_token", error_description="{message}"'))
        self.assertEqual(json.loads(self.body),
                         {"error": "invalid_token", "error_description": message})

    def test_a_missing_scope_is_forbidden(self):
        head = self.refused("--user", "/application-details")
        self.assertEqual(head[":status"], "403")
        self.assertEqual(json.loads(self.body), {
            "error": "insufficient_scope",
            "error_description": "The access token lacks the scope application-details."})
        self.assertEqual(self.sandbox.grants("refresh_token"), 0)

    def test_a_path_for_implicit_tokens_refuses_after_one_refresh(self):
        head = self.refused("--user", "/user-id-decorated")
        self.assertEqual(head[":status"], "401")
        self.assertEqual(json.loads(self.body), {
            "error": "invalid_token",
            "error_description": "Only an implicit access token is accepted here."})
        self.assertEqual((self.sandbox.grants("refresh_token"), self.sandbox.requests("resources")),
                         (1, 2))

    def test_a_file_is_uploaded_in_a_body_made_by_hand(self):
        content = bytes(range(256)) * 4
        parts = (b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAlice\r\n'
                 b'--b\r\nContent-Disposition: form-data; name="attachments"; filename="a.bin"\r\n'
                 b"Content-Type: application/octet-stream\r\n\r\n" + content + b"\r\n--b--\r\n")
        body = self.home.directory / "body"
        body.write_bytes(parts)
        answer = self.jsonOf(self.ok(
            "fetch", "--user", "-X", "POST", "-H", "Content-Type: multipart/form-data; boundary=b",
            "--data", f"@{body}", "/file-upload"))
        [file] = answer["attachments"]
        self.assertEqual((answer["name"], file["file_name"], file["file_size"]),
                         ("Alice", "a.bin", len(content)))

    def test_the_echo_is_what_was_sent(self):
        echo = self.jsonOf(self.ok(
            "fetch", "--user", "PUT", "/echo?a=1", "-H", "X-One: 1", "--data", "grüße"))
        fields = {name.lower(): value for name, value in echo["headers"]}
        token = self.ok("token").text.strip()
        self.assertEqual((echo["method"], echo["query"], echo["body"]),
                         ("PUT", [["a", "1"]], "grüße"))
        self.assertEqual((fields["x-one"], fields["authorization"]), ("1", f"Bearer {token}"))

    def test_many_bytes_are_streamed_to_a_file(self):
        size = 20_000_003
        target = self.home.directory / "bytes"
        self.assertEqual(self.ok("fetch", "--user", "-o", target, f"/bytes/{size}").out, b"")
        period = bytes(range(251))
        self.assertEqual(target.read_bytes(), (period * (size // 251 + 1))[:size])
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o600)

    def test_a_range_is_a_partial_answer(self):
        result = self.ok("fetch", "--unauth", "-i", "-H", "Range: bytes=250-252", "/bytes/1000")
        head = self.head(result)
        self.assertEqual((head[":status"], head["content-range"], self.body),
                         ("206", "bytes 250-252/1000", bytes([250, 0, 1])))

    def test_a_redirect_within_the_origin_keeps_the_token(self):
        echo = self.jsonOf(self.ok("fetch", "--user", "/redirect?to=/resources/echo&status=307"))
        self.assertIn("authorization", [name.lower() for name, _ in echo["headers"]])

    def test_a_redirect_to_another_origin_needs_pins_and_loses_the_token(self):
        other = f"https://127.0.0.1:{self.sandbox.port}/resources/echo"
        result = self.fails(8, "fetch", "--user", "/redirect", "--param", f"to={other}")
        self.assertEqual(self.sandbox.requests("resources"), 1)
        self.assertIn("127.0.0.1", result.err)
        self.ok("pin", "add", f"127.0.0.1:{self.sandbox.port}", "--yes")
        echo = self.jsonOf(self.ok("fetch", "--user", "/redirect", "--param", f"to={other}"))
        self.assertNotIn("authorization", [name.lower() for name, _ in echo["headers"]])
