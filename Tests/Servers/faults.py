"""What the hostile origin answers: (fault, endpoint) → pieces of bytes, with pauses in seconds."""

import base64
import json

GOOD_TOKEN = {"access_token": "at-1", "token_type": "Bearer", "expires_in": 300,
              "refresh_token": "rt-1"}
MEBIBYTE = 1 << 20


def metadata(issuer: str, /, **changes) -> dict:
    """A discovery document of an ordinary provider, with changes; None removes a member."""
    document = {
        "issuer": issuer, "authorization_endpoint": issuer + "/auth",
        "token_endpoint": issuer + "/token", "registration_endpoint": issuer + "/register",
        "revocation_endpoint": issuer + "/revoke", "jwks_uri": issuer + "/jwks",
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "grant_types_supported": ["authorization_code", "client_credentials", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"]} | changes
    return {name: value for name, value in document.items() if value is not None}


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


def describes(**changes):
    """A fault in the discovery document; `{issuer}` in a text value is filled in."""
    def pieces(issuer):
        filled = {name: value.replace("{issuer}", issuer) if isinstance(value, str) else value
                  for name, value in changes.items()}
        return [reply(200, metadata(issuer, **filled))]
    return pieces


def token(**changes):
    """A fault in the members of a token answer; None removes one."""
    members = {name: value for name, value in (GOOD_TOKEN | changes).items() if value is not None}
    return answers(200, members)


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

# What an authorization answer carries besides, or instead.
AUTHORIZATIONS = {
    "auth-other-issuer": {"iss": "https://attacker.example"},
    "auth-other-state": {"state": "forged"},
}


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
SKEWED = "Date: Tue, 01 Jan 2030 00:00:00 GMT\r\n"


def _unsigned(issuer):
    claims = {"iss": issuer, "aud": "c1", "sub": "alice", "exp": 4102444800, "iat": 1}
    return [reply(200, GOOD_TOKEN | {"id_token": _unsigned_jwt(**claims)})]


REPLIES = {
    # ID tokens
    ("id-token-unsigned", "token"): _unsigned,
    ("id-token-unsigned", "jwks"): answers(200, {"keys": []}),
    ("id-token-garbage", "token"): token(id_token="not.a.token"),
    ("id-token-garbage", "jwks"): answers(200, {"keys": []}),
    ("id-token-many-keys", "token"): _signed_by_nobody,
    ("id-token-many-keys", "jwks"): _keys(40),
    ("id-token-huge-keys", "token"): _signed_by_nobody,
    ("id-token-huge-keys", "jwks"): _keys(342),
    ("id-token-fitting-keys", "token"): _signed_by_nobody,
    ("id-token-fitting-keys", "jwks"): answers(200, {"keys": [FITTING_KEY] * 2000}),
    # a clock that is not ours
    ("clock-refused", "token"): answers(400, {"error": "invalid_client"}, extra=SKEWED),
    ("clock-granted", "token"): answers(200, GOOD_TOKEN, extra=SKEWED),
    # discovery
    ("issuer-differs", "metadata"): describes(issuer="https://localhost.example/other"),
    ("metadata-html", "metadata"): answers(200, HTML, kind="text/html"),
    ("metadata-empty", "metadata"): answers(200, ""),
    ("metadata-array", "metadata"): answers(200, []),
    ("metadata-deep", "metadata"): answers(200, DEEP),
    ("metadata-huge", "metadata"): _huge,
    ("metadata-missing", "metadata"): answers(404, "no"),
    ("metadata-no-token", "metadata"): describes(token_endpoint=None),
    ("metadata-plain-http", "metadata"): describes(token_endpoint="http://localhost/token"),
    ("metadata-wrong-type", "metadata"): describes(token_endpoint=7),
    ("metadata-to-http", "metadata"): lambda issuer: [reply(302, "", extra=(
        f"Location: {issuer.replace('https:', 'http:')}/.well-known/openid-configuration\r\n"))],
    ("token-elsewhere", "metadata"): lambda issuer: [reply(200, metadata(
        issuer, token_endpoint=issuer.replace("localhost", "127.0.0.1").replace(
            "token-elsewhere", "honest/token")))],
    # registration
    ("register-html", "register"): answers(200, HTML, kind="text/html"),
    ("register-refused", "register"): answers(400, {"error": "invalid_redirect_uri",
                                                    "error_description": "not \x1b[31mthat"}),
    ("register-no-id", "register"): answers(201, {"client_secret": "s"}),
    # token endpoint
    ("token-html", "token"): answers(200, HTML, kind="text/html"),
    ("token-html-error", "token"): answers(400, HTML, kind="text/html"),
    ("token-empty", "token"): answers(200, ""),
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
    ("token-missing", "token"): token(access_token=None),
    ("token-number", "token"): token(access_token=7),
    ("token-blank", "token"): token(access_token=""),
    ("token-injects", "token"): token(access_token="a\r\nX-Injected: yes"),
    ("token-other-type", "token"): token(token_type="mac"),
    ("token-refused", "token"): answers(400, {"error": "unauthorized_client",
                                              "error_description": "not \x1b[31mthis one"}),
    ("token-500", "token"): answers(500, "oops", kind="text/plain"),
    ("token-redirects", "token"): answers(307, "", extra="Location: /token-500/token\r\n"),
}
