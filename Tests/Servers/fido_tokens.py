"""Out-of-band operations of a FIDO server: tokens, payloads, dispatch targets, with python-cryptography alone.

JWS (RFC 7515, ES256) and JWE (RFC 7516, ECDH-ES with A256GCM, RFC 7518 section 4.6) are written from the
RFCs and share nothing with `sdkctl` and its sandbox.
"""

import hashlib
import json
import secrets
import struct
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .fido_uaf import b64url, from_b64url


class Refused(Exception):
    """An HTTP status."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


def public_key(text):
    """The key of a JWK on P-256, given as text; a private one is refused."""
    jwk = json.loads(text)
    if (jwk.get("kty"), jwk.get("crv")) != ("EC", "P-256") or "d" in jwk:
        raise Refused(400, "the key is not a public one on P-256")
    x, y = from_b64url(jwk["x"]), from_b64url(jwk["y"])
    if len(x) != 32 or len(y) != 32:
        raise Refused(400, "a coordinate is not of 32 bytes")
    return ec.EllipticCurvePublicNumbers(
        int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1()).public_key()


def verified(compact, key) -> dict:
    """The claims of a JWS with ES256; 401 for anything that the key has not signed."""
    try:
        head, body, signature = compact.split(".")
        header, signature = json.loads(from_b64url(head)), from_b64url(signature)
        if header["alg"] != "ES256" or "crit" in header or len(signature) != 64:
            raise ValueError("not ES256")
        der = utils.encode_dss_signature(
            int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        key.verify(der, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
        return json.loads(from_b64url(body))
    except (ValueError, KeyError, InvalidSignature) as error:
        raise Refused(401, f"the change is not signed by the target: {error}") from error


def encrypted(content, key) -> str:
    """A compact JWE to a key on P-256."""
    ephemeral = ec.generate_private_key(ec.SECP256R1())
    numbers = ephemeral.public_key().public_numbers()
    header = b64url(json.dumps({
        "alg": "ECDH-ES", "enc": "A256GCM", "epk": {
            "kty": "EC", "crv": "P-256", "x": b64url(numbers.x.to_bytes(32, "big")),
            "y": b64url(numbers.y.to_bytes(32, "big"))}}).encode())
    name = b"A256GCM"
    derived = hashlib.sha256(
        struct.pack(">I", 1) + ephemeral.exchange(ec.ECDH(), key)
        + struct.pack(">I", len(name)) + name + struct.pack(">III", 0, 0, 256)).digest()
    iv = secrets.token_bytes(12)
    sealed = AESGCM(derived).encrypt(iv, content, header.encode())
    return ".".join([header, "", b64url(iv), b64url(sealed[:-16]), b64url(sealed[-16:])])


class Tokens:
    """The tokens that wait, the sessions of their operations, and the dispatch targets by identifier."""

    def __init__(self, url):
        self.url, self.waiting, self.progress, self.targets, self.seen = url, {}, {}, {}, set()

    def payload(self, operation, user, target=None, encoded=True) -> str:
        """A payload with a new token, as in push messages; encrypted to a target if one is named."""
        token = secrets.token_urlsafe(24)
        self.waiting[token] = (operation, user)
        data = {"token": token, "redeem_url": f"{self.url}/token/redeem/{operation}"}
        kind = "application/json"
        if target:
            key = public_key(self.targets[target]["encryptionKey"])
            data, kind = encrypted(json.dumps(data).encode(), key), "application/jose"
        text = json.dumps({
            "nma_data": data, "nma_data_content_type": kind, "nma_data_version": "1"})
        return b64url(text.encode()) if encoded else text

    def redeem(self, operation, token):
        """The user of a token, which is spent."""
        found = self.waiting.pop(token, None)
        return found[1] if found and found[0] == operation else None

    def create(self, user, body) -> dict:
        for name in ("signatureKey", "encryptionKey"):
            public_key(body[name])
        if body.get("username", user) != user:
            raise Refused(403, "the user is another one")
        if any(target["name"] == body["name"] for target in self.targets.values()):
            raise Refused(422, "the name is in use")
        made = {"id": secrets.token_hex(8), "extId": secrets.token_hex(8)}
        self.targets[made["id"]] = body | made | {"user": user}
        return made

    def modify(self, identifier, compact):
        target = self.targets.get(identifier)
        if target is None:
            raise Refused(404, "there is no such target")
        claims = verified(compact, public_key(target["signatureKey"]))
        if claims["jti"] in self.seen or abs(claims["iat"] - time.time()) > 300:
            raise Refused(401, "the change was seen before, or its time is off")
        self.seen.add(claims["jti"])
        target |= {name: claims[name] for name in ("name", "target", "dispatcher")
                   if name in claims}

    def listed(self, user) -> list:
        names = ("id", "extId", "name", "target", "dispatcher", "deviceId")
        return [{name: target[name] for name in names}
                for target in self.targets.values() if target["user"] == user]
