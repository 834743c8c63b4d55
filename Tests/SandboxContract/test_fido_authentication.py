"""Authentications with FIDO UAF: what is accepted, each part altered alone, and their results."""

import hashlib
import struct
import unittest

from fido import Device, FIDOCase, session_of, status, uaf
from program import shared


class Authentications(FIDOCase):
    def setUp(self):
        super().setUp()
        self.device = Device(shared()).registered()

    def count(self):
        return shared().status()["fido"]["authentications"]

    def refused(self, code, device=None, **how):
        before = self.count()
        self.assertEqual(status((device or self.device).authenticate(**how)), code)
        self.assertEqual(self.count(), before)

    def test_the_policy_names_the_keys_of_the_person(self):
        policy = self.device.authentication()["policy"]
        self.assertEqual(policy, {"accepted": [[{
            "aaid": [uaf.DEVELOPMENT_AAID],
            "keyIDs": [uaf.b64url(self.device.authenticator.key_id)]}]]})

    def test_each_authentication_is_counted(self):
        for count in range(1, 4):
            self.assertEqual(status(self.device.authenticate()), 1200)
            self.assertEqual(self.count(), count)

    def test_the_assertion_altered(self):
        info = lambda version, mode, algorithm: struct.pack("<HBH", version, mode, algorithm)
        for tag, value, code in (
            (uaf.AAID, b"0000#0000", 1480), (uaf.AAID, b"F1D0#1001", 1492),
            (uaf.AAID, b"x", 1498), (uaf.INFO, info(1, 2, 2), 1498),
            (uaf.INFO, info(1, 0, 2), 1498), (uaf.INFO, info(0, 1, 2), 1492),
            (uaf.INFO, info(1, 1, 1), 1495), (uaf.INFO, info(1, 1, 9), 1495),
            (uaf.INFO, info(1, 1, 2) + b"\0", 1498), (uaf.NONCE, bytes(7), 1498),
            (uaf.NONCE, bytes(65), 1498), (uaf.NONCE, b"", 1498),
            (uaf.CHALLENGE_HASH, bytes(32), 1498),
            (uaf.TRANSACTION_HASH, bytes(32), 1498), (uaf.TRANSACTION_HASH, bytes(31), 1498),
            (uaf.KEY_ID, bytes(32), 1481), (uaf.KEY_ID, bytes(8), 1498),
            (uaf.COUNTERS, bytes(8), 1498), (uaf.PUBLIC_KEY, b"x", 1498),
        ):
            with self.subTest(tag=hex(tag), value=value[:12]):
                self.refused(code, assertion={tag: value})

    def test_an_element_that_is_missing_or_twice(self):
        for tag in (uaf.AAID, uaf.INFO, uaf.NONCE, uaf.CHALLENGE_HASH, uaf.TRANSACTION_HASH,
                    uaf.KEY_ID, uaf.COUNTERS):
            with self.subTest(hex(tag)):
                self.refused(1498, assertion={tag: None})
        self.refused(1498, more=uaf.tlv(uaf.NONCE, bytes(8)))
        self.refused(1498, more=uaf.tlv(uaf.CRITICAL_EXTENSION, b""))
        self.assertEqual(
            status(self.device.authenticate(more=uaf.tlv(uaf.EXTENSION, b""))), 1200)

    def test_bytes_too_many_and_too_few_anywhere(self):
        for damage in (
            lambda data: data + b"\0", lambda data: data[:-1], lambda data: data + data,
            lambda data: uaf.tlv(uaf.AUTH_ASSERTION, data[4:] + b"\0\0\0\0"),
            lambda data: uaf.tlv(uaf.REG_ASSERTION, data[4:]), self.with_other_data,
            self.with_other_signature,
        ):
            request = self.device.authentication()
            parameters = self.device.parameters(request)
            good = self.device.authenticator.authenticate(parameters)
            answer = self.device.send(
                "/uaf/1.1/authentication", uaf.response(request, parameters, damage(good)))
            self.assertEqual(status(answer), 1498)

    def with_other_data(self, assertion):
        data = uaf.tlv(uaf.KRD, uaf.elements(assertion[4:])[0][1])
        signature = uaf.sign(self.device.authenticator.key, data, uaf.DER_SIGNATURE)
        return uaf.tlv(uaf.AUTH_ASSERTION, data + uaf.tlv(uaf.SIGNATURE, signature))

    def with_other_signature(self, assertion):
        (_, _, data), (_, signature, _) = uaf.elements(assertion[4:])
        return uaf.tlv(uaf.AUTH_ASSERTION, data + uaf.tlv(uaf.CERTIFICATE, signature))

    def test_signatures_that_are_not_of_the_key(self):
        self.refused(1498, signer=uaf.new_key())
        self.refused(1498, signature=b"\0")
        self.refused(1498, signature=bytes(64))
        raw = Device(shared(), algorithm=uaf.RAW_SIGNATURE).registered()
        raw.authenticator.algorithm = uaf.DER_SIGNATURE
        info = struct.pack("<HBH", 1, 1, uaf.RAW_SIGNATURE)
        self.refused(1498, raw, assertion={uaf.INFO: info})

    def test_counters_never_go_back(self):
        self.device.authenticator.sign_counter = 10
        self.assertEqual(status(self.device.authenticate()), 1200)
        for value in (11, 10, 0, 1):
            self.refused(1498, assertion={uaf.COUNTERS: struct.pack("<I", value)})
        last = struct.pack("<I", 2**32 - 1)
        self.assertEqual(status(self.device.authenticate(assertion={uaf.COUNTERS: last})), 1200)
        self.refused(1498)

    def test_an_authenticator_without_counters(self):
        none = {uaf.COUNTERS: bytes(4)}
        for _ in range(2):
            self.assertEqual(status(self.device.authenticate(assertion=none)), 1200)
        self.assertEqual(status(self.device.authenticate()), 1200)
        self.refused(1498, assertion=none)

    def test_the_version_of_an_authenticator_never_goes_back(self):
        self.device.authenticator.version = 5
        self.assertEqual(status(self.device.authenticate()), 1200)
        self.device.authenticator.version = 4
        self.refused(1492)

    def test_the_key_of_another_person(self):
        bob = Device(shared(), "bob", "builder").registered()
        request = bob.authentication()
        self.refused(1481, request=request)

    def test_anybody_may_answer_a_request_without_a_name(self):
        answer = self.device.post(
            "/uaf/1.1/request/authentication", {"op": "Auth", "context": "{}"})
        self.assertEqual(status(self.device.authenticate(self.device.opened(answer)[0])), 1200)

    def test_a_person_without_a_key_and_nobody(self):
        bob = Device(shared(), "bob", "builder")
        for name in (bob.user, "nobody"):
            answer = bob.post(
                "/uaf/1.1/request/authentication", bob.wish("Auth", username=name))
            self.assertEqual(status(answer), 1404)

    def test_a_new_key_is_known_late(self):
        shared().fido("late=2")
        device = Device(shared()).registered()
        self.assertEqual(
            [status(device.authenticate()) for _ in range(4)], [1481, 1481, 1200, 1200])

    # Transactions

    def test_a_text_has_to_be_confirmed(self):
        for text in ("Pay 5", "Zahle 5 €\nan Bob"):
            request = self.device.authentication(transaction=[
                {"contentType": "text/plain", "content": uaf.b64url(text.encode())}])
            self.assertEqual(request["transaction"], [
                {"contentType": "text/plain", "content": uaf.b64url(text.encode())}])
            answer = self.device.authenticate(request, transaction=text.encode())
            self.assertEqual(status(answer), 1200)

    def test_a_context_can_ask_for_a_text_only(self):
        wish = self.device.wish("Auth", transaction=[{"contentType": "image/png", "content": ""}])
        answer = self.device.post("/uaf/1.1/request/authentication", wish)
        self.assertEqual(status(answer), 1400)

    def test_a_transaction_that_is_not_that_of_the_request(self):
        shared().fido("transaction=Pay 5")
        for how in ({}, {"transaction": b"Pay 6"}, {
            "transaction": b"Pay 5",
            "assertion": {uaf.INFO: struct.pack("<HBH", 1, 1, uaf.DER_SIGNATURE)}}, {
                "assertion": {uaf.TRANSACTION_HASH: hashlib.sha256(b"Pay 5").digest()}}):
            self.refused(1498, **how)
        self.assertEqual(status(self.device.authenticate(transaction=b"Pay 5")), 1200)
        shared().fido("transaction=default")
        self.refused(1498, transaction=b"Pay 5")

    def test_an_image_has_to_be_confirmed(self):
        shared().fido("transaction=png")
        request = self.device.authentication()
        transaction, = request["transaction"]
        image = uaf.from_b64url(transaction["content"])
        self.assertEqual((transaction["contentType"], image[:4]), ("image/png", b"\x89PNG"))
        self.assertEqual(transaction["tcDisplayPNGCharacteristics"]["width"], 1)
        self.assertEqual(status(self.device.authenticate(request, transaction=image)), 1200)

    # Results

    def resource(self, kind, fields):
        answer = self.device.http.get(f"/resources/{kind}-protected", fields=fields)
        return answer.status

    def test_cookies_open_the_resource_until_the_session_ends(self):
        fields = session_of(self.device.authenticate())
        self.assertEqual(
            [self.resource("cookie", None), self.resource("cookie", fields)], [401, 200])
        shared().fido("--end-sessions")
        self.assertEqual(self.resource("cookie", fields), 401)

    def test_a_jwt_opens_the_resource_until_the_session_ends(self):
        for result, read in (
            ("jwt-field", lambda answer: answer.field("Authorization")),
            ("jwt-member", lambda answer: "Bearer " + answer.json["jwt"]),
            ("jwt-token", lambda answer: "Bearer " + answer.json["additionalTokens"][0]["value"]),
        ):
            shared().fido(f"result={result}")
            answer = self.device.authenticate()
            self.assertEqual((status(answer), answer.field("Set-Cookie")), (1200, None))
            fields = {"Authorization": read(answer)}
            self.assertEqual(
                [self.resource("jwt", None), self.resource("jwt", fields)], [401, 200])
            shared().fido("--end-sessions")
            self.assertEqual(self.resource("jwt", fields), 401)
