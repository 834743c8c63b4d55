"""Payload encryption, with jwcrypto and the program jose on the other side."""

import json

from Servers.case import Case
from Servers.payload import ByJose, ByJWCrypto, PayloadGateway, decoded, encoded


def echo(inner):
    """An answer that tells what was inside the request."""
    body = {"method": inner["method"], "path": inner["path"], "headers": inner["headers"],
            "body": decoded(inner.get("body", "")).decode()}
    return {"status": 203, "headers": [["Content-Type", "application/json"], ["X-Inner", "yes"]],
            "body": encoded(json.dumps(body).encode())}


class PayloadTests(Case):
    def gateway(self, cipher, reply=echo, key=None):
        self.addCleanup(cipher.stop)
        gateway = PayloadGateway(cipher, reply).start()
        self.addCleanup(gateway.stop)
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", "https://api.invalid")
        self.ok("profile", "set", "insecureLoopback=true", f"resourceURL={gateway.url}",
                "payloadEncryption=true", f"serverPublicKey={key or json.dumps(cipher.public)}")
        return gateway

    def both_ways(self, cipher, key=None):
        gateway = self.gateway(cipher, key=key)
        result = self.ok("fetch", "--unauth", "-i", "PUT", "/a/b?c=d", "--data", "Grüße",
                         "-H", "X-Own: 1")
        head, _, body = result.out.partition(b"\r\n\r\n")
        self.assertIn(b" 203", head.splitlines()[0])
        self.assertIn(b"X-Inner: yes", head)
        inner = json.loads(body)
        self.assertEqual((inner["method"], inner["path"], inner["body"]),
                         ("PUT", "/a/b?c=d", "Grüße"))
        self.assertIn(["X-Own", "1"], inner["headers"])
        line, fields = gateway.outer[0]
        self.assertEqual(line, "POST /a/b HTTP/1.1")
        self.assertNotIn("X-Own", fields)

    def test_jwcrypto_reads_our_requests_on_p256_and_we_read_its_answers(self):
        self.both_ways(ByJWCrypto("P-256"))

    def test_jwcrypto_reads_our_requests_on_x25519_and_we_read_its_answers(self):
        self.both_ways(ByJWCrypto("X25519"))

    def test_a_key_of_64_hexadecimal_digits_is_one_on_x25519(self):
        cipher = ByJWCrypto("X25519")
        self.both_ways(cipher, key=decoded(cipher.public["x"]).hex())

    def test_jose_reads_our_requests_and_we_read_its_answers(self):
        self.both_ways(ByJose("P-256", self.home.directory))

    def test_an_answer_of_another_request_or_in_clear_or_changed_is_refused(self):
        cipher = ByJWCrypto("P-256")

        def other_id(inner):
            return echo(inner) | {"id": "AAAAAAAAAAAAAAAAAAAAAA"}

        def clear(inner):
            return {"raw": json.dumps(echo(inner) | {"id": inner["id"]}).encode()}

        def foreign(inner):
            token = cipher.encrypt(json.dumps(echo(inner)).encode(), cipher.public)
            return {"raw": token.encode()}

        gateway = self.gateway(cipher)
        for reply in (other_id, clear, foreign):
            with self.subTest(reply.__name__):
                gateway.reply = reply
                result = self.home.run("fetch", "--unauth", "/a")
                self.assertEqual(result.exit, 11, result)
                self.assertEqual(result.out, b"")

    def test_the_answer_to_an_earlier_request_is_refused(self):
        cipher = ByJWCrypto("P-256")
        gateway = self.gateway(cipher)
        original, kept = cipher.encrypt, []

        def replayed(content, receiver):
            kept.append(original(content, receiver))
            return kept[0]

        cipher.encrypt = replayed
        self.ok("fetch", "--unauth", "/a")
        result = self.home.run("fetch", "--unauth", "/a")
        self.assertEqual(result.exit, 11, result)
        self.assertEqual(len(gateway.requests), 2)

    def test_an_answer_with_one_bit_changed_is_refused(self):
        cipher = ByJWCrypto("P-256")
        gateway = self.gateway(cipher)
        original = cipher.encrypt

        def changed(content, receiver):
            parts = original(content, receiver).split(".")
            data = bytearray(decoded(parts[3]))
            data[len(data) // 2] ^= 1
            parts[3] = encoded(bytes(data))
            return ".".join(parts)

        cipher.encrypt = changed
        result = self.home.run("fetch", "--unauth", "/a")
        self.assertEqual(result.exit, 11, result)
        self.assertEqual(len(gateway.requests), 1)
