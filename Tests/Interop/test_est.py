"""Enrolment over EST (RFC 7030) at a server of python-cryptography, which reads what we send with a
parser of its own. No EST server is in Debian or on PyPI: libest, EJBCA, Dogtag and estserver were
looked for."""

import datetime
import email.utils
import json
import time

from Servers.enrolment import EnrolmentCase, EnrolmentServer

if EnrolmentServer:
    from Servers import est
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec, rsa


class EnrolmentTests(EnrolmentCase):
    def test_a_request_with_names_is_read_and_its_certificate_is_stored_with_its_chain(self):
        self.ok("profile", "set", "identity.subject=CN=alice,O=Example",
                "identity.names=DNS:a.example email:alice@example.com URI:urn:x:1 IP:192.0.2.1")
        shown = json.loads(self.ok("identity", "obtain", "--json").text)
        self.assertEqual(self.operations(), ["cacerts", "csrattrs", "simpleenroll"])
        self.assertEqual(self.callers(), ["password of alice"])
        request = self.est.requests[0]
        self.assertEqual(request.subject.rfc4514_string(), "CN=alice,O=Example")
        names = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self.assertEqual([str(name.value) for name in names],
                         ["a.example", "alice@example.com", "urn:x:1", "192.0.2.1"])
        self.assertIsInstance(request.public_key().curve, ec.SECP256R1)
        self.assertEqual(shown["sha256"], self.fingerprint(self.est.issued[0]))
        self.assertEqual([link["subject"] for link in shown["chain"]],
                         ["CN=alice,O=Example", "CN=EST Issuing", "CN=EST Root"])
        # cryptography reads what was stored, and key and certificate belong together.
        kept = self.kept()
        key = serialization.load_pem_private_key(kept["key"]["pem"].encode(), None)
        leaf = x509.load_pem_x509_certificate(kept["chain"].encode())
        self.assertEqual(numbers(key), numbers(leaf))
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_the_key_is_of_the_kind_that_the_server_wants(self):
        rows = [(est.WANTS_RSA_3072, rsa.RSAPublicKey, 3072),
                (est.WANTS_P384, ec.EllipticCurvePublicKey, 384),
                (b"", ec.EllipticCurvePublicKey, 256)]
        for attributes, kind, size in rows:
            with self.subTest(size):
                self.est.attributes = attributes
                self.ok("identity", "obtain")
                key = self.est.requests[-1].public_key()
                self.assertIsInstance(key, kind)
                self.assertEqual(key.key_size, size)

    def test_a_token_identifies_the_client(self):
        self.est.tokens.add("t0ken")
        self.ok("profile", "set", "identity.token=user")
        self.ok("profile", "unset", "identity.user")
        self.ok("identity", "obtain", environment={"SDKCTL_TOKEN": "t0ken"})
        self.assertEqual(self.callers(), ["token"])
        result = self.fails(5, "identity", "obtain", environment={"SDKCTL_TOKEN": "other"})
        self.assertError(result, "returned 401")

    def test_a_renewal_shows_the_certificate_and_keeps_its_names(self):
        self.ok("profile", "set", "identity.subject=CN=alice,O=Example")
        self.ok("identity", "obtain")
        first = self.est.issued[0]
        # The server takes the certificate in place of the password.
        self.ok("profile", "unset", "identity.user", "identity.subject")
        self.ok("identity", "renew")
        self.assertEqual(self.operations()[3:], ["cacerts", "csrattrs", "simplereenroll"])
        self.assertEqual(self.callers()[-1], f"certificate {first.serial_number}")
        renewed = self.est.issued[1]
        self.assertEqual(renewed.subject, first.subject)
        self.assertNotEqual(numbers(renewed), numbers(first))
        shown = json.loads(self.ok("identity", "show", "--json").text)
        self.assertEqual(shown["sha256"], self.fingerprint(renewed))

    def test_the_label_of_the_authority_is_in_the_path(self):
        self.est.label = "clients"
        self.fails(5, "identity", "obtain")
        self.ok("profile", "set", "identity.label=clients")
        self.ok("identity", "obtain")

    def test_an_undecided_server_is_asked_again_when_it_says(self):
        self.est.waits = 1
        self.ok("identity", "obtain")
        self.assertEqual(len(self.est.requests), 2)
        # The same request, as section 4.2.3 has it: with the same key.
        self.assertEqual(*[numbers(request) for request in self.est.requests])

    def test_the_time_to_ask_again_may_be_a_date(self):
        self.est.waits = 1
        times = []

        def date():
            times.append(time.time())
            return email.utils.format_datetime(
                datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2),
                usegmt=True)

        self.est.retry_after = date
        self.ok("identity", "obtain")
        self.assertEqual(len(self.est.requests), 2)
        self.assertLess(time.time() - times[0], 30)

    def test_a_wrong_password_is_refused_and_nothing_is_stored(self):
        self.est.users["alice"] = "other"
        result = self.fails(5, "identity", "obtain")
        self.assertError(result, "returned 401")
        self.assertEqual((self.est.requests, self.stored()), ([], []))

    @staticmethod
    def fingerprint(certificate) -> str:
        from cryptography.hazmat.primitives import hashes
        return certificate.fingerprint(hashes.SHA256()).hex()


def numbers(holder):
    """The numbers of the public key of a key, a request or a certificate.

    The keys themselves cannot be compared before version 40 of cryptography.
    """
    return holder.public_key().public_numbers()
