#!/usr/bin/env python3
"""Writes uaf.json: assertions of FIDO UAF 1.1 for Tests/UAFTests, made with python-cryptography.

usage: Tests/Vectors/uaf.py > Tests/Vectors/uaf.json

Nothing here is of this project's code: the layout is written down anew from the specification (FIDO
UAF Authenticator Commands 1.1, section 5.2; Registry of Predefined Values). Keys are small numbers, so
that anybody can make them; those with leading zero bytes are searched for. Signatures are
deterministic (RFC 6979), so that the file is the same each time.
"""

import base64
import datetime
import hashlib
import json
import struct

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

AAID = b"FFFF#0001"
ECDSA = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
DER, RAW = "der", "raw"
SIGNATURE = {DER: 0x0002, RAW: 0x0001}
KEY = {DER: 0x0101, RAW: 0x0100}


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def tlv(tag: int, *values: bytes) -> bytes:
    value = b"".join(values)
    return struct.pack("<HH", tag, len(value)) + value


def private_key(number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(number, ec.SECP256R1())


def public_bytes(key: ec.EllipticCurvePrivateKey, encoding: str) -> bytes:
    formats = {
        DER: (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo),
        RAW: (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)}
    return key.public_key().public_bytes(*formats[encoding])


def sign(key: ec.EllipticCurvePrivateKey, data: bytes, encoding: str) -> bytes:
    signature = key.sign(data, ECDSA)
    if encoding == DER:
        return signature
    r, s = utils.decode_dss_signature(signature)
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def first(condition) -> int:
    number = 2
    while not condition(private_key(number).public_key().public_numbers()):
        number += 1
    return number


def attestation_certificate(key: ec.EllipticCurvePrivateKey) -> bytes:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Attestation")])
    start = datetime.datetime(2026, 1, 1)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(1)
        .public_key(key.public_key()).not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=3650))
        .sign(key, hashes.SHA256(), ecdsa_deterministic=True))
    return certificate.public_bytes(serialization.Encoding.DER)


def registration(number: int, encoding: str, full: bool) -> dict:
    key, attestation = private_key(number), private_key(7)
    challenge = "eyJhIjoiYiJ9" + str(number)
    key_id = hashlib.sha256(b"key %d" % number).digest()
    counters = (1, 2 ** 31 + number)
    data = tlv(
        0x3E03, tlv(0x2E0B, AAID),
        tlv(0x2E0E, struct.pack("<HBHH", 0x0102, 1, SIGNATURE[encoding], KEY[encoding])),
        tlv(0x2E0A, hashlib.sha256(challenge.encode("ascii")).digest()),
        tlv(0x2E09, key_id), tlv(0x2E0D, struct.pack("<II", *counters)),
        tlv(0x2E0C, public_bytes(key, encoding)))
    certificate = attestation_certificate(attestation)
    signature = sign(attestation if full else key, data, encoding)
    proof = (
        tlv(0x3E07, tlv(0x2E06, signature), tlv(0x2E05, certificate)) if full
        else tlv(0x3E08, tlv(0x2E06, signature)))
    return {
        "privateKey": number, "encoding": encoding, "fcParams": challenge, "keyID": key_id.hex(),
        "signCounter": counters[0], "registrationCounter": counters[1], "version": 0x0102,
        "spki": public_bytes(key, DER).hex(), "publicKey": public_bytes(key, encoding).hex(),
        "signature": signature.hex(), "certificate": certificate.hex() if full else None,
        "assertion": tlv(0x3E01, data, proof).hex()}


def authentication(number: int, encoding: str, content: bytes | None) -> dict:
    key = private_key(number)
    challenge = "eyJjIjoiZCJ9" + str(number)
    key_id = hashlib.sha256(b"key %d" % number).digest()
    content_hash = b"" if content is None else hashlib.sha256(content).digest()
    nonce = hashlib.sha256(b"nonce").digest()[:16]

    def data(counter: int) -> bytes:
        return tlv(
            0x3E04, tlv(0x2E0B, AAID),
            tlv(0x2E0E, struct.pack("<HBH", 0x0102, 1 if content is None else 2,
                                    SIGNATURE[encoding])),
            tlv(0x2E0F, nonce), tlv(0x2E0A, hashlib.sha256(challenge.encode("ascii")).digest()),
            tlv(0x2E10, content_hash), tlv(0x2E09, key_id),
            tlv(0x2E0D, struct.pack("<I", counter)))

    # The first counter whose signature has a number with a leading zero byte.
    counter = 2
    while 0 not in (sign(key, data(counter), RAW)[0], sign(key, data(counter), RAW)[32]):
        counter += 1
    signature = sign(key, data(counter), encoding)
    return {
        "privateKey": number, "encoding": encoding, "fcParams": challenge, "keyID": key_id.hex(),
        "signCounter": counter, "version": 0x0102, "nonce": nonce.hex(),
        "content": None if content is None else content.decode(),
        "spki": public_bytes(key, DER).hex(), "signature": signature.hex(),
        "assertion": tlv(0x3E02, data(counter), tlv(0x2E06, signature)).hex()}


def main() -> None:
    numbers = [
        9, first(lambda point: point.x >> 248 == 0), first(lambda point: point.y >> 248 == 0)]
    print(json.dumps({
        "registrations": [
            registration(number, encoding, full)
            for number in numbers for encoding in (DER, RAW) for full in (True, False)],
        "authentications": [
            authentication(number, encoding, content)
            for number in numbers for encoding in (DER, RAW)
            for content in (None, "Pay 3 francs to Zo\u00eb".encode())],
        "finalChallenge": {
            "appID": "https://fido.test/facets", "facetID": "ios:bundle-id:ch.test",
            "challenge": b64url(bytes(range(16))),
            "serverEndPoint": hashlib.sha256(b"certificate").hexdigest()},
    }, indent=1, ensure_ascii=True))


if __name__ == "__main__":
    main()
