"""What the hostile origin answers: (fault, endpoint) → pieces of bytes, with pauses in seconds."""

import base64
import json

GOOD_TOKEN = {"access_token": "at-1", "token_type": "Bearer", "expires_in": 300,
              "refresh_token": "rt-1"}
MEBIBYTE = 1 << 20


def metadata(issuer: str) -> dict:
    """A discovery document of an ordinary provider."""
    return {
        "issuer": issuer, "authorization_endpoint": issuer + "/auth",
        "token_endpoint": issuer + "/token", "registration_endpoint": issuer + "/register",
        "revocation_endpoint": issuer + "/revoke", "jwks_uri": issuer + "/jwks",
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "grant_types_supported": ["authorization_code", "client_credentials", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"]}


def reply(status, body, kind="application/json", extra="", length=None) -> bytes:
    """A complete answer; `length` lies about the size of the body."""
    if not isinstance(body, (bytes, str)):
        body = json.dumps(body)
    if isinstance(body, str):
        body = body.encode()
    length = len(body) if length is None else length
    head = (f"HTTP/1.1 {status} Whatever\r\nContent-Type: {kind}\r\n{extra}"
            f"Content-Length: {length}\r\nConnection: close\r\n\r\n")
    return head.encode("latin-1") + body


def answers(*arguments, **keywords):
    """A fault that is one fixed answer."""
    return lambda issuer: [reply(*arguments, **keywords)]


def _huge(issuer):
    yield reply(200, b"", length=10 * MEBIBYTE)
    for _ in range(10):
        yield b" " * MEBIBYTE


def _huge_chunked(issuer):
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    for _ in range(10):
        yield b"100000\r\n" + b" " * MEBIBYTE + b"\r\n"
    yield b"0\r\n\r\n"


def _drip(issuer):
    whole = reply(200, GOOD_TOKEN)
    for index in range(len(whole)):
        yield whole[index:index + 1]
        yield 0.3


HTML = "<!doctype html><title>Maintenance</title><p>Back soon.\x1b[31m"
DEEP = "[" * 100_000 + "]" * 100_000
NONCES = {}  # of the last authorization request, by issuer


def _unsigned_jwt(**claims) -> str:
    """An ID token as an attacker would write it: no algorithm, no signature."""
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
             for part in ({"alg": "none"}, claims)]
    return ".".join(parts) + "."


def _signed_by_nobody(issuer):
    """An ID token of a key that is not named, so that every published key may be tried."""
    claims = {"iss": issuer, "aud": "c1", "sub": "alice", "exp": 4102444800, "iat": 1,
              "nonce": NONCES.get(issuer)}
    head, body, _ = _unsigned_jwt(**claims).split(".")
    head = base64.urlsafe_b64encode(b'{"alg":"RS256"}').rstrip(b"=").decode()
    return [reply(200, GOOD_TOKEN | {"id_token": ".".join((head, body, "A" * 342))})]


def _keys(size):
    """Ten thousand RSA keys without names, each with a modulus of so many characters."""
    return answers(200, {"keys": [{"kty": "RSA", "e": "AQAB", "n": f"{'x' * (size - 5)}{number:05}"}
                                  for number in range(10_000)]})


FITTING_KEY = {"kty": "RSA", "e": "AQAB", "n": "v" + "A" * 340 + "Q"}

REPLIES = {
    # ID tokens
    ("id-token-many-keys", "token"): _signed_by_nobody,
    ("id-token-many-keys", "jwks"): _keys(40),
    ("id-token-huge-keys", "token"): _signed_by_nobody,
    ("id-token-huge-keys", "jwks"): _keys(342),
    ("id-token-fitting-keys", "token"): _signed_by_nobody,
    ("id-token-fitting-keys", "jwks"): answers(200, {"keys": [FITTING_KEY] * 2000}),
    # token endpoint
    ("token-html", "token"): answers(200, HTML, kind="text/html"),
    ("token-nothing", "token"): lambda issuer: [],
    ("token-huge", "token"): _huge,
    ("token-huge-chunked", "token"): _huge_chunked,
    ("token-half", "token"): answers(200, '{"access_token": "half', length=500),
    ("token-half-head", "token"): lambda issuer: [b"HTTP/1.1 200 OK\r\nContent-Ty"],
    ("token-garbage", "token"): lambda issuer: [b"\x00\xff garbage\r\n\r\n"],
    ("token-big-fields", "token"): answers(200, GOOD_TOKEN, extra=f"X-Big: {'x' * 100_000}\r\n"),
    ("token-drip", "token"): _drip,
    ("token-deep", "token"): answers(200, DEEP),
    ("token-not-utf8", "token"): answers(200, b'{"access_token": "\xff\xfe", "token_type": "b"}'),
    ("token-redirects", "token"): answers(307, "", extra="Location: /elsewhere/token\r\n"),
}
