"""Certificates of clients: made by openssl, described by openssl, shown by Python."""

import hashlib
import subprocess
import tempfile

from browser import HTTP
from client import Client, b64url
from program import shared

OWN = "tls_client_auth"
SELF = "self_signed_tls_client_auth"


def thumbprint(certificate):
    """What openssl makes of a certificate: base64url of the SHA-256 of its DER."""
    der = subprocess.run(
        ["openssl", "x509", "-in", certificate["certificate"], "-outform", "DER"],
        check=True, capture_output=True).stdout
    return b64url(hashlib.sha256(der).digest())


def foreign(name, key_options, *more):
    """A certificate made by openssl, signed by itself."""
    folder = tempfile.mkdtemp(dir=shared().directory)
    files = {"certificate": f"{folder}/c.pem", "key": f"{folder}/k.pem"}
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-newkey", *key_options, "-subj", f"/CN={name}",
         "-days", "2", "-out", files["certificate"], "-keyout", files["key"], *more],
        check=True, capture_output=True)
    return files


EC = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")


def x5c(certificate):
    with open(certificate["certificate"]) as file:
        return "".join(file.read().split("-----")[2].split())


def certified(method, **metadata):
    return Client(shared(), token_endpoint_auth_method=method, **metadata)


def ask(client, certificate, http=None):
    http = http or HTTP(shared(), certificate, mutual=True)
    return http.post(
        "/token", form={"grant_type": "client_credentials", "client_id": client.id})


def jwk_of(certificate):
    """The public key of a certificate as a JWK, by way of openssl."""
    der = subprocess.run(
        ["openssl", "pkey", "-in", certificate["key"], "-pubout", "-outform", "DER"],
        check=True, capture_output=True).stdout
    if len(der) < 100:
        return {"kty": "EC", "crv": "P-256", "x": b64url(der[-64:-32]), "y": b64url(der[-32:])}
    modulus = subprocess.run(
        ["openssl", "rsa", "-in", certificate["key"], "-noout", "-modulus"], check=True,
        capture_output=True, text=True).stdout.strip().split("=")[1]
    return {"kty": "RSA", "n": b64url(bytes.fromhex(modulus)), "e": "AQAB"}
