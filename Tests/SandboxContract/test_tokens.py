import secrets
import time
import unittest

from browser import HTTP, Browser
from client import Client, Key, b64url, basic, claims, header
from program import shared


class Tokens(unittest.TestCase):
    def setUp(self):
        self.client = Client(shared())

    def test_a_code_works_once_and_its_second_use_revokes_the_tokens(self):
        code = self.client.code()
        tokens = self.client.redeem(code).json
        again = self.client.redeem(code)
        self.assertEqual((again.status, again.json["error"]), (400, "invalid_grant"))
        self.assertEqual(
            self.client.resource("/devices", tokens["access_token"]).status, 401)
        self.assertEqual(self.client.refresh(tokens["refresh_token"]).status, 400)

    def test_refresh_tokens_rotate_and_reuse_revokes_the_family(self):
        reuses = shared().status()["reuses"]
        first = self.client.login()
        second = self.client.refresh(first["refresh_token"]).json
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertEqual(
            self.client.resource("/devices", second["access_token"]).status, 200)
        answer = self.client.refresh(first["refresh_token"])
        self.assertEqual((answer.status, answer.json["error"]), (400, "invalid_grant"))
        self.assertEqual(self.client.refresh(second["refresh_token"]).status, 400)
        self.assertEqual(
            self.client.resource("/devices", second["access_token"]).status, 401)
        self.assertEqual(shared().status()["reuses"], reuses + 1)

    def test_of_many_refreshes_at_once_at_most_one_succeeds(self):
        from concurrent.futures import ThreadPoolExecutor
        token = self.client.login()["refresh_token"]
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: self.client.refresh(token), range(20)))
        good = [answer.json for answer in answers if answer.status == 200]
        self.assertLessEqual(len(good), 1)
        self.assertEqual({answer.status for answer in answers} - {200}, {400})
        for tokens in good:
            self.assertEqual(self.client.refresh(tokens["refresh_token"]).status, 400)

    def test_a_refresh_may_narrow_the_scope_but_not_widen_it(self):
        tokens = self.client.login(scope="openid read")
        narrow = self.client.refresh(tokens["refresh_token"], scope="read").json
        self.assertEqual(narrow["scope"], "read")
        whole = self.client.refresh(narrow["refresh_token"]).json
        self.assertEqual(whole["scope"], "openid read")

    def test_client_credentials_give_no_more_than_a_client_may_have(self):
        tokens = self.client.token("client_credentials").json
        self.assertEqual(tokens["scope"], "application-details read")
        self.assertNotIn("refresh_token", tokens)
        self.assertNotIn("id_token", tokens)
        self.assertEqual(claims(tokens["access_token"])["sub"], self.client.id)
        refused = self.client.token("client_credentials", scope="openid")
        self.assertEqual(refused.json["error"], "invalid_scope")
        public = Client(shared(), token_endpoint_auth_method="none")
        self.assertEqual(
            public.token("client_credentials").json["error"], "unauthorized_client")

    def test_a_token_is_exchanged_for_one_of_less_scope(self):
        kind = "urn:ietf:params:oauth:token-type:access_token"
        grant = "urn:ietf:params:oauth:grant-type:token-exchange"
        whole = self.client.login()["access_token"]
        part = self.client.token(
            grant, subject_token=whole, subject_token_type=kind, scope="read").json
        self.assertEqual((part["scope"], part["issued_token_type"]), ("read", kind))
        other = Client(shared()).token(
            grant, subject_token=whole, subject_token_type=kind, scope="read")
        self.assertEqual(other.json["error"], "invalid_request")

    def test_tokens_are_opaque_or_jwt_as_the_client_chose(self):
        opaque = Client(shared(), access_token_format="opaque", access_token_lifetime=60)
        tokens = opaque.login()
        self.assertRegex(tokens["access_token"], "^[0-9A-F]{64}$")
        self.assertEqual(tokens["expires_in"], 60)
        self.assertEqual(opaque.resource("/devices", tokens["access_token"]).status, 200)

    def test_introspection_and_revocation_tell_the_same_story(self):
        tokens = self.client.login()
        status = shared().status()["gateway"]
        gateway = {"Authorization": basic(status["client_id"], status["client_secret"])}
        for target in ("/introspect", "/api/v1/token/introspect"):
            facts = self.client.http.post(
                target, form={"token": tokens["access_token"]}, fields=gateway).json
            self.assertEqual((facts["active"], facts["username"]), (True, "alice"))
            self.assertEqual(facts["amr"], ["DEFAULT"])
            self.assertNotIn("cnf", facts)
        own = {"Authorization": basic(self.client.id, self.client.secret)}
        self.client.http.post(
            "/revoke", form={"token": tokens["access_token"]}, fields=own)
        facts = self.client.http.post(
            "/introspect", form={"token": tokens["access_token"]}, fields=gateway).json
        self.assertEqual(facts, {"active": False})
        again = self.client.refresh(tokens["refresh_token"])
        self.assertEqual(again.status, 200)
        for token, kind in ((tokens, None), (again.json, "refresh_token")):
            facts = self.client.http.post(
                "/introspect", form={"token": token["refresh_token"]}, fields=gateway).json
            self.assertEqual(facts.get("token_type"), kind)
        stranger = Client(shared())
        stranger.http.post(
            "/revoke", form={"token": again.json["refresh_token"]},
            fields={"Authorization": basic(stranger.id, stranger.secret)})
        tokens = self.client.refresh(again.json["refresh_token"]).json
        self.client.http.post(
            "/revoke", form={"token": tokens["refresh_token"]}, fields=own)
        self.assertEqual(self.client.refresh(tokens["refresh_token"]).status, 400)
        self.assertEqual(
            self.client.resource("/devices", tokens["access_token"]).status, 401)
        public = Client(shared(), token_endpoint_auth_method="none").id
        for form in ({"token": "x"}, {"token": "x", "client_id": public}):
            self.assertEqual(self.client.http.post("/introspect", form=form).status, 401)

    def test_userinfo_follows_the_scope(self):
        token = self.client.login()["access_token"]
        answer = self.client.http.get("/userinfo", fields={"Authorization": f"Bearer {token}"})
        self.assertEqual(answer.json["email"], "alice@example.com")
        token = self.client.login(scope="openid")["access_token"]
        answer = self.client.http.get("/userinfo", fields={"Authorization": f"Bearer {token}"})
        self.assertEqual(list(answer.json), ["sub"])
        token = self.client.login(scope="read")["access_token"]
        answer = self.client.http.get("/userinfo", fields={"Authorization": f"Bearer {token}"})
        self.assertEqual(answer.status, 403)
        self.assertEqual(self.client.http.get("/userinfo").status, 401)

    def test_keys_rotate_and_the_former_ones_stay_published(self):
        from program import run
        before = self.client.login()
        run("rotate", directory=shared().directory)
        after = self.client.login()
        published = {key["kid"] for key in self.client.http.get("/jwks").json["keys"]}
        self.assertNotEqual(
            header(before["id_token"])["kid"], header(after["id_token"])["kid"])
        self.assertIn(header(before["id_token"])["kid"], published)
        self.assertIn(header(after["id_token"])["kid"], published)


