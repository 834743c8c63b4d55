"""Operations with FIDO UAF that begin elsewhere: tokens, dispatch targets, status."""

import json
import tempfile
import time
import unittest

from client import Key
from fido import JSON_MEDIA, TO_JSON, TO_UAF, Device, FIDOCase, session_of, status, uaf
from program import shared
from test_foreign import command, need

WORDS = {"Reg": "registration", "Auth": "authentication", "Dereg": "deregistration"}


class TokenCase(FIDOCase):
    def setUp(self):
        super().setUp()
        self.device = Device(shared())

    def create(self, operation, fields=None, **context):
        answer = self.device.post(
            f"/token/create/{WORDS[operation]}", self.device.wish(operation, **context), fields,
            TO_JSON)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def redeem(self, operation, token):
        return self.device.post(
            f"/token/redeem/{WORDS[operation]}", {"token": token}, media=TO_UAF)

    def progress(self, made):
        answer = self.device.post("/status", {"sessionId": made["sessionId"]}, media=JSON_MEDIA)
        self.assertEqual(answer.status, 200)
        return answer.json

    def fido_session(self):
        return session_of(self.device.registered().authenticate())


class Tokens(TokenCase):
    def test_a_registration_from_token_to_key(self):
        made = self.create("Reg", self.device.login)
        self.assertEqual(self.progress(made)["status"], "tokenCreated")
        request = self.device.opened(self.redeem("Reg", made["token"]))[0]
        self.assertEqual(self.progress(made)["status"], "clientRegistering")
        self.assertEqual(status(self.device.register(request)), 1200)
        done = self.progress(made)
        key, = shared().status()["fido"]["keys"]
        self.assertEqual(
            (done["status"], done["userId"], done["uafStatusCode"], done["authenticators"]),
            ("succeeded", self.device.user, 1200,
             [{"aaid": key["aaid"], "keyId": key["keyId"], "extId": key["extId"]}]))
        self.assertEqual(done["tokenInformation"]["tokenResult"], "tokenRedeemed")
        self.assertRegex(done["timestamp"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_an_authentication_from_token_to_result(self):
        self.device.registered()
        made = self.create("Auth")
        request = self.device.opened(self.redeem("Auth", made["token"]))[0]
        self.assertEqual(self.progress(made)["status"], "clientAuthenticating")
        self.assertEqual(status(self.device.authenticate(request)), 1200)
        self.assertEqual(self.progress(made)["status"], "succeeded")

    def test_a_deregistration_by_token(self):
        self.device.registered()
        made = self.create("Dereg", self.device.login, mode="username")
        request = self.device.opened(self.redeem("Dereg", made["token"]))[0]
        self.assertEqual(len(request["authenticators"]), 1)
        self.assertEqual(self.progress(made)["status"], "succeeded")

    def test_a_failure_is_the_status_of_the_operation(self):
        self.device.registered()
        made = self.create("Auth")
        request = self.device.opened(self.redeem("Auth", made["token"]))[0]
        self.assertEqual(status(self.device.authenticate(request, signature=bytes(64))), 1498)
        failed = self.progress(made)
        self.assertEqual((failed["status"], failed["uafStatusCode"]), ("failed", 1498))

    def test_a_client_reports_the_status_of_its_authenticator(self):
        self.device.registered()
        made = self.create("Auth")
        request = self.device.opened(self.redeem("Auth", made["token"]))[0]
        message = uaf.response(request, self.device.parameters(request), b"")
        message[0]["assertions"] = []
        answer = self.device.send("/uaf/1.1/authentication", message, asmStatusCode=3)
        self.assertEqual(status(answer), 1498)
        failed = self.progress(made)
        self.assertEqual((failed["status"], failed["asmStatusCode"]), ("failed", 3))

    def test_a_token_works_once_and_for_its_operation(self):
        self.device.registered()
        for other in ("Reg", "Auth"):
            made = self.create("Auth")
            answers = [status(self.redeem(operation, made["token"]))
                       for operation in (other, "Auth")]
            self.assertEqual(answers, [1404, 1404] if other == "Reg" else [1200, 1404])
        self.assertEqual(status(self.redeem("Auth", "nothing")), 1404)

    def test_a_token_expires(self):
        self.device.registered()
        made = self.create("Auth")
        shared().fault("uaf-expired-token")
        self.assertEqual(status(self.redeem("Auth", made["token"])), 1408)
        self.assertEqual(self.progress(made)["status"], "failed")
        shared().fido("lifetime=0")
        made = self.create("Auth")
        late = self.progress(made)
        self.assertEqual(
            (late["status"], late["tokenInformation"]["tokenResult"]), ("failed", "tokenTimedOut"))
        self.assertEqual(status(self.redeem("Auth", made["token"])), 1408)

    def test_an_operation_that_nobody_began(self):
        self.assertEqual(self.progress({"sessionId": "x"})["status"], "unknown")

    def test_a_token_is_for_the_caller(self):
        answer = self.device.post(
            "/token/create/registration", self.device.wish("Reg", username="bob"),
            self.device.login, TO_JSON)
        self.assertEqual(status(answer), 1403)


class Targets(TokenCase):
    def setUp(self):
        super().setUp()
        self.key = Key()
        self.fields = self.fido_session()

    def target(self, **changed):
        return {"username": self.device.user, "deviceId": "device-1", "name": "Phone",
                "target": "address", "dispatcher": "sandbox-push", "signatureKey": self.key.jwk,
                **changed}

    def create_target(self, **changed):
        return self.device.post(
            "/token/dispatch/targets", self.target(**changed), self.fields, JSON_MEDIA)

    def targets(self):
        answer = self.device.http.get(
            f"/nevisfido/token/dispatch/targets?username={self.device.user}", fields=self.fields)
        self.assertEqual(answer.status, 200)
        return answer.json["dispatchTargets"]

    def change(self, id, payload, key=None, type="application/jose;charset=UTF-8"):
        body = (key or self.key).sign({"alg": "ES256"}, payload)
        return self.device.http.send(
            "PATCH", f"/nevisfido/token/dispatch/targets/{id}", body=body.encode(),
            fields={"Content-Type": type}).status

    def change_of(self, **members):
        return {"jti": uaf.secrets.token_hex(8), "iat": int(time.time()), **members}

    def test_create_list_change_and_delete(self):
        made = self.create_target()
        self.assertEqual(made.status, 201)
        id = made.json["id"]
        self.assertEqual(self.targets(), [{
            "id": id, "extId": made.json["extId"], "name": "Phone", "target": "address",
            "dispatcher": "sandbox-push", "deviceId": "device-1"}])
        self.assertEqual(self.change(id, self.change_of(name="Old", target="other")), 204)
        self.assertEqual(
            [(one["name"], one["target"]) for one in self.targets()], [("Old", "other")])
        path = f"/nevisfido/token/dispatch/targets/{id}"
        answers = [self.device.http.send("DELETE", path, fields=self.fields).status
                   for _ in range(2)]
        self.assertEqual((answers, self.targets()), ([204, 404], []))

    def test_keys_as_text(self):
        self.assertEqual(
            self.create_target(signatureKey=json.dumps(self.key.jwk)).status, 201)

    def test_targets_that_are_refused(self):
        self.assertEqual(self.create_target().status, 201)
        for changed, code in (
            ({}, 422), ({"name": "Two", "dispatcher": "pigeon"}, 422), ({"name": ""}, 400),
            ({"name": None}, 400), ({"target": None}, 400), ({"signatureKey": None}, 400),
            ({"signatureKey": {"kty": "EC"}}, 400), ({"encryptionKey": {"kty": "EC"}}, 400),
            ({"name": "Two", "username": "bob"}, 403),
            ({"name": "Two", "username": "nobody"}, 403),
        ):
            self.assertEqual(self.create_target(**changed).status, code, changed)
        self.assertEqual(len(self.targets()), 1)

    def test_changes_that_are_refused(self):
        id = self.create_target().json["id"]
        self.create_target(name="Taken")
        good = self.change_of(name="New")
        self.assertEqual(self.change(id, good, key=Key()), 401)
        self.assertEqual(self.change(id, good | {"iat": int(time.time()) - 3600}), 401)
        for missing in ("jti", "iat"):
            left = {name: value for name, value in good.items() if name != missing}
            self.assertEqual(self.change(id, left), 401)
        self.assertEqual([self.change(id, good) for _ in range(2)], [204, 401])
        self.assertEqual(self.change(id, self.change_of(name="Taken")), 422)
        self.assertEqual(self.change(id, self.change_of(dispatcher="pigeon")), 422)
        self.assertEqual(self.change("x", self.change_of()), 404)
        self.assertEqual(self.change(id, self.change_of(), type="application/json"), 415)
        answer = self.device.http.send(
            "PATCH", f"/nevisfido/token/dispatch/targets/{id}", body=b"a.b",
            fields={"Content-Type": "application/jose;charset=UTF-8"})
        self.assertEqual(answer.status, 400)

    def test_a_password_is_not_enough_to_delete(self):
        path = f"/nevisfido/token/dispatch/targets/{self.create_target().json['id']}"
        answer = self.device.http.send("DELETE", path, fields=self.device.login)
        self.assertEqual((answer.status, len(self.targets())), (401, 1))

    def test_another_person(self):
        id = self.create_target().json["id"]
        bob = Device(shared(), "bob", "builder").registered()
        fields = session_of(bob.authenticate())
        path = "/nevisfido/token/dispatch/targets"
        self.assertEqual(bob.http.send("DELETE", f"{path}/{id}", fields=fields).status, 404)
        self.assertEqual(
            bob.http.get(f"{path}?username={self.device.user}", fields=fields).status, 403)
        self.assertEqual(bob.http.get(path, fields=fields).json, {"dispatchTargets": []})

    # Dispatch

    def dispatch(self, operation="Auth", **members):
        answer = self.device.post(
            f"/token/dispatch/{WORDS[operation]}",
            {"getUafRequest": self.device.wish(operation), **members}, self.fields, JSON_MEDIA)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def test_a_token_is_sent_to_a_device(self):
        target = self.create_target().json
        sent = self.dispatch(dispatchTargetId=target["id"])
        self.assertEqual(
            (sent["dispatchResult"], sent["dispatcherInformation"]["name"]),
            ("dispatched", "sandbox-push"))
        message, = shared().status()["fido"]["messages"]
        self.assertEqual((message["target"], message["data"]["redeemData"]["token"]),
                         ("address", sent["token"]))
        request = self.device.opened(self.redeem("Auth", sent["token"]))[0]
        self.assertEqual(status(self.device.authenticate(request)), 1200)
        done = self.progress(sent)
        self.assertEqual(done["tokenInformation"]["dispatchTargetExtId"], target["extId"])

    def test_a_token_comes_back_as_a_link(self):
        sent = self.dispatch("Reg", dispatcher="link")
        link = sent["dispatcherInformation"]["response"]
        self.assertIn("?dispatchTokenResponse=", link)
        payload = json.loads(uaf.from_b64url(link.split("=")[1]))
        self.assertEqual(payload["redeemData"], {
            "token": sent["token"],
            "redeemUrl": shared().issuer + "/nevisfido/token/redeem/registration"})

    @need("jose")
    def test_a_token_is_encrypted_for_a_device_with_a_key(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".jwk") as file:
            command("jose", "jwk", "gen", "-i", '{"kty":"EC","crv":"P-256"}', "-o", file.name)
            public = json.loads(command("jose", "jwk", "pub", "-i", file.name).stdout)
            target = self.create_target(name="Closed", encryptionKey=public).json
            sent = self.dispatch(dispatchTargetId=target["id"])
            data = shared().status()["fido"]["messages"][0]["data"]
            self.assertEqual(data["contentType"], "application/jose")
            self.assertNotIn(sent["token"], json.dumps(data))
            opened = command(
                "jose", "jwe", "dec", "-i", "-", "-k", file.name, input=data["data"]).stdout
        self.assertEqual(json.loads(opened)["redeemData"]["token"], sent["token"])

    def test_what_cannot_be_dispatched(self):
        for members, result in (
            ({"dispatchTargetId": "x"}, "dispatchTargetNotFound"),
            ({"dispatcher": "pigeon"}, "dispatcherNotFound"), ({}, "dispatcherNotFound"),
            ({"dispatcher": "sandbox-push"}, "dispatchTargetNotFound"),
            ({"dispatcher": "link",
              "getUafRequest": self.device.wish("Auth", username="nobody")}, "userNotFound"),
        ):
            self.assertEqual(self.dispatch(**members), {"dispatchResult": result})


if __name__ == "__main__":
    unittest.main()
