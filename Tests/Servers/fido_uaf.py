"""FIDO UAF 1.1 with python-cryptography alone: an authenticator, and messages of a client.

It is written from the specifications (UAF Protocol, Authenticator Commands, Registry of Predefined
Values), and shares nothing with `sdkctl` and its sandbox.
"""

import base64
import datetime
import hashlib
import json
import secrets
import struct

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.x509.oid import NameOID

REG_ASSERTION, AUTH_ASSERTION, KRD, SIGNED_DATA = 0x3E01, 0x3E02, 0x3E03, 0x3E04
CERTIFICATE, SIGNATURE, BASIC_FULL, SURROGATE = 0x2E05, 0x2E06, 0x3E07, 0x3E08
KEY_ID, CHALLENGE_HASH, AAID, PUBLIC_KEY = 0x2E09, 0x2E0A, 0x2E0B, 0x2E0C
COUNTERS, INFO, NONCE, TRANSACTION_HASH = 0x2E0D, 0x2E0E, 0x2E0F, 0x2E10
CRITICAL_EXTENSION, EXTENSION, EXTENSION_ID, EXTENSION_DATA = 0x3E11, 0x3E12, 0x2E13, 0x2E14

RAW_SIGNATURE, DER_SIGNATURE = 0x01, 0x02
RAW_KEY, DER_KEY = 0x100, 0x101
DEVELOPMENT_AAID = "FFFF#0001"


def b64url(data) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_b64url(text) -> bytes:
    """The bytes of base64url without padding; anything else is a ValueError."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64url(data) != text:
        raise ValueError(f"not base64url: {text[:40]}")
    return data


# TLV


def tlv(tag, value) -> bytes:
    return struct.pack("<HH", tag, len(value)) + value


def elements(data) -> list:
    """The elements (tag, value, all bytes) that fill the data."""
    found = []
    while data:
        tag, length = struct.unpack("<HH", data[:4])
        found.append((tag, data[4:4 + length], data[:4 + length]))
        data = data[4 + length:]
    return found


# Keys


def public_bytes(key, encoding) -> bytes:
    if encoding == RAW_KEY:
        return key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def sign(key, message, algorithm) -> bytes:
    der = key.sign(message, ec.ECDSA(hashes.SHA256()))
    return raw(der) if algorithm == RAW_SIGNATURE else der


def raw(der) -> bytes:
    r, s = utils.decode_dss_signature(der)
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def new_key(leading_zero=False):
    """A key on P-256; on request one of whose coordinates begins with a zero byte."""
    while True:
        key = ec.generate_private_key(ec.SECP256R1())
        numbers = key.public_key().public_numbers()
        if not leading_zero or not numbers.x >> 248 or not numbers.y >> 248:
            return key


def certificate(key, name="Test authenticator", issuer=None, issuer_key=None, days=1, start=0,
                is_authority=False) -> bytes:
    """A certificate, DER: made by an issuer or by the key itself."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(
        days=start, minutes=-5)
    made = (
        x509.CertificateBuilder().subject_name(subject)
        .issuer_name(x509.load_der_x509_certificate(issuer).subject if issuer else subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(begin).not_valid_after(begin + datetime.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .sign(issuer_key or key, hashes.SHA256()))
    return made.public_bytes(serialization.Encoding.DER)


def pem(der) -> str:
    return x509.load_der_x509_certificate(der).public_bytes(serialization.Encoding.PEM).decode()


# Client


def fc_params(app_id, challenge, facet, /, binding=None, **changed) -> str:
    """The member fcParams of a response; a member that is set to None is left out."""
    members = {"appID": app_id, "challenge": challenge, "facetID": facet,
               "channelBinding": {} if binding is None else binding, **changed}
    return b64url(json.dumps({k: v for k, v in members.items() if v is not None}).encode())


def final_challenge(parameters) -> bytes:
    """The hash covers the text in base64url, not what it stands for."""
    return hashlib.sha256(parameters.encode()).digest()


class Authenticator:
    """A software authenticator with one key.

    `changes` of its operations replaces the value of an element, by its tag, or leaves the element
    out (None); `more` is added to the composite that is signed.
    """

    def __init__(self, aaid=DEVELOPMENT_AAID, algorithm=DER_SIGNATURE, encoding=DER_KEY,
                 surrogate=False, leading_zero=False, version=1):
        self.aaid, self.algorithm, self.encoding, self.version = aaid, algorithm, encoding, version
        self.key = new_key(leading_zero)
        self.key_id = secrets.token_bytes(32)
        self.attestation_key = None if surrogate else new_key()
        self.certificates = [] if surrogate else [certificate(self.attestation_key)]
        self.sign_counter, self.registration_counter = 0, 0

    @property
    def public_key(self) -> bytes:
        return public_bytes(self.key.public_key(), self.encoding)

    def register(self, parameters, changes=None, more=b"", signer=None, signature=None) -> bytes:
        self.registration_counter += 1
        data = self._composite(KRD, {
            AAID: self.aaid.encode(),
            INFO: struct.pack("<HBHH", self.version, 1, self.algorithm, self.encoding),
            CHALLENGE_HASH: final_challenge(parameters), KEY_ID: self.key_id,
            COUNTERS: struct.pack("<II", self.sign_counter, self.registration_counter),
            PUBLIC_KEY: self.public_key}, changes, more)
        signer = signer or self.attestation_key or self.key
        signature = signature or sign(signer, data, self.algorithm)
        attestation = tlv(SIGNATURE, signature) + b"".join(
            tlv(CERTIFICATE, der) for der in self.certificates)
        kind = BASIC_FULL if self.certificates else SURROGATE
        return tlv(REG_ASSERTION, data + tlv(kind, attestation))

    def authenticate(self, parameters, transaction=None, changes=None, more=b"", signer=None,
                     signature=None) -> bytes:
        self.sign_counter += 1
        shown = transaction is not None
        data = self._composite(SIGNED_DATA, {
            AAID: self.aaid.encode(),
            INFO: struct.pack("<HBH", self.version, 2 if shown else 1, self.algorithm),
            NONCE: secrets.token_bytes(8), CHALLENGE_HASH: final_challenge(parameters),
            TRANSACTION_HASH: hashlib.sha256(transaction).digest() if shown else b"",
            KEY_ID: self.key_id, COUNTERS: struct.pack("<I", self.sign_counter)}, changes, more)
        signature = signature or sign(signer or self.key, data, self.algorithm)
        return tlv(AUTH_ASSERTION, data + tlv(SIGNATURE, signature))

    @staticmethod
    def _composite(tag, values, changes, more):
        values = values | (changes or {})
        return tlv(tag, b"".join(
            tlv(key, value) for key, value in values.items() if value is not None) + more)


def response(request, parameters, assertion, changes=None) -> list:
    """The response to a request; `changes` replaces members, by paths with dots."""
    message = {
        "header": request["header"], "fcParams": parameters,
        "assertions": [{"assertionScheme": "UAFV1TLV", "assertion": b64url(assertion)}]}
    message = json.loads(json.dumps(message))
    for path, value in (changes or {}).items():
        place = message
        *names, last = path.split(".")
        for name in names:
            place = place[int(name) if name.isdigit() else name]
        place[int(last) if last.isdigit() else last] = value
    return [message]
