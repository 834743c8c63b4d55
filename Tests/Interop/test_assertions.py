"""Clients that authenticate with an assertion from elsewhere, at Glewlwyd.

It knows the keys of its clients only, so the assertion is signed with the key of a registered client, by
openssl: for the program it is one of another issuer, and for the server it is genuine.
"""

import base64
import json
import re
import subprocess
import time
import uuid

from Servers.case import Case
from Servers.http_server import Handler, HTTPServer
from Servers.sdkctl import REPOSITORY


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def signed(key, kid, claims: dict) -> str:
    """A JWT with ES256; openssl signs in DER, a JWT has two numbers of 32 bytes."""
    head = base64url(json.dumps({"alg": "ES256", "typ": "JWT", "kid": kid}).encode())
    text = f"{head}.{base64url(json.dumps(claims).encode())}"
    der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=text.encode(),
                         capture_output=True, check=True).stdout
    numbers, at = b"", 2
    for _ in range(2):
        length = der[at + 1]
        numbers += der[at + 2:at + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + length
    return f"{text}.{base64url(numbers)}"


class Actions(Handler):
    """The endpoint of a job of GitHub Actions; the shape of its answer is the documented one."""

    def serve(self):
        self.server.seen.append((self.path, self.headers["Authorization"]))
        if self.headers["Authorization"] != "Bearer job-secret":
            return self.respond(401, b"{}", "application/json")
        token = self.server.token()
        self.respond(200, json.dumps({"count": len(token), "value": token}).encode(),
                     "application/json")


class AssertionTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.ok("profile", "set", "scope=openid notes", "anonymousScope=openid")
        self.ok("register", "--auth-method", "private_key_jwt")
        document = json.loads(self.home.registration_file.read_text())
        self.client = document["client"]["client_id"]
        self.key = self.home.directory / "key.pem"
        self.key.write_text(document["key"]["pem"])
        [self.kid] = [key["kid"] for key in document["client"]["jwks"]["keys"]]
        self.ok("deregister", "--local", "--yes")  # the server still knows it
        self.file = self.home.directory / "assertion"

    def assertion(self, key=None, **claims) -> str:
        now = int(time.time())
        return signed(key or self.key, self.kid, {
            "iss": self.client, "sub": self.client, "aud": self.token_endpoint(),
            "jti": str(uuid.uuid4()), "iat": now, "exp": now + 60, **claims})

    def token_endpoint(self) -> str:
        return self.jsonOf(self.ok("profile", "metadata", "--json"))["token_endpoint"]

    def register(self, *options):
        return self.ok("register", "--replace", "--client-id", self.client, *options)

    def assertTaken(self, **keywords):
        result = self.home.run("token", "--anonymous", "--fresh", **keywords)
        self.assertEqual(result.exit, 0, result)
        self.assertTrue(self.stand.provider.introspect(result.text.strip())["active"])

    def test_the_assertion_of_a_file_is_read_at_each_use(self):
        self.file.write_text(self.assertion())
        self.file.chmod(0o644)
        shown = self.jsonOf(self.register("--assertion-file", self.file, "--json"))
        self.assertEqual((shown["authMethod"], shown["assertion"]),
                         ("client_assertion", {"file": str(self.file)}))
        self.assertTaken()
        self.file.write_text(self.assertion() + "\n")
        self.assertTaken()

    def test_what_the_server_must_refuse_is_refused(self):
        self.register("--assertion-file", self.file)
        other = self.home.directory / "other.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-out", other], check=True, capture_output=True)
        for token in (self.assertion(key=other), self.assertion(iss="somebody", sub="somebody"),
                      self.assertion(aud="https://elsewhere.test")):
            self.file.write_text(token)
            result = self.fails(5, "token", "--anonymous", "--fresh")
            self.assertNotIn(token, result.err)

    def test_what_cannot_be_accepted_is_not_sent(self):
        self.register("--assertion-file", self.file)
        self.fails(1, "token", "--anonymous")
        self.file.write_text(self.assertion(exp=int(time.time()) - 1))
        result = self.fails(1, "token", "--anonymous")
        self.assertIn("it expired at", result.err)

    def test_a_command_and_a_ci_job_have_assertions(self):
        self.file.write_text(self.assertion())
        self.register("--assertion-command", f"cat '{self.file}'")
        self.assertTaken()
        self.register("--assertion-from", "gitlab", "--assertion-audience", self.token_endpoint())
        self.assertTaken(environment={"SDKCTL_ID_TOKEN": self.assertion()})
        result = self.home.run("token", "--anonymous", "--fresh")
        self.assertEqual(result.exit, 3, result)
        self.assertIn("SDKCTL_ID_TOKEN is not set", result.err)

    def actions(self):
        """A server that gives assertions to jobs of GitHub Actions, and the variables of a job."""
        server = HTTPServer(Actions, self.stand.authority.files("good"))
        server.seen, server.token = [], self.assertion
        server.start()
        self.addCleanup(server.stop)
        return server, {"ACTIONS_ID_TOKEN_REQUEST_URL": f"{server.url}/idtoken?api-version=2.0",
                        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "job-secret"}

    def test_the_recipe_for_github_actions_runs(self):
        server, job = self.actions()
        page = (REPOSITORY / "docs/scripting.md").read_text()
        recipe = re.search(r"  - run: \|\n((?: {6}.*\n)+)", page)[1].replace("/deployments", "/api/echo")
        done = subprocess.run(
            ["bash", "-ec", recipe], env=self.home.environment | job | {"CLIENT_ID": self.client},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([authorization for _, authorization in server.seen], ["Bearer job-secret"])

    def test_a_job_of_github_actions_requests_its_assertion(self):
        server, job = self.actions()
        self.register("--assertion-from", "github", "--assertion-audience", "a b")
        self.ok("pin", "add", f"localhost:{server.port}", "--yes")
        self.assertTaken(environment=job)
        self.assertEqual(server.seen,
                         [("/idtoken?api-version=2.0&audience=a%20b", "Bearer job-secret")])
        wrong = job | {"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "other"}
        result = self.home.run("token", "--anonymous", "--fresh", environment=wrong)
        self.assertEqual(result.exit, 5, result)

    def test_the_options_exclude_what_does_not_fit(self):
        for words in (["--assertion-file", "f"], ["--auth-method", "client_assertion"],
                      ["--client-id", "x", "--auth-method", "client_assertion"],
                      ["--client-id", "x", "--auth-method", "private_key_jwt", "--assertion-file", "f"],
                      ["--client-id", "x", "--assertion-file", "f", "--assertion-from", "github"],
                      ["--client-id", "x", "--assertion-file", "f", "--client-secret-file", "-"],
                      ["--client-id", "x", "--assertion-command", "c", "--assertion-audience", "a"]):
            self.fails(2, "register", *words)
        self.fails(2, "register", "update", "--auth-method", "client_assertion")
