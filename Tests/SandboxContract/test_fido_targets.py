"""The dispatch targets of the FIDO UAF server."""

import json
import unittest

from client import Key
from fido import JSON_MEDIA, Device, FIDOCase, session_of
from program import shared


class Targets(FIDOCase):
    def setUp(self):
        super().setUp()
        self.device = Device(shared())
        self.key = Key()
        self.fields = session_of(self.device.registered().authenticate())

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

    def test_create_list_and_delete(self):
        made = self.create_target()
        self.assertEqual(made.status, 201)
        id = made.json["id"]
        self.assertEqual(self.targets(), [{
            "id": id, "extId": made.json["extId"], "name": "Phone", "target": "address",
            "dispatcher": "sandbox-push", "deviceId": "device-1"}])
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
