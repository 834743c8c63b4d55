"""The dispatch targets of a FIDO server, by identifier."""

import json
import secrets

from cryptography.hazmat.primitives.asymmetric import ec

from .fido_uaf import from_b64url


class Refused(Exception):
    """An HTTP status."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


def require_public_key(text):
    """Refuses anything but a public key on P-256, a JWK given as text."""
    jwk = json.loads(text)
    if (jwk.get("kty"), jwk.get("crv")) != ("EC", "P-256") or "d" in jwk:
        raise Refused(400, "the key is not a public one on P-256")
    x, y = from_b64url(jwk["x"]), from_b64url(jwk["y"])
    if len(x) != 32 or len(y) != 32:
        raise Refused(400, "a coordinate is not of 32 bytes")
    ec.EllipticCurvePublicNumbers(
        int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1()).public_key()


class Targets(dict):
    def create(self, user, body) -> dict:
        for name in ("signatureKey", "encryptionKey"):
            require_public_key(body[name])
        if body.get("username", user) != user:
            raise Refused(403, "the user is another one")
        if any(target["name"] == body["name"] for target in self.values()):
            raise Refused(422, "the name is in use")
        made = {"id": secrets.token_hex(8), "extId": secrets.token_hex(8)}
        self[made["id"]] = body | made | {"user": user}
        return made

    def listed(self, user) -> list:
        names = ("id", "extId", "name", "target", "dispatcher", "deviceId")
        return [{name: target[name] for name in names} for target in self.values() if target["user"] == user]
