"""The endpoints of the FIDO UAF server: who may use them, methods, media types, faults."""

import json
import unittest

from fido import JSON_MEDIA, MEDIA, Device, FIDOCase, session_of, status, uaf
from program import shared

# Each endpoint with its media types.
POSTS = {
    "/uaf/1.1/request/registration": MEDIA, "/uaf/1.1/request/authentication": MEDIA,
    "/uaf/1.1/request/deregistration": MEDIA, "/uaf/1.1/registration": MEDIA,
    "/uaf/1.1/authentication": MEDIA, "/token/dispatch/targets": JSON_MEDIA,
}


class Endpoints(FIDOCase):
    def setUp(self):
        super().setUp()
        self.device = Device(shared())
        self.http = self.device.http

    # Methods and media types

    def test_other_methods_are_refused(self):
        for path in POSTS:
            for method in ("GET", "PUT", "PATCH", "DELETE"):
                if (method, path) == ("GET", "/token/dispatch/targets"):
                    continue
                for prefix in ("/nevisfido", ""):
                    answer = self.http.send(method, prefix + path)
                    self.assertEqual(answer.status, 405, (method, path))
                    self.assertIn("POST", answer.field("Allow"))
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            self.assertEqual(self.http.send(method, "/nevisfido/uaf/1.1/facets").status, 405)
        for method in ("GET", "POST", "PUT", "PATCH"):
            self.assertEqual(
                self.http.send(method, "/nevisfido/token/dispatch/targets/x").status, 405)

    def test_other_media_types_are_refused(self):
        for path, media in POSTS.items():
            for accept in ("text/html", "*/*", ""):
                answer = self.device.post(path, {}, {"Accept": accept}, media)
                self.assertEqual(answer.status, 406, (path, accept))
            for content in ("text/plain", "application/x-www-form-urlencoded", "",
                            media["Content-Type"].split(";")[0] + ";charset=ISO-8859-1"):
                answer = self.device.post(path, {}, {"Content-Type": content}, media)
                self.assertEqual(answer.status, 415, (path, content))
        bare = {"Content-Type": "application/fido+uaf"}
        answer = self.device.post("/uaf/1.1/request/authentication", {}, bare)
        self.assertEqual(answer.status, 415)

    def test_the_spelling_of_media_types_does_not_matter(self):
        fields = {"Content-Type": 'Application/FIDO+UAF; Charset="utf-8"',
                  "Accept": "text/html, application/fido+uaf;q=0.5"}
        answer = self.device.post(
            "/uaf/1.1/request/registration", self.device.wish("Reg"),
            {**self.device.login, **fields})
        self.assertEqual(status(answer), 1200)

    def test_bodies_that_are_not_what_they_should_be(self):
        self.device.registered()
        fields = session_of(self.device.authenticate())
        for path, media in POSTS.items():
            for body in (b"", b"{", b"[]", b"7", b"{}", b"\xff"):
                answer = self.http.post(
                    "/nevisfido" + path, body=body, fields={**media, **fields})
                self.assertEqual(answer.status, 400, (path, body))
        for wish in ({"op": "Auth"}, {"op": "Reg", "context": {}}, {"context": "{}"},
                     {"op": "Reg", "context": "7"}, {"op": "Auth", "context": "{}"}):
            answer = self.device.post("/uaf/1.1/request/registration", wish, fields)
            self.assertEqual(answer.status, 400, wish)
        for sent in ({"uafResponse": []}, {"uafResponse": 7}, {"context": "{}"}):
            self.assertEqual(self.device.post("/uaf/1.1/registration", sent).status, 400)
        for text in ("", "{}", "[]", "[{},{}]", "[7]", "[{}]"):
            answer = self.device.post("/uaf/1.1/registration", {"uafResponse": text})
            self.assertEqual(status(answer), 1498)

    # Protection

    def test_who_may_use_what(self):
        self.device.registered()
        sessions = {
            "none": {}, "password": self.device.login,
            "fido": session_of(self.device.authenticate())}
        needed = {
            "/uaf/1.1/request/registration": "password",
            "/uaf/1.1/request/authentication": "none",
            "/uaf/1.1/request/deregistration": "fido",
            "/token/dispatch/targets": "fido"}
        order = list(sessions)
        for path, least in needed.items():
            for name, fields in sessions.items():
                operation = path.rsplit("/", 1)[1]
                wish = self.device.wish(
                    {"registration": "Reg", "deregistration": "Dereg"}.get(operation, "Auth"),
                    mode="nothing")
                answer = self.device.post(path, wish, fields, POSTS[path])
                isOpen = order.index(name) >= order.index(least)
                self.assertEqual(answer.status == 401, not isOpen, (path, name, answer.text))
        self.assertEqual(self.http.get("/nevisfido/token/dispatch/targets").status, 401)
        self.assertEqual(
            self.http.send("DELETE", "/nevisfido/token/dispatch/targets/x").status, 401)

    def test_a_wrong_password_and_another_person(self):
        answer = self.http.post(
            "/auth/pwd", form={"isiwebuserid": "alice", "isiwebpasswd": "x"})
        self.assertEqual((answer.status, answer.field("Set-Cookie")), (401, None))
        answer = self.device.post(
            "/uaf/1.1/request/registration", self.device.wish("Reg", username="bob"),
            self.device.login)
        self.assertEqual(status(answer), 1403)

    def test_jwts_and_access_tokens_are_logins_too(self):
        from client import Client
        token = Client(shared()).login()["access_token"]
        answer = self.http.post(
            "/authenticate",
            form={"username": "alice", "password": "wonderland", "want": "jwt"})
        for bearer, code in ((token, 200), (answer.json["jwt"], 200), ("x", 401)):
            fields = {"Authorization": f"Bearer {bearer}"}
            answer = self.device.post(
                "/uaf/1.1/request/registration", self.device.wish("Reg"), fields)
            self.assertEqual(answer.status, code)
        answer = self.device.post(
            "/uaf/1.1/request/deregistration", self.device.wish("Dereg"),
            {"Authorization": f"Bearer {token}"})
        self.assertEqual(answer.status, 401)

    def test_a_person_is_called_as_the_request_says(self):
        for name in ("alice", self.device.user):
            request, _ = self.device.request(
                "/uaf/1.1/request/registration", "Reg", self.device.login, username=name)
            self.assertEqual(request["username"], name)

    # Paths

    def test_paths_with_a_slash_at_the_end_and_without_prefix(self):
        for prefix in ("", "/nevisfido"):
            device = Device(shared(), prefix=prefix)
            request = device.request("/uaf/1.1/request/registration/", "Reg", device.login)[0]
            self.assertEqual(status(device.register(request)), 1200)
            self.assertEqual(status(device.authenticate()), 1200)

    def test_the_paths_of_an_identity_suite(self):
        self.device.registered()
        media = {"Content-Type": "application/json; charset=utf-8"}
        answer = self.http.post(
            "/auth/fidouaf", document={"username": self.device.user}, fields=media)
        request = self.device.opened(answer)[0]
        parameters = self.device.parameters(request)
        messages = uaf.response(
            request, parameters, self.device.authenticator.authenticate(parameters))
        answer = self.http.post(
            "/auth/fidouaf/authenticationresponse/",
            document={"uafResponse": json.dumps(messages)}, fields=MEDIA)
        self.assertEqual(status(answer), 1200)
        self.assertIn("gateway-session=", answer.field("Set-Cookie"))
        answer = self.http.post(
            "/auth/fidouaf", document={"username": self.device.user}, fields=MEDIA)
        self.assertEqual(answer.status, 415)

    # Deregistration

    def deregister(self, **context):
        fields = session_of(self.device.authenticate())
        answer = self.device.post(
            "/uaf/1.1/request/deregistration", self.device.wish("Dereg", **context), fields)
        if status(answer) != 1200:
            return answer.json["statusCode"]
        newer, older = self.device.opened(answer)
        self.assertEqual(newer["authenticators"], older["authenticators"])
        self.assertEqual((newer["header"]["op"], "challenge" in newer), ("Dereg", False))
        return newer["authenticators"]

    def test_deregistration_of_all_of_a_model_and_of_one_key(self):
        key_id = uaf.b64url(self.device.authenticator.key_id)
        own = {"aaid": uaf.DEVELOPMENT_AAID, "keyID": key_id}
        one = [{"aaid": uaf.DEVELOPMENT_AAID, "keyId": key_id}]
        for context in (
            {}, {"mode": "username"}, {"mode": "aaid", "aaids": [uaf.DEVELOPMENT_AAID]},
            {"mode": "keyid", "authenticators": one},
        ):
            self.device = Device(shared()).registered()
            own["keyID"] = uaf.b64url(self.device.authenticator.key_id)
            one[0]["keyId"] = own["keyID"]
            self.assertEqual(self.deregister(**context), [own], context)
            self.assertEqual(shared().status()["fido"]["keys"], [])
        self.device = Device(shared()).registered()
        for context in ({"mode": "aaid", "aaids": ["F1D0#1001"]}, {"mode": "keyid"}):
            self.assertEqual(self.deregister(**context), 1404)

    # Facets and faults

    def test_the_list_of_facets(self):
        shared().fido("facets=https://one.example,ios:bundle-id:org.example.app")
        answer = self.http.get("/nevisfido/uaf/1.1/facets")
        self.assertEqual(answer.field("Content-Type"), "application/fido.trusted-apps+json")
        self.assertEqual(
            answer.json["trustedFacets"][1], {
                "version": {"major": 1, "minor": 1},
                "ids": [shared().issuer, "https://one.example", "ios:bundle-id:org.example.app"]})
        self.device.facet = "ios:bundle-id:org.example.app"
        self.assertEqual(status(self.device.register()), 1200)

    def test_an_empty_application_is_the_facet(self):
        shared().fido("app-id=")
        request = self.device.registration()
        self.assertEqual(request["header"]["appID"], "")
        self.assertEqual(status(self.device.register(request)), 1200)

    def test_the_faults_of_facets(self):
        shared().fault("facet-unlisted")
        answer = self.http.get("/nevisfido/uaf/1.1/facets")
        self.assertNotIn(shared().issuer, answer.text)
        shared().fault("facets-redirected")
        answer = self.http.get("/nevisfido/uaf/1.1/facets")
        self.assertEqual(
            (answer.status, answer.field("FIDO-AppID-Redirect-Authorized")), (302, None))
        self.assertIn(shared().issuer, self.http.get("/nevisfido/uaf/1.1/facets").text)

    def test_the_faults_of_requests(self):
        for fault, check in (
            ("uaf-wrong-op", lambda request: request["header"]["op"] == "Auth"),
            ("uaf-wrong-version", lambda request: request["header"]["upv"]["major"] == 9),
            ("uaf-foreign-app", lambda request: "elsewhere" in request["header"]["appID"]),
            ("uaf-critical-extension",
             lambda request: request["header"]["exts"][0]["fail_if_unknown"]),
            ("uaf-challenge-number", lambda request: isinstance(request["challenge"], int)),
            ("uaf-short-challenge",
             lambda request: len(uaf.from_b64url(request["challenge"])) == 3),
            ("uaf-no-match",
             lambda request: request["policy"]["accepted"] == [[{"aaid": ["0000#0000"]}]]),
            ("uaf-oversize", lambda request: len(request["header"]["serverData"]) > 1 << 20),
        ):
            with self.subTest(fault):
                shared().fault(fault)
                newer, older = self.device.request(
                    "/uaf/1.1/request/registration", "Reg", self.device.login)
                self.assertTrue(check(newer) and check(older))
        shared().fault("uaf-garbage")
        answer = self.device.post(
            "/uaf/1.1/request/registration", self.device.wish("Reg"), self.device.login)
        self.assertRaises(ValueError, json.loads, answer.json["uafRequest"])

    def test_requests_are_counted_by_endpoint(self):
        self.device.registered().authenticate()
        counts = shared().status()["counts"]["endpoints"]
        self.assertEqual(
            [counts.get(name) for name in ("login", "uaf-request", "uaf-response")], [1, 2, 2])
