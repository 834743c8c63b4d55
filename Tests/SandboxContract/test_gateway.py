import base64
import unittest

from browser import HTTP, Browser
from client import Client
from program import shared

BARE = 'Bearer realm="Example resource gateway"'


class Gateway(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(shared(), software_id="com.example.app", software_version="2.1")
        tokens = cls.client.login()
        cls.token, cls.refresh = tokens["access_token"], tokens["refresh_token"]
        cls.own = cls.client.token(
            "client_credentials", scope="application-details").json["access_token"]
        cls.implicit = cls.client.token(
            "urn:ietf:params:oauth:grant-type:token-exchange", subject_token=cls.token,
            subject_token_type="urn:ietf:params:oauth:token-type:access_token",
            scope="read").json["access_token"]

    def test_without_a_bearer_token_the_answer_is_bare(self):
        for value in (None, "", "Basic eDp5", "Bearer", "Bearer ", "Token x"):
            fields = {} if value is None else {"Authorization": value}
            answer = self.client.resource("/devices", fields=fields)
            self.assertEqual((answer.status, answer.body), (401, b""), value)
            self.assertEqual(answer.field("WWW-Authenticate"), BARE)

    def test_a_token_that_is_not_good_is_invalid_token(self):
        for value in ("Bearer nothing", f"bearer {self.token}", f"BEARER {self.token}",
                      f"Bearer {self.refresh}"):
            answer = self.client.resource("/devices", fields={"Authorization": value})
            self.assertEqual((answer.status, answer.json["error"]), (401, "invalid_token"))
            self.assertEqual(
                answer.field("WWW-Authenticate"),
                'Bearer error="invalid_token", error_description="'
                + answer.json["error_description"] + '"')

    def test_the_kind_of_token_must_fit(self):
        for path, token in (
            ("/devices", self.implicit), ("/user-id-decorated", self.token),
        ):
            answer = self.client.resource(path, token)
            self.assertEqual((answer.status, answer.json["error"]), (401, "invalid_token"))

    def test_a_missing_scope_is_forbidden_without_challenge(self):
        for method, path, token in (
            ("GET", "/devices", self.own), ("GET", "/application-details", self.token),
            ("POST", "", self.own), ("POST", "/file-upload", self.own),
        ):
            answer = self.client.resource(path, token, method=method)
            self.assertEqual((answer.status, answer.json["error"]), (403, "insufficient_scope"))
            self.assertIsNone(answer.field("WWW-Authenticate"))

    def test_a_token_server_that_fails_makes_every_token_invalid(self):
        shared().fault("500", "--on", "introspect")
        answers = [self.client.resource("/devices", self.token) for _ in range(2)]
        self.assertEqual([answer.status for answer in answers], [401, 200])
        self.assertEqual(answers[0].json["error"], "invalid_token")

    def test_devices(self):
        devices = self.client.resource("/devices", self.token).json["devices"]
        current = [device for device in devices if device["current"]]
        self.assertEqual([device["id"] for device in current], [self.client.id])

    def test_application_details(self):
        answer = self.client.resource("/application-details", self.own).json
        self.assertEqual(answer, {
            "application_identifier": "com.example.app", "application_platform": "linux",
            "application_version": "2.1"})

    def test_user_id_decorated(self):
        answer = self.client.resource("/user-id-decorated", self.implicit).json
        self.assertRegex(answer["decorated_user_id"], "^✨ user-[0-9a-f]+ ✨$")

    def test_post_echoes_body_and_type(self):
        answer = self.client.resource(
            "", self.token, method="POST", body=b"<a/>", fields={"Content-Type": "text/xml"})
        self.assertEqual((answer.status, answer.body), (201, b"<a/>"))
        self.assertEqual(answer.field("Content-Type"), "text/xml")

    def test_file_upload(self):
        blob = bytes(range(256)) + b"\r\n--not-the-boundary\r\n"
        body = (
            b'--X \r\nContent-Disposition: form-data; name; name="name"\r\n\r\nAlice\r\n'
            b'--X\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.example\r\n'
            b'--X\r\nContent-Disposition: form-data; name="attachments"; filename="b.bin"\r\n'
            b"Content-Type: application/octet-stream\r\n\r\n" + blob + b"\r\n"
            b'--X\r\nContent-Disposition: form-data; name="attachments"; filename="t.txt"\r\n'
            b"Content-Type: text/plain\r\n\r\nhello\r\n--X--\r\n")
        answer = self.client.resource(
            "/file-upload", self.token, method="POST", body=body,
            fields={"Content-Type": 'multipart/form-data; boundary="X"'}).json
        self.assertEqual((answer["name"], answer["email"]), ("Alice", "a@b.example"))
        first, second = answer["attachments"]
        self.assertEqual((first["file_name"], first["file_size"]), ("b.bin", len(blob)))
        self.assertEqual(base64.b64decode(first["body"]), blob)
        self.assertEqual(second["content_type"], "text/plain")

    def test_unauthenticated(self):
        for method in ("GET", "POST"):
            answer = self.client.resource("/unauthenticated", method=method)
            self.assertEqual((answer.status, answer.text), (200, "OK"))


class Probes(unittest.TestCase):
    def setUp(self):
        self.http = HTTP(shared())

    def test_echo_returns_all_that_was_received(self):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            answer = self.http.send(
                method, "/resources/echo?a=1&a=%26&b", body=b"text",
                fields={"X-Test": "yes"}).json
            self.assertEqual(answer["method"], method)
            self.assertEqual(answer["query"], [["a", "1"], ["a", "&"], ["b", ""]])
            self.assertIn(["x-test", "yes"], [[k.lower(), v] for k, v in answer["headers"]])
            self.assertEqual(answer["body"], "text")
        answer = self.http.post("/resources/echo", body=b"\xff\x00").json
        self.assertEqual(base64.b64decode(answer["body_base64"]), b"\xff\x00")

    def test_bytes_of_any_length_and_range(self):
        whole = bytes(i % 251 for i in range(200_000))
        self.assertEqual(self.http.get("/resources/bytes/200000").body, whole)
        self.assertEqual(self.http.get("/resources/bytes/0").body, b"")
        for wanted, start, end in (
            ("bytes=0-9", 0, 10), ("bytes=199990-", 199990, 200000), ("bytes=-5", 199995, 200000),
            ("bytes=70000-170000", 70000, 170001),
            (f"bytes=1-{2**63 - 1}", 1, 200000), (f"bytes=-{2**63 - 1}", 0, 200000),
        ):
            answer = self.http.get("/resources/bytes/200000", fields={"Range": wanted})
            self.assertEqual((answer.status, answer.body), (206, whole[start:end]), wanted)
            self.assertEqual(
                answer.field("Content-Range"), f"bytes {start}-{end - 1}/200000")
        for size, wanted in (
            (10, "bytes=10-"), (10, "bytes=5-4"), (10, "lines=5-6"), (10, "bytes=1-2-3"),
            (10, "bytes=-0"), (0, "bytes=-5"),
        ):
            answer = self.http.get(f"/resources/bytes/{size}", fields={"Range": wanted})
            self.assertEqual(
                (answer.status, answer.field("Content-Range")), (416, f"bytes */{size}"), wanted)
        self.assertEqual(self.http.get("/resources/bytes/-1").status, 400)

    def test_status_redirect_and_slow(self):
        for code in (200, 204, 304, 404, 418, 503):
            answer = self.http.get(f"/resources/status/{code}")
            self.assertEqual(answer.status, code)
            self.assertEqual(answer.field("Content-Type") is None, code in (204, 304))
        for path in ("status/99", "status/199", "status/600", "redirect",
                     "redirect?to=/&status=200", "redirect?to=%0d%0aX", "slow?seconds=nan"):
            self.assertEqual(self.http.get(f"/resources/{path}").status, 400, path)
        answer = self.http.get("/resources/redirect?to=https://example.com/a&status=307")
        self.assertEqual(
            (answer.status, answer.field("Location")), (307, "https://example.com/a"))
        self.assertEqual(self.http.get("/resources/none").body, b"")
        self.assertEqual(
            self.http.get("/resources/slow?seconds=0.01").json, {"slept": 0.01})

    def test_a_body_of_any_length_up_to_the_limit(self):
        body = bytes(i % 251 for i in range(1 << 20))
        answer = self.http.post(
            "/resources/echo", fields={"Content-Length": str(len(body))},
            # The server has read a piece before the next one comes.
            body=(self.http.get("/jwks") and body[at:at + 65_536]
                  for at in range(0, len(body), 65_536))).json
        self.assertEqual(base64.b64decode(answer["body_base64"]), body)
        self.assertEqual(self.http.post("/resources/echo", body=bytes(17 << 20)).status, 413)

    def test_a_head_that_can_be_read_in_two_ways_is_refused(self):
        for target, field, status in (
            ("/jwks", "", 404), ("*", "", 400), ("jwks", "", 400), ("/jwks", "a: b\r\n c", 400),
            ("/jwks", "Host: localhost", 400), ("/jwks", "Transfer-Encoding: gzip", 400),
            ("/jwks", "Content-Length: 0\r\nContent-Length: 0", 400),
            ("/jwks", f"Content-Length: {2**63}", 400),
        ):
            connection = self.http.client_connection()
            head = f"POST {target} HTTP/1.1\r\nHost: localhost\r\n{field or 'a: b'}\r\n\r\n"
            connection.sock.sendall(head.encode())
            self.assertEqual(connection.sock.recv(12), f"HTTP/1.1 {status}".encode(), field)
            connection.close()

    def test_a_form_login_goes_on_in_its_browser_only(self):
        for want in ("cookie", "jwt"):
            browser = Browser(shared()).open(f"/form-login?want={want}")
            value = browser.page.form("/form-login").values["csrf"]
            stranger = Browser(shared()).open("/form-login", "POST", {"csrf": value})
            self.assertEqual(stranger.answer.status, 403)
            browser.open(f"/form-login?want={want}").submit("/form-login", login="alice")
            answer = browser.submit("/form-login/password", secret_word="wonderland").answer
            fields = {"Authorization": answer.fields["Authorization"]} if want == "jwt" else {}
            answer = browser.open(f"/resources/{want}-protected", **fields).answer
            self.assertEqual(answer.status, 200)

    def test_cookie_and_jwt_paths_answer_401_first(self):
        person = {"username": "alice", "password": "wonderland"}
        self.assertEqual(self.http.get("/resources/cookie-protected").status, 401)
        cookies = self.http.post("/authenticate", form=person).all("Set-Cookie")
        value = "; ".join(cookie.split(";")[0] for cookie in cookies)
        answer = self.http.get("/resources/cookie-protected", fields={"Cookie": value})
        self.assertEqual(answer.status, 200)
        self.assertIn("gateway-session=spoilt", answer.field("Set-Cookie"))
        self.assertEqual(self.http.get("/resources/jwt-protected").status, 401)
        token = self.http.post("/authenticate", form={**person, "want": "jwt"}).json["jwt"]
        for sent, status in ((token, 200), (token[:-6] + "AAAAAA", 401)):
            answer = self.http.get(
                "/resources/jwt-protected", fields={"Authorization": f"Bearer {sent}"})
            self.assertEqual(answer.status, status)
        wrong = self.http.post("/authenticate", form={**person, "password": "x"})
        self.assertEqual(wrong.status, 401)
