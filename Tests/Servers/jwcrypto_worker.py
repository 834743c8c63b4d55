"""Encrypts and decrypts with Debian's jwcrypto, for payload.py; a JSON request and answer per line.

Debian installs jwcrypto for its own interpreter, which may not be the one that runs the tests.
"""

import json
import sys

from jwcrypto import jwe, jwk

ALGORITHMS = ["ECDH-ES", "A256GCM"]


def main():
    curve = sys.argv[1]
    key = jwk.JWK.generate(kty="OKP" if curve == "X25519" else "EC", crv=curve)
    print(key.export_public(), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = decrypted(request["token"], key) if "token" in request else encrypted(request)
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), flush=True)


def decrypted(token, key) -> dict:
    message = jwe.JWE(algs=ALGORITHMS)
    message.deserialize(token, key=key)
    return {"result": message.payload.decode()}


def encrypted(request) -> dict:
    header = json.dumps(dict(zip(("alg", "enc"), ALGORITHMS)))
    message = jwe.JWE(request["content"].encode(), header, algs=ALGORITHMS)
    message.add_recipient(jwk.JWK(**request["receiver"]))
    return {"result": message.serialize(compact=True)}


main()
