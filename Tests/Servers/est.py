"""An EST server (RFC 7030) of python-cryptography, which shares no code with the program or the sandbox.

It reads certificate requests with a parser of its own, checks their signatures, and issues
certificates of an authority with an intermediate. A test can put any response in the place of one.
"""

import base64
import datetime
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from .http_server import Handler, HTTPServer

# CsrAttrs (section 4.5.2): rsaEncryption with 3072 bits; id-ecPublicKey with secp384r1.
WANTS_RSA_3072 = bytes.fromhex("3013301106092a864886f70d01010131040202" "0c00")
WANTS_P384 = bytes.fromhex("3014301206072a8648ce3d020131070605" "2b81040022")


class EnrolmentAuthority:
    """A root, an intermediate, and certificates for clients."""

    def __init__(self, name="EST"):
        self.root_key, self.key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        self.root = self._authority(f"{name} Root", self.root_key.public_key(), None)
        self.certificate = self._authority(f"{name} Issuing", self.key.public_key(), self.root)

    def issue(self, subject, public_key, *, names=None, usage=ExtendedKeyUsageOID.CLIENT_AUTH,
              begins=-1, ends=24, issuer=None, key=None) -> x509.Certificate:
        """A certificate that is valid from `begins` to `ends`, in hours from now."""
        builder = self._builder(subject, (issuer or self.certificate).subject, public_key,
                                begins, ends)
        if usage:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), False)
        if names:
            builder = builder.add_extension(names, False)
        return builder.sign(key or self.key, hashes.SHA256())

    def chain(self, length, public_key) -> list:
        """A chain of so many certificates for a key, each issued by the next."""
        key, chain = self.key, []
        issuer = self.certificate
        for number in range(length - 1):
            own = ec.generate_private_key(ec.SECP256R1())
            subject = common_name(f"Link {number}")
            certificate = (self._builder(subject, issuer.subject, own.public_key(), -1, 24)
                           .add_extension(x509.BasicConstraints(True, None), True)
                           .sign(key, hashes.SHA256()))
            chain.insert(0, certificate)
            key, issuer = own, certificate
        leaf = self.issue(common_name("leaf"), public_key, issuer=issuer, key=key)
        return [leaf, *chain]

    def _authority(self, name, public_key, issuer) -> x509.Certificate:
        subject = common_name(name)
        builder = self._builder(subject, issuer.subject if issuer else subject, public_key, -1, 48)
        return (builder.add_extension(x509.BasicConstraints(True, None), True)
                .sign(self.root_key, hashes.SHA256()))

    @staticmethod
    def _builder(subject, issuer, public_key, begins, ends):
        now = datetime.datetime.utcnow()
        return (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
                .public_key(public_key).serial_number(x509.random_serial_number())
                .not_valid_before(now + datetime.timedelta(hours=begins))
                .not_valid_after(now + datetime.timedelta(hours=ends)))


class EnrolmentServer(HTTPServer):
    """`users` has passwords, `tokens` bearer tokens; `attributes` is the response of csrattrs.

    `waits` responses are 202 with `retry_after`. `reply`, if there is one, returns the response to
    an enrolment: (status, body) or raw bytes. `seen` lists operation and authentication of each
    request, `requests` the certificate requests, `issued` the certificates.
    """

    def __init__(self, authority):
        super().__init__(_Handler, authority.files("good"))
        self.authority = EnrolmentAuthority()
        self.users, self.tokens = {"alice": "wonderland"}, set()
        self.seen, self.requests, self.issued = [], [], []
        self.attributes, self.waits, self.retry_after, self.reply = b"", 0, "1", None
        self.label = ""
        # A certificate is accepted in place of a password (section 3.3.2).
        self.context.verify_mode = ssl.CERT_OPTIONAL
        self.context.load_verify_locations(cadata="".join(
            pem(one).decode() for one in self.authorities))

    @property
    def authorities(self) -> list:
        return [self.authority.certificate, self.authority.root]

    def enrol(self, request: x509.CertificateSigningRequest):
        """The response to a certificate request whose signature is valid."""
        self.requests.append(request)
        if self.reply:
            return self.reply(request)
        if self.waits > 0:
            self.waits -= 1
            return 202, b""
        try:
            names = request.extensions.get_extension_for_class(
                x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            names = None
        certificate = self.authority.issue(request.subject, request.public_key(), names=names)
        self.issued.append(certificate)
        # Only the certificate (section 4.2.3): the chain is in cacerts.
        return 200, message([certificate])


class _Handler(Handler):
    def do_GET(self):
        self.operate({"cacerts": self.authorities, "csrattrs": self.attributes})

    def do_POST(self):
        self.content = self.body()  # also if it is refused: what is not read resets the connection
        self.operate({"simpleenroll": self.enroll, "simplereenroll": self.reenroll})

    def operate(self, operations):
        est = self.server
        prefix = f"/.well-known/est/{est.label}/" if est.label else "/.well-known/est/"
        operation = operations.get(self.path.removeprefix(prefix))
        est.seen.append((self.path.rpartition("/")[2], self.caller()))
        if operation is None or not self.path.startswith(prefix):
            return self.respond(404)
        operation()

    def authorities(self):
        self.respond(200, message(self.server.authorities))

    def attributes(self):
        attributes = self.server.attributes
        self.respond(200 if attributes else 204, attributes, "application/csrattrs")

    def enroll(self):
        if self.caller() == "nobody":
            return self.respond(401)
        self.issue()

    def reenroll(self):
        """Section 4.2.2: the names are those of the certificate that is shown."""
        if not self.caller().startswith("certificate"):
            return self.respond(401)
        self.issue()

    def issue(self):
        if self.headers["Content-Type"] != "application/pkcs10":
            return self.respond(415)
        try:
            request = x509.load_der_x509_csr(base64.b64decode(self.content, validate=False))
        except ValueError:
            return self.respond(400)
        if not request.is_signature_valid:
            return self.respond(400)
        response = self.server.enrol(request)
        if isinstance(response, bytes):
            self.wfile.write(response)
            self.close_connection = True
        else:
            self.respond(*response)

    def caller(self) -> str:
        """By what the client has identified itself."""
        shown = self.request.getpeercert(True)
        if shown:
            return f"certificate {x509.load_der_x509_certificate(shown).serial_number}"
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        if kind == "Basic":
            user, _, password = base64.b64decode(value).decode().partition(":")
            if self.server.users.get(user) == password:
                return f"password of {user}"
        if kind == "Bearer" and value in self.server.tokens:
            return "token"
        return "nobody"

    def respond(self, status, body=b"", media="application/pkcs7-mime; smime-type=certs-only"):
        fields = {"Content_Transfer_Encoding": "base64"} if body else {}
        if body.startswith(b"\x30"):
            body = base64.encodebytes(body)  # with line breaks, as in the examples of the RFC
        if status == 202:
            retry_after = self.server.retry_after
            fields["Retry_After"] = retry_after() if callable(retry_after) else retry_after
        super().respond(status, body, media, **fields)


def common_name(name) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def message(certificates) -> bytes:
    """A PKCS #7 message with certificates and nothing else."""
    return pkcs7.serialize_certificates(certificates, serialization.Encoding.DER)


def pem(certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
