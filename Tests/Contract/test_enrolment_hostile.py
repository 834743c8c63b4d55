"""What an enrolment service may send in place of a certificate: each is refused, and nothing is left."""

import random

from Servers.enrolment import EnrolmentCase, EnrolmentServer

if EnrolmentServer:
    from Servers.est import message
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID


class HostileEnrolmentTests(EnrolmentCase):
    def issue(self, request, **options):
        return self.est.authority.issue(request.subject, request.public_key(), **options)

    def rows(self) -> dict:
        """By what they are: how the server replies, the exit code and the words of the error."""
        authority = self.est.authority
        stranger = lambda: ec.generate_private_key(ec.SECP256R1()).public_key()
        whole = lambda request: message([self.issue(request)])
        noise = random.Random(11).randbytes(700)
        return {
            "another key": (lambda request: (200, message(
                [authority.issue(request.subject, stranger())])), 1, "no certificate is for"),
            "expired": (lambda request: (200, message(
                [self.issue(request, begins=-2, ends=-1)])), 1, "expired at 20"),
            "not valid yet": (lambda request: (200, message(
                [self.issue(request, begins=2)])), 1, "not valid before 20"),
            "for servers": (lambda request: (200, message(
                [self.issue(request, usage=ExtendedKeyUsageOID.SERVER_AUTH)])), 1,
                "not for tls clients"),
            "a chain of 100": (lambda request: (200, message(
                authority.chain(100, request.public_key()))), 1, "more than 10 certificates"),
            "hundreds of certificates": (lambda request: (200, message(
                [self.issue(request)] + authority.chain(300, request.public_key()))), 1,
                "more than 256 certificates"),
            "no certificate": (lambda request: (200, message([authority.root])), 1,
                               "no certificate is for"),
            "garbage": (lambda request: (200, b"\x30\x82\x02\xbc" + noise), 1,
                        "the response of localhost"),
            "text": (lambda request: (200, b"<html>Welcome</html>"), 1, "is not base64"),
            "an empty response": (lambda request: (200, b""), 1, "is not base64"),
            "half a message": (lambda request: (200, whole(request)[:-300]), 1,
                               "the response of localhost"),
            "a cut response": (lambda request: b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"
                               b"MIIC", 6, "before the response was complete"),
            "an endless response": (lambda request: b"HTTP/1.1 200 OK\r\n\r\n"
                                    + b"A" * (1 << 21), 1, "larger than"),
            "a refusal": (lambda request: (400, b"no\x1b[31m more", "text/plain"), 5,
                          "returned 400: no.{0,2}\\[31m more"),
            "a failure": (lambda request: (503, b""), 6, "returned 503"),
        }

    def test_each_is_refused_for_what_it_is_and_nothing_is_left(self):
        for kind, (reply, code, words) in self.rows().items():
            with self.subTest(kind):
                self.est.reply = reply
                result = self.fails(code, "identity", "obtain")
                self.assertError(result, words)
                self.assertEqual(self.stored(), [])
        # The service has recovered, and so has the program.
        self.est.reply = None
        self.ok("identity", "obtain")

    def test_a_renewal_that_gets_them_keeps_the_identity(self):
        self.ok("identity", "obtain")
        before = (self.folder / "api.invalid/identity.json").read_bytes()
        rows = self.rows()
        for kind in ("another key", "expired", "garbage", "a cut response", "a failure"):
            with self.subTest(kind):
                self.est.reply, code, words = rows[kind]
                self.assertError(self.fails(code, "identity", "renew"), words)
                self.assertEqual(self.stored(), ["api.invalid/identity.json"])
                self.assertEqual((self.folder / "api.invalid/identity.json").read_bytes(), before)
