"""A resource gateway whose requests and answers are encrypted, by jwcrypto or by the program jose."""

import base64
import json
import subprocess
import time
from pathlib import Path

from .http_server import Handler, HTTPServer

MEDIA_TYPE = "application/jose"


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class ByJWCrypto:
    """Debian's python3-jwcrypto, in a process of its own."""

    def __init__(self, curve):
        self.worker = subprocess.Popen(
            ["/usr/bin/python3", Path(__file__).with_name("jwcrypto_worker.py"), curve],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.public = json.loads(self.worker.stdout.readline())

    def stop(self):
        self.worker.stdin.close()
        self.worker.wait(10)
        self.worker.stdout.close()

    def decrypt(self, token: str) -> bytes:
        return self._ask(token=token).encode()

    def encrypt(self, content: bytes, receiver: dict) -> str:
        return self._ask(content=content.decode(), receiver=receiver)

    def _ask(self, **request) -> str:
        self.worker.stdin.write(json.dumps(request) + "\n")
        self.worker.stdin.flush()
        answer = json.loads(self.worker.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]


class ByJose:
    """The program jose of Debian; it knows the curves of NIST only."""

    def __init__(self, curve, directory):
        self.file, self.directory = directory / "gateway.jwk", directory
        key = jose("jwk", "gen", "-i", json.dumps({"kty": "EC", "crv": curve}))
        self.file.write_text(key)

    def stop(self):
        pass

    @property
    def public(self) -> dict:
        key = json.loads(self.file.read_text())
        return {name: key[name] for name in ("kty", "crv", "x", "y")}

    def decrypt(self, token: str) -> bytes:
        return jose("jwe", "dec", "-i-", "-k", self.file, input=token).encode()

    def encrypt(self, content: bytes, receiver: dict) -> str:
        peer = self.directory / "peer.jwk"
        peer.write_text(json.dumps(receiver))
        template = json.dumps({"protected": {"alg": "ECDH-ES", "enc": "A256GCM"}})
        return jose("jwe", "enc", "-i", template, "-I-", "-k", peer, "-c",
                    input=content.decode()).strip()


def jose(*arguments, input="") -> str:
    done = subprocess.run(["jose", *map(str, arguments)], input=input, capture_output=True,
                          text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"jose {arguments}: {done.stderr}")
    return done.stdout


class PayloadGateway(HTTPServer):
    """Answers each request as `reply` says: a function of the inner request."""

    def __init__(self, cipher, reply):
        super().__init__(_Handler)
        self.cipher, self.reply = cipher, reply
        self.requests, self.ids, self.outer = [], set(), []

    def opened(self, token, handler) -> dict:
        """The inner request, checked as a gateway must check it."""
        header = json.loads(decoded(token.split(".")[0]))
        assert (header["alg"], header["enc"]) == ("ECDH-ES", "A256GCM"), header
        assert handler.headers["Content-Type"] == MEDIA_TYPE, handler.headers
        inner = json.loads(self.cipher.decrypt(token))
        assert inner["path"].partition("?")[0] == handler.path, inner
        assert inner["host"] == handler.headers["Host"], inner
        assert abs(inner["iat"] - time.time()) < 300, inner
        assert len(decoded(inner["id"])) >= 16 and inner["id"] not in self.ids, inner
        self.ids.add(inner["id"])
        self.requests.append(inner)
        return inner


class _Handler(Handler):
    def do_POST(self):
        gateway, token = self.server, self.body().decode()
        gateway.outer.append((self.requestline, dict(self.headers)))
        inner = gateway.opened(token, self)
        answer = gateway.reply(inner)
        answer.setdefault("id", inner["id"])
        body = answer.pop("raw", None)
        if body is None:
            body = gateway.cipher.encrypt(json.dumps(answer).encode(), epk(token)).encode()
        self.respond(200, body, MEDIA_TYPE)


def epk(token: str) -> dict:
    return json.loads(decoded(token.split(".")[0]))["epk"]
