"""FIDO UAF 1.1 with python-cryptography alone: an authenticator, messages of a client, a verifier.

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
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
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
        if len(data) < 4:
            raise Bad(1498, "bytes follow the last element")
        tag, length = struct.unpack("<HH", data[:4])
        if len(data) < 4 + length:
            raise Bad(1498, f"the element {tag:#x} is longer than what contains it")
        found.append((tag, data[4:4 + length], data[:4 + length]))
        data = data[4 + length:]
    return found


class Bad(Exception):
    """What a verifier refuses, with the status of FIDO UAF."""

    def __init__(self, status, reason):
        super().__init__(f"{status}: {reason}")
        self.status, self.reason = status, reason


# Keys


def public_bytes(key, encoding) -> bytes:
    if encoding == RAW_KEY:
        return key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def read_key(data, encoding):
    try:
        if encoding == RAW_KEY and len(data) == 65:
            return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)
        if encoding == DER_KEY:
            key = serialization.load_der_public_key(data)
            if isinstance(key.curve, ec.SECP256R1) and public_bytes(key, DER_KEY) == data:
                return key
    except (ValueError, AttributeError, UnsupportedAlgorithm) as error:
        raise Bad(1494, f"the public key cannot be read: {error}") from error
    raise Bad(1494, "the public key is not in its encoding")


def sign(key, message, algorithm) -> bytes:
    der = key.sign(message, ec.ECDSA(hashes.SHA256()))
    return raw(der) if algorithm == RAW_SIGNATURE else der


def raw(der) -> bytes:
    r, s = utils.decode_dss_signature(der)
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def is_signed(key, signature, message, algorithm) -> bool:
    if algorithm == RAW_SIGNATURE:
        if len(signature) != 64:
            return False
        signature = utils.encode_dss_signature(
            int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    try:
        key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


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


# Server


class Registration:
    """A key that a registration brought, as the verifier keeps it."""

    def __init__(self, fields, key, info, certificates):
        self.aaid, self.key_id = fields[AAID].decode("ascii", "replace"), fields[KEY_ID]
        self.key, self.certificates = key, certificates
        self.version, self.algorithm, self.encoding = info[0], info[2], info[3]
        self.sign_counter, self.registration_counter = struct.unpack("<II", fields[COUNTERS])


def verify_registration(assertion, parameters) -> Registration:
    """Checks an assertion of a registration and returns its key."""
    content = only(elements(assertion), REG_ASSERTION)
    (tag, data, signed), attestation = pair(content)
    if tag != KRD:
        raise Bad(1498, "the first element is not the registration data")
    fields = exactly(elements(data), {
        AAID: 9, INFO: 7, CHALLENGE_HASH: 32, KEY_ID: None, COUNTERS: 8, PUBLIC_KEY: None})
    info = struct.unpack("<HBHH", fields[INFO])
    if info[1] != 1:
        raise Bad(1498, "the user was not verified")
    if info[2] not in (RAW_SIGNATURE, DER_SIGNATURE) or info[3] not in (RAW_KEY, DER_KEY):
        raise Bad(1495, f"the algorithms {info[2]:#x} and {info[3]:#x} are not accepted")
    if not 32 <= len(fields[KEY_ID]) <= 2048:
        raise Bad(1498, "the key ID has a wrong length")
    check_challenge(fields, parameters)
    key = read_key(fields[PUBLIC_KEY], info[3])
    certificates = check_attestation(attestation, signed, key, info[2])
    return Registration(fields, key, info, certificates)


def check_attestation(attestation, signed, key, algorithm) -> list:
    tag, content, _ = attestation
    (first, signature, _), *rest = elements(content) or [(0, b"", b"")]
    certificates = [value for kind, value, _ in rest]
    if first != SIGNATURE or any(kind != CERTIFICATE for kind, _, _ in rest):
        raise Bad(1498, "the attestation is not a signature with certificates")
    if tag == BASIC_FULL and certificates:
        try:
            key = x509.load_der_x509_certificate(certificates[0]).public_key()
        except (ValueError, UnsupportedAlgorithm) as error:
            raise Bad(1496, f"the certificate cannot be read: {error}") from error
    elif tag != SURROGATE or certificates:
        raise Bad(1498, f"there is no attestation {tag:#x}")
    if not is_signed(key, signature, signed, algorithm):
        raise Bad(1496, "the attestation does not sign the registration")
    return certificates


def verify_authentication(assertion, parameters, registration, transaction=None):
    """Checks an assertion of an authentication, and notes its counter."""
    content = only(elements(assertion), AUTH_ASSERTION)
    (tag, data, signed), (other, signature, _) = pair(content)
    if tag != SIGNED_DATA or other != SIGNATURE:
        raise Bad(1498, "the assertion is not signed data with a signature")
    fields = exactly(elements(data), {
        AAID: 9, INFO: 5, NONCE: None, CHALLENGE_HASH: 32, TRANSACTION_HASH: None, KEY_ID: None,
        COUNTERS: 4})
    version, mode, algorithm = struct.unpack("<HBH", fields[INFO])
    if fields[AAID] != registration.aaid.encode() or fields[KEY_ID] != registration.key_id:
        raise Bad(1481, "it is another key")
    if algorithm != registration.algorithm:
        raise Bad(1495, "it is another algorithm than that of the registration")
    if version < registration.version or not 8 <= len(fields[NONCE]) <= 64:
        raise Bad(1498, "the version went back, or the nonce has a wrong length")
    check_challenge(fields, parameters)
    hash = b"" if transaction is None else hashlib.sha256(transaction).digest()
    if (mode, fields[TRANSACTION_HASH]) != (1 if transaction is None else 2, hash):
        raise Bad(1498, "the transaction is not the one that was to be confirmed")
    if not is_signed(registration.key, signature, signed, algorithm):
        raise Bad(1498, "the signature is not that of the key")
    counter, = struct.unpack("<I", fields[COUNTERS])
    if counter <= registration.sign_counter and (counter or registration.sign_counter):
        raise Bad(1498, f"the counter {counter} is not above {registration.sign_counter}")
    registration.sign_counter = counter


def check_challenge(fields, parameters):
    if fields[CHALLENGE_HASH] != final_challenge(parameters):
        raise Bad(1498, "the final challenge is another one")


def only(found, tag) -> bytes:
    """The value of one element that is all there is."""
    if [kind for kind, _, _ in found] != [tag]:
        raise Bad(1498, f"the assertion is not one element {tag:#x}")
    return found[0][1]


def pair(content) -> list:
    found = elements(content)
    if len(found) != 2:
        raise Bad(1498, f"there are {len(found)} elements, not two")
    return found


def exactly(found, lengths) -> dict:
    """The values by their tags: each tag once, no other but extensions that may be ignored."""
    values = {}
    for tag, value, _ in found:
        if tag == EXTENSION:
            continue
        if tag not in lengths or tag in values or lengths[tag] not in (None, len(value)):
            raise Bad(1498, f"the element {tag:#x} is twice, has a wrong length or is unknown")
        values[tag] = value
    if missing := set(lengths) - set(values):
        raise Bad(1498, f"elements are missing: {[hex(tag) for tag in missing]}")
    return values
