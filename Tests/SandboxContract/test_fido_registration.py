"""Registrations with FIDO UAF: what is accepted, and each part of a response altered alone."""

import json
import os
import ssl
import struct
import unittest

from fido import Device, FIDOCase, status, uaf
from program import shared


class Registrations(FIDOCase):
    def device(self, **options):
        return Device(shared(), **options)

    def refused(self, code, device=None, **how):
        device = device or self.device()
        self.assertEqual(status(device.register(**how)), code)
        self.assertEqual(shared().status()["fido"]["registrations"], 0)

    def test_all_encodings_and_attestations_are_accepted(self):
        for algorithm in (uaf.RAW_SIGNATURE, uaf.DER_SIGNATURE):
            for encoding in (uaf.RAW_KEY, uaf.DER_KEY):
                for surrogate in (False, True):
                    device = self.device(
                        algorithm=algorithm, encoding=encoding, surrogate=surrogate)
                    self.assertEqual(status(device.registered().authenticate()), 1200)

    def test_coordinates_that_begin_with_a_zero_byte(self):
        for encoding in (uaf.RAW_KEY, uaf.DER_KEY):
            device = self.device(leading_zero=True, encoding=encoding)
            self.assertEqual(status(device.registered().authenticate()), 1200)

    def test_both_versions_of_a_request_are_good_once_together(self):
        device = self.device()
        newer, older = device.request("/uaf/1.1/request/registration", "Reg", device.login)
        self.assertEqual(
            [message["header"]["upv"] for message in (newer, older)],
            [{"major": 1, "minor": 1}, {"major": 1, "minor": 0}])
        self.assertEqual(status(device.register(older)), 1200)
        self.assertEqual(status(self.device().register(newer)), 1491)

    def test_the_header_altered(self):
        for path, value, code in (
            ("header.upv", {"major": 1, "minor": 2}, 1498), ("header.upv", None, 1498),
            ("header.upv.major", "1", 1498), ("header.op", "Auth", 1498),
            ("header.op", None, 1498), ("header.appID", "https://elsewhere.example", 1498),
            ("header.appID", "", 1498), ("header.appID", 7, 1498),
            ("header.serverData", "x" * 43, 1491), ("header.serverData", None, 1498),
            ("header.serverData", 7, 1498), ("header.exts", "x", 1498),
            ("header.exts", [{"id": "a", "data": "", "fail_if_unknown": True}], 1498),
            ("header", None, 1498), ("header", [], 1498), ("fcParams", None, 1498),
            ("fcParams", "!", 1498), ("fcParams", "e30", 1498), ("assertions", None, 1498),
            ("assertions", [], 1498), ("assertions", {}, 1498),
            ("assertions.0", "text", 1498), ("assertions.0.assertionScheme", "UAFV2", 1498),
            ("assertions.0.assertionScheme", None, 1498), ("assertions.0.assertion", None, 1498),
            ("assertions.0.assertion", "", 1498), ("assertions.0.assertion", "====", 1498),
            ("assertions.0.exts", [{"id": "a", "data": "", "fail_if_unknown": True}], 1498),
        ):
            with self.subTest(path=path, value=value):
                self.refused(code, changes={path: value})

    def test_an_extension_that_may_be_unknown_is_ignored(self):
        exts = [{"id": "a", "data": "", "fail_if_unknown": False}]
        for exts in (exts, None):
            changes = {"header.exts": exts, "assertions.0.exts": exts}
            self.assertEqual(status(self.device().register(changes=changes)), 1200)

    def test_the_challenge_parameters_altered(self):
        for changed, code in (
            ({"appID": "https://elsewhere.example"}, 1498), ({"appID": ""}, 1498),
            ({"appID": None}, 1498), ({"appID": 7}, 1498), ({"challenge": "x" * 43}, 1498),
            ({"challenge": None}, 1498), ({"challenge": ""}, 1498), ({"challenge": 7}, 1498),
            ({"facetID": "https://elsewhere.example"}, 1498), ({"facetID": ""}, 1498),
            ({"facetID": None}, 1498), ({"facetID": {}}, 1498), ({"channelBinding": None}, 1498),
            ({"channelBinding": "x"}, 1498), ({"binding": {"serverEndPoint": "AAAA"}}, 1490),
            ({"binding": {"tlsServerCertificate": "AAAA"}}, 1490),
            ({"binding": {"tlsUnique": "AAAA"}}, 1490),
            ({"binding": {"cid_pubkey": "AAAA"}}, 1490),
        ):
            with self.subTest(changed):
                self.refused(code, parameters=changed)

    def test_the_true_channel_binding_is_accepted(self):
        with open(os.path.join(shared().directory, "chain.pem")) as file:
            der = ssl.PEM_cert_to_DER_cert(file.read().split("-\n-")[0] + "-\n")
        binding = {
            "serverEndPoint": uaf.b64url(uaf.hashlib.sha256(der).digest()),
            "tlsServerCertificate": uaf.b64url(der), "cid_pubkey": "unused", "tlsUnique": None}
        self.assertEqual(status(self.device().register(parameters={"binding": binding})), 1200)

    def test_parameters_that_are_not_those_of_the_hash(self):
        device = self.device()
        request = device.registration()
        others = device.parameters(request) + "AA"
        self.refused(1498, device, request=request, changes={"fcParams": others})
        self.refused(1498, changes={"fcParams": device.parameters(device.registration())})

    def test_the_assertion_altered(self):
        info = lambda version, mode, algorithm, encoding: struct.pack(
            "<HBHH", version, mode, algorithm, encoding)
        for tag, value, code in (
            (uaf.AAID, b"0000#0000", 1480), (uaf.AAID, b"FFFF#00010", 1498),
            (uaf.AAID, b"FFFF-0001", 1498), (uaf.AAID, b"GFFF#0001", 1498),
            (uaf.AAID, b"", 1498), (uaf.PUBLIC_KEY, b"\x04" + bytes(65), 1494),
            (uaf.INFO, info(1, 2, 2, 0x101), 1498), (uaf.INFO, info(1, 0, 2, 0x101), 1498),
            (uaf.INFO, info(1, 1, 3, 0x101), 1495), (uaf.INFO, info(1, 1, 2, 0x103), 1495),
            (uaf.INFO, info(1, 1, 2, 0x100), 1494), (uaf.INFO, info(1, 1, 2, 0x101)[:5], 1498),
            (uaf.CHALLENGE_HASH, bytes(32), 1498), (uaf.CHALLENGE_HASH, b"", 1498),
            (uaf.KEY_ID, bytes(31), 1498), (uaf.KEY_ID, bytes(2049), 1498),
            (uaf.COUNTERS, bytes(4), 1498), (uaf.COUNTERS, bytes(12), 1498),
            (uaf.PUBLIC_KEY, b"\x04" + bytes(64), 1494), (uaf.PUBLIC_KEY, b"", 1498),
            (uaf.NONCE, bytes(8), 1498), (0x2EFF, b"", 1498),
        ):
            with self.subTest(tag=hex(tag), value=value[:12]):
                self.refused(code, assertion={tag: value})

    def test_an_element_that_is_missing_or_twice(self):
        for tag in (uaf.AAID, uaf.INFO, uaf.CHALLENGE_HASH, uaf.KEY_ID, uaf.COUNTERS,
                    uaf.PUBLIC_KEY):
            with self.subTest(hex(tag)):
                self.refused(1498, assertion={tag: None})
        self.refused(1498, more=uaf.tlv(uaf.AAID, b"FFFF#0001"))

    def test_extensions_of_the_assertion(self):
        body = uaf.tlv(uaf.EXTENSION_ID, b"a") + uaf.tlv(uaf.EXTENSION_DATA, b"b")
        self.refused(1498, more=uaf.tlv(uaf.CRITICAL_EXTENSION, body))
        answer = self.device().register(more=uaf.tlv(uaf.EXTENSION, body))
        self.assertEqual(status(answer), 1200)

    def test_bytes_too_many_and_too_few_anywhere(self):
        device = self.device()
        for damage in (
            lambda data: data + b"\0", lambda data: data[:-1], lambda data: b"\0" + data,
            lambda data: data + data, lambda data: data[:4], lambda data: b"",
            lambda data: uaf.tlv(uaf.REG_ASSERTION, data[4:] + b"\0"),
            lambda data: uaf.tlv(uaf.AUTH_ASSERTION, data[4:]),
            lambda data: uaf.tlv(uaf.REG_ASSERTION, data[4:] + uaf.tlv(uaf.SURROGATE, b"")),
            lambda data: data[:4] + struct.pack("<H", uaf.SIGNED_DATA) + data[6:],
        ):
            request = device.registration()
            parameters = device.parameters(request)
            good = device.authenticator.register(parameters)
            answer = device.send(
                "/uaf/1.1/registration", uaf.response(request, parameters, damage(good)))
            self.assertEqual(status(answer), 1498)

    def test_a_key_of_another_curve(self):
        from cryptography.hazmat.primitives.asymmetric import ec
        other = ec.generate_private_key(ec.SECP384R1()).public_key()
        self.refused(1494, assertion={
            uaf.PUBLIC_KEY: uaf.public_bytes(other, uaf.DER_KEY)})

    def test_a_key_that_is_not_on_its_curve_or_not_in_der(self):
        good = self.device().authenticator.public_key
        for bad in (good[:-1] + bytes([good[-1] ^ 1]), b"\x30\x81" + good[1:]):
            self.refused(1494, assertion={uaf.PUBLIC_KEY: bad})

    def test_a_compressed_point(self):
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
        device = self.device()
        point = device.authenticator.key.public_key().public_bytes(
            Encoding.X962, PublicFormat.CompressedPoint)
        head = bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200")
        self.refused(1494, device, assertion={uaf.PUBLIC_KEY: head + point})
        self.refused(1494, self.device(encoding=uaf.RAW_KEY), assertion={uaf.PUBLIC_KEY: point})

    # Attestation

    def test_a_signature_of_another_key(self):
        self.refused(1496, signer=uaf.new_key())
        self.refused(1496, self.device(surrogate=True), signer=uaf.new_key())
        self.refused(1496, signature=bytes(70))

    def test_a_signature_in_the_other_encoding(self):
        device = self.device(algorithm=uaf.RAW_SIGNATURE)
        device.authenticator.algorithm = uaf.DER_SIGNATURE
        changes = {uaf.INFO: struct.pack("<HBHH", 1, 1, uaf.RAW_SIGNATURE, uaf.DER_KEY)}
        self.refused(1496, device, assertion=changes)

    def test_certificates_that_are_not_a_valid_chain(self):
        root_key = uaf.new_key()
        root = uaf.certificate(root_key, "Root", is_authority=True)
        other = uaf.certificate(root_key, "Other", is_authority=True)
        for make in (
            lambda key: [uaf.certificate(key, issuer=root, issuer_key=root_key), other],
            lambda key: [b"no certificate"], lambda key: [uaf.certificate(key, start=-3)],
            lambda key: [uaf.certificate(key, start=2)],
            lambda key: [uaf.certificate(key), uaf.certificate(uaf.new_key(), "Another")],
            lambda key: [uaf.certificate(key) + b"\0"],
            lambda key: [uaf.certificate(key, issuer=root, issuer_key=uaf.new_key()), root],
        ):
            device = self.device()
            device.authenticator.certificates = make(device.authenticator.attestation_key)
            self.refused(1496, device)

    def test_a_surrogate_with_a_certificate(self):
        device = self.device(surrogate=True)
        request = device.registration()
        parameters = device.parameters(request)
        good = device.authenticator.register(parameters)
        _, content, _ = uaf.elements(good)[0]
        (_, _, data), (_, attestation, _) = uaf.elements(content)
        more = attestation + uaf.tlv(uaf.CERTIFICATE, uaf.certificate(uaf.new_key()))
        for bad in (uaf.tlv(uaf.SURROGATE, more), uaf.tlv(uaf.BASIC_FULL, attestation),
                    uaf.tlv(uaf.SURROGATE, b""), data,
                    uaf.tlv(uaf.SURROGATE, uaf.tlv(uaf.KEY_ID, attestation)),
                    uaf.tlv(uaf.BASIC_FULL, attestation + uaf.tlv(
                        uaf.KEY_ID, uaf.certificate(device.authenticator.key)))):
            request = device.registration()
            parameters = device.parameters(request)
            _, content, _ = uaf.elements(device.authenticator.register(parameters))[0]
            (_, _, data), _ = uaf.elements(content)
            answer = device.send("/uaf/1.1/registration", uaf.response(
                request, parameters, uaf.tlv(uaf.REG_ASSERTION, data + bad)))
            self.assertEqual(status(answer), 1498)

    def load(self, text):
        path = os.path.join(shared().directory, "load")
        with open(path, "w") as file:
            file.write(text)
        return shared().fido("--load", path)

    def test_once_a_certificate_is_loaded_only_it_counts(self):
        root_key = uaf.new_key()
        root = uaf.certificate(root_key, "Root", is_authority=True)
        self.load(uaf.pem(root))
        self.refused(1496)
        device = self.device()
        leaf = uaf.certificate(
            device.authenticator.attestation_key, issuer=root, issuer_key=root_key)
        device.authenticator.certificates = [leaf]
        self.assertEqual(status(device.register()), 1200)

    def test_a_certificate_itself_can_be_loaded(self):
        device = self.device()
        self.load(uaf.pem(device.authenticator.certificates[0]))
        self.assertEqual(status(device.register()), 1200)

    def test_attestation_loaded_refuses_what_is_self_made(self):
        shared().fido("attestation=loaded")
        self.refused(1496)
        self.assertEqual(status(self.device(surrogate=True).register()), 1200)

    def test_a_metadata_statement_limits_what_is_accepted(self):
        device = self.device(aaid="ABCD#0009")
        self.refused(1480, device)
        statement = {
            "aaid": "ABCD#0009", "authenticatorVersion": 3, "attestationTypes": [uaf.BASIC_FULL],
            "authenticationAlgorithm": 2, "publicKeyAlgAndEncoding": 0x101,
            "attestationRootCertificates": [
                uaf.base64.b64encode(device.authenticator.certificates[0]).decode()]}
        odd = json.dumps({**statement, "aaid": "ABCD-0009"})
        for order in (lambda: self.load(""), lambda: self.load(odd),
                      lambda: shared().fido("result=x")):
            self.assertRaisesRegex(AssertionError, "the sandbox refused: the", order)
        self.load(json.dumps(statement))
        self.refused(1492, device)
        for options, code in (
            ({"version": 3, "algorithm": uaf.RAW_SIGNATURE}, 1495),
            ({"version": 3, "encoding": uaf.RAW_KEY}, 1495),
            ({"version": 3, "surrogate": True}, 1496), ({"version": 3}, 1496),
        ):
            self.refused(code, self.device(aaid="ABCD#0009", **options))
        device.authenticator.version = 3
        self.assertEqual(status(device.register()), 1200)

    def test_a_model_that_the_policy_does_not_accept(self):
        shared().fido("accept=F1D0#1001")
        self.refused(1492)
        self.assertEqual(status(self.device(aaid="F1D0#1001").register()), 1200)

    def test_two_assertions_are_more_than_the_policy_accepts(self):
        one = {"assertionScheme": "UAFV1TLV", "assertion": "AAAA"}
        self.refused(1492, changes={"assertions": [one, one]})

    # One key, one request

    def test_a_response_counts_once(self):
        device = self.device()
        request = device.registration()
        parameters = device.parameters(request)
        messages = uaf.response(request, parameters, device.authenticator.register(parameters))
        answers = [status(device.send("/uaf/1.1/registration", messages)) for _ in range(2)]
        self.assertEqual(answers, [1200, 1491])

    def test_a_refused_response_uses_up_its_request(self):
        device = self.device()
        request = device.registration()
        self.refused(1498, device, request=request, parameters={"challenge": "x"})
        self.refused(1491, device, request=request)

    def test_a_request_expires(self):
        shared().fido("lifetime=0")
        self.refused(1491)

    def test_a_request_for_something_else(self):
        device = self.device().registered()
        request = device.authentication()
        self.assertEqual(status(self.device().register(request)), 1491)

    def test_a_key_is_registered_once(self):
        device = self.device(surrogate=True).registered()
        self.assertEqual(status(device.register()), 1494)

    def test_the_registration_counter_of_an_authenticator_grows(self):
        device = self.device().registered()
        device.authenticator.key_id = bytes(32)
        device.authenticator.registration_counter = 0
        self.assertEqual(status(device.register()), 1498)
        self.assertEqual(status(device.register()), 1200)

    def test_a_status_on_demand(self):
        for code in (1202, 1400, 1401, 1403, 1404, 1408, 1493, 1497, 1500):
            shared().fido(f"status={code}")
            self.refused(code)
        self.assertEqual(status(self.device().register()), 1200)