class Authentication(unittest.TestCase):
    def test_each_method_is_accepted_and_no_other(self):
        http = HTTP(shared())
        for method in ("client_secret_basic", "client_secret_post"):
            client = Client(shared(), token_endpoint_auth_method=method)
            by_header = http.post(
                "/token", form={"grant_type": "client_credentials"},
                fields={"Authorization": basic(client.id, client.secret)})
            by_form = http.post("/token", form={
                "grant_type": "client_credentials", "client_id": client.id,
                "client_secret": client.secret})
            wanted = (200, 401) if method == "client_secret_basic" else (401, 200)
            self.assertEqual((by_header.status, by_form.status), wanted)
        refused = http.post(
            "/token", form={"grant_type": "client_credentials"},
            fields={"Authorization": basic(client.id, "wrong")})
        self.assertEqual(refused.json["error"], "invalid_client")
        self.assertIn("Basic", refused.field("WWW-Authenticate"))

    def assertion(self, client_id, **more):
        return {
            "iss": client_id, "sub": client_id, "aud": shared().issuer + "/token",
            "exp": int(time.time()) + 60, "jti": secrets.token_hex(8), **more}

    def ask(self, client, assertion, **more):
        return client.token("client_credentials", client_assertion=assertion, **{
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            **more})

    def test_private_key_jwt(self):
        key = Key()
        client = Client(
            shared(), token_endpoint_auth_method="private_key_jwt", jwks={"keys": [key.jwk]})
        good = key.sign({"alg": "ES256"}, self.assertion(client.id))
        for more in ({"client_id": "another"}, {"client_assertion_type": "x"}):
            self.assertEqual(self.ask(client, good, **more).status, 401, more)
        self.assertEqual(self.ask(client, good).status, 200)
        self.assertEqual(self.ask(client, good).json["error"], "invalid_client")
        for more in ({"exp": int(time.time()) - 1}, {"iss": "another"}):
            bad = key.sign({"alg": "ES256"}, self.assertion(client.id, **more))
            self.assertEqual(self.ask(client, bad).status, 401, more)
        forged = Key().sign({"alg": "ES256"}, self.assertion(client.id))
        self.assertEqual(self.ask(client, forged).status, 401)

    def test_client_secret_jwt(self):
        import hashlib
        import hmac
        import json
        client = Client(shared(), token_endpoint_auth_method="client_secret_jwt")
        for secret, status in ((client.secret, 200), ("wrong", 401)):
            message = b64url(json.dumps({"alg": "HS256"}).encode()) + "." + b64url(
                json.dumps(self.assertion(client.id)).encode())
            mac = hmac.new(secret.encode(), message.encode(), hashlib.sha256).digest()
            self.assertEqual(self.ask(client, f"{message}.{b64url(mac)}").status, status)


