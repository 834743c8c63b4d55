"""The verifier of FIDO UAF proves itself: it accepts what is good, and nothing that was altered."""

import json
import os
import struct
import unittest

try:
    from . import fido_uaf as uaf
except ImportError:
    uaf = None


@unittest.skipUnless(uaf or "CI" in os.environ, "needs python3-cryptography")
class VerifierTests(unittest.TestCase):
    def setUp(self):
        self.parameters = uaf.fc_params("https://app.example", "challenge", "https://app.example")

    def registered(self, **options):
        authenticator = uaf.Authenticator(**options)
        assertion = authenticator.register(self.parameters)
        return authenticator, uaf.verify_registration(assertion, self.parameters)

    def refused(self, status, verify, *arguments):
        with self.assertRaises(uaf.Bad) as refusal:
            verify(*arguments)
        self.assertEqual(refusal.exception.status, status)

    def test_all_encodings_attestations_and_keys_with_leading_zeros(self):
        for algorithm in (uaf.RAW_SIGNATURE, uaf.DER_SIGNATURE):
            for encoding in (uaf.RAW_KEY, uaf.DER_KEY):
                for surrogate in (False, True):
                    authenticator, key = self.registered(
                        algorithm=algorithm, encoding=encoding, surrogate=surrogate,
                        leading_zero=True)
                    for transaction in (None, b"Pay"):
                        assertion = authenticator.authenticate(self.parameters, transaction)
                        uaf.verify_authentication(assertion, self.parameters, key, transaction)

    def test_the_hash_covers_the_text_in_base64url(self):
        text = uaf.fc_params("a", "b", "c")
        self.assertEqual(json.loads(uaf.from_b64url(text)), {
            "appID": "a", "challenge": "b", "facetID": "c", "channelBinding": {}})
        self.assertEqual(uaf.final_challenge(text), uaf.hashlib.sha256(text.encode()).digest())

    def test_the_layout_of_elements(self):
        self.assertEqual(uaf.tlv(0x2E0B, b"\x07").hex(), "0b2e010007")
        nested = uaf.tlv(uaf.KRD, uaf.tlv(uaf.AAID, b"a") + uaf.tlv(uaf.INFO, b""))
        (tag, content, whole), = uaf.elements(nested)
        self.assertEqual((tag, whole, len(uaf.elements(content))), (uaf.KRD, nested, 2))
        for bad in (nested[:-1], nested + b"\0", b"\x0b\x2e\x05"):
            self.refused(1498, uaf.elements, bad)

    def test_each_bit_of_a_registration_counts(self):
        authenticator = uaf.Authenticator(algorithm=uaf.RAW_SIGNATURE, surrogate=True)
        good = authenticator.register(self.parameters)
        for position in range(len(good)):
            bad = bytearray(good)
            bad[position] ^= 1
            with self.assertRaises(uaf.Bad):
                uaf.verify_registration(bytes(bad), self.parameters)

    def test_each_bit_of_an_authentication_counts(self):
        authenticator, key = self.registered(algorithm=uaf.RAW_SIGNATURE)
        good = authenticator.authenticate(self.parameters)
        for position in range(len(good)):
            bad = bytearray(good)
            bad[position] ^= 1
            with self.assertRaises(uaf.Bad):
                uaf.verify_authentication(bytes(bad), self.parameters, key)
        uaf.verify_authentication(good, self.parameters, key)

    def test_what_the_specification_refuses(self):
        authenticator, key = self.registered()
        other = self.parameters + "AA"
        self.refused(1498, uaf.verify_authentication,
                     authenticator.authenticate(self.parameters), other, key)
        self.refused(1498, uaf.verify_authentication,
                     authenticator.authenticate(self.parameters, b"Pay 5"), self.parameters, key,
                     b"Pay 6")
        for changes, status in (
            ({uaf.KEY_ID: bytes(32)}, 1481), ({uaf.NONCE: bytes(7)}, 1498),
            ({uaf.INFO: struct.pack("<HBH", 1, 1, 1)}, 1495),
        ):
            assertion = authenticator.authenticate(self.parameters, changes=changes)
            self.refused(status, uaf.verify_authentication, assertion, self.parameters, key)
        uaf.verify_authentication(
            authenticator.authenticate(self.parameters), self.parameters, key)
        authenticator.sign_counter -= 1
        self.refused(1498, uaf.verify_authentication,
                     authenticator.authenticate(self.parameters), self.parameters, key)
