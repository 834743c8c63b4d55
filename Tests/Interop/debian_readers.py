"""Reads tokens with Debian's PyJWT and jwcrypto: a JSON array of requests, and one of answers.

Debian installs both for its own interpreter, which may not be the one that runs the tests. A request has
`library`, `token`, `alg` and `key`, a JWK or PEM; of an encrypted token also `enc`. An answer has `text`, or
`error`, the name of the exception.
"""

import json
import sys

import jwt
from jwcrypto import jwe, jwk, jws


def by_pyjwt(request) -> str:
    # The claims are checked too, as a resource server does.
    return json.dumps(jwt.decode(
        request["token"], request["key"], algorithms=[request["alg"]], audience="api",
        issuer="https://id.test", options={"require": ["exp", "iat", "jti"]}))


def by_jwcrypto(request) -> str:
    key = jwk.JWK(**request["key"])
    if "enc" in request:
        message = jwe.JWE(algs=[request["alg"], request["enc"]])
    else:
        message = jws.JWS()
        message.allowed_algs = [request["alg"]]
    message.deserialize(request["token"], key)
    return message.payload.decode()


def answer(request) -> dict:
    try:
        return {"text": {"pyjwt": by_pyjwt, "jwcrypto": by_jwcrypto}[request["library"]](request)}
    except Exception as error:
        return {"error": type(error).__name__}


print(json.dumps([answer(request) for request in json.load(sys.stdin)]))