class PushedAndDevice(unittest.TestCase):
    def test_a_pushed_request_is_used_once(self):
        import urllib.parse
        client = Client(shared())
        own = {"Authorization": basic(client.id, client.secret)}
        query = urllib.parse.urlsplit(client.authorization()).query
        form = dict(urllib.parse.parse_qsl(query))
        pushed = client.http.post("/par", form=form, fields=own)
        self.assertEqual(pushed.status, 201)
        target = "/authorize?" + urllib.parse.urlencode(
            {"client_id": client.id, "request_uri": pushed.json["request_uri"]})
        browser = Browser(shared()).open(target).sign_in().allow()
        self.assertEqual(client.redeem(browser.outcome["code"]).status, 200)
        self.assertEqual(Browser(shared()).open(target).answer.status, 400)
        bad = client.http.post("/par", form={**form, "scope": "nothing"}, fields=own)
        self.assertEqual((bad.status, bad.json["error"]), (400, "invalid_scope"))

    def device(self, client):
        return client.http.post(
            "/device_authorization", form={"client_id": client.id, "scope": "openid read"}).json

    def poll(self, client, device):
        return client.token(
            "urn:ietf:params:oauth:grant-type:device_code", device_code=device["device_code"])

    def test_a_device_waits_for_its_person(self):
        client = Client(shared(), token_endpoint_auth_method="none")
        device = self.device(client)
        self.assertEqual(device["interval"], 1)
        self.assertEqual(self.poll(client, device).json["error"], "authorization_pending")
        self.assertEqual(self.poll(client, device).json["error"], "slow_down")
        browser = Browser(shared()).open(device["verification_uri"])
        browser.submit("/device", user_code="WRONG")
        self.assertIn("No device", browser.page.alert)
        browser.submit("/device", user_code=device["user_code"].lower().replace("-", " "))
        browser.sign_in("bob", "builder")
        self.assertIn(device["user_code"], browser.answer.text)
        browser.allow()
        self.assertEqual(browser.page.title, "Your device is connected")
        tokens = self.poll(client, device)
        self.assertEqual(tokens.status, 200)
        self.assertEqual(client.resource("/devices", tokens.json["access_token"]).status, 200)
        self.assertIn("refresh_token", tokens.json)
        self.assertEqual(self.poll(client, device).json["error"], "invalid_grant")

    def test_a_refused_device_is_told_so(self):
        client = Client(shared(), token_endpoint_auth_method="none")
        device = self.device(client)
        browser = Browser(shared()).open(device["verification_uri_complete"])
        browser.submit("/device").sign_in().submit("/consent", decision="cancel")
        self.assertEqual(browser.page.title, "Your device was refused")
        self.assertEqual(self.poll(client, device).json["error"], "access_denied")


class ProofOfPossession(unittest.TestCase):
    def setUp(self):
        self.key = Key()
        self.client = Client(shared(), token_endpoint_auth_method="none")
        self.endpoint = shared().issuer + "/token"

    def bound(self):
        code = self.client.code()
        first = self.client.redeem(
            code, fields={"DPoP": self.key.proof("POST", self.endpoint)})
        self.assertEqual((first.status, first.json["error"]), (400, "use_dpop_nonce"))
        self.nonce = first.field("DPoP-Nonce")
        answer = self.client.redeem(
            code, fields={"DPoP": self.key.proof("POST", self.endpoint, self.nonce)})
        self.assertEqual(answer.status, 200)
        return answer.json

    def fetch(self, token, named=None, path="/resources/devices", **more):
        wanted = {"nonce": self.nonce, "token": named or token, **more}
        proof = self.key.proof("GET", shared().issuer + path, **wanted)
        return self.client.http.get(
            path, fields={"Authorization": f"DPoP {token}", "DPoP": proof})

    def test_a_bound_token_is_good_with_its_key_only(self):
        tokens = self.bound()
        token = tokens["access_token"]
        self.assertEqual(tokens["token_type"], "DPoP")
        self.assertEqual(claims(token)["cnf"]["jkt"], self.key.thumbprint)
        self.assertEqual(self.fetch(token).status, 200)
        self.assertEqual(self.fetch(token, path="/userinfo").status, 200)
        self.assertEqual(self.fetch(token, named="another").status, 401)
        self.assertEqual(self.fetch(token, iat=int(time.time()) - 3600).status, 401)
        without = self.fetch(token, nonce=None)
        self.assertIn("use_dpop_nonce", without.field("WWW-Authenticate"))
        self.assertIsNotNone(without.field("DPoP-Nonce"))
        code = self.client.code(dpop_jkt=self.key.thumbprint)
        self.key = Key()
        for path in ("/resources/devices", "/userinfo"):
            self.assertEqual(self.fetch(token, path=path).status, 401)
        proof = {"DPoP": self.key.proof("POST", self.endpoint, self.nonce)}
        answer = self.client.redeem(code, fields=proof)
        self.assertEqual(answer.json.get("error"), "invalid_dpop_proof")
