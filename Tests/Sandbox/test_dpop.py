"""Tokens that are bound to a key (RFC 9449), at a server that wants nonces in the proofs."""

import json
import re
import shutil
import subprocess

from Servers.client import Client
from Servers.sandbox import SandboxCase

JOSE = shutil.which("jose")
BROKEN = "e30.e30.e30"


class BoundTokenCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "dpop=on")

    def log_in(self, *arguments):
        self.register()
        self.use_person()
        return self.ok("login", *arguments)

    @property
    def key_file(self):
        return self.home.slot_file().parents[1] / "dpop.json"

    @property
    def nonce_file(self):
        return self.home.store / "cache/nonces" / (self.home.name + ".json")

    def facts(self, slot="user"):
        return self.jsonOf(self.ok("token", "--json", self.home.slot_option(slot)))

    def fields(self, method="GET", path="/devices"):
        """The header lines that `token` prints for a request, by name."""
        lines = self.ok("token", "--header", "--proof-for",
                        f"{method} {self.url(path)}").text.splitlines()
        self.assertEqual(len(lines), 2, lines)
        return dict(line.split(": ", 1) for line in lines)

    def url(self, path):
        return self.sandbox.url.rstrip("/") + path

    def get(self, path, fields):
        return Client(self.sandbox.ca_file).get(self.url(path), fields=fields)


class LifeTests(BoundTokenCase):
    def test_the_method_of_a_proof_is_in_capitals_as_it_is_sent(self):
        self.log_in()
        fields = self.fields("get")
        self.assertEqual(self.get("/devices", fields).status, 200)

    def test_a_login_binds_its_tokens_to_the_key_of_the_profile(self):
        self.log_in()
        facts = self.facts()
        self.assertEqual(facts["tokenType"], "DPoP")
        self.assertEqual(self.sandbox.introspect(facts["accessToken"])["cnf"]["jkt"], facts["jkt"])
        shown = self.jsonOf(self.ok("profile", "show", "--json"))
        self.assertEqual(shown["state"]["dpopKey"], facts["jkt"])
        self.assertIn("DPoP key: " + facts["jkt"], self.ok("profile", "show").err)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.facts()["jkt"], facts["jkt"])

    def test_the_client_says_so_when_it_registers(self):
        self.register()
        shown = self.jsonOf(self.ok("register", "show", "--json"))
        self.assertTrue(shown["metadata"]["dpop_bound_access_tokens"])
        self.ok("profile", "unset", "dpop")
        self.use_person()
        self.ok("login")
        self.assertEqual(self.facts()["tokenType"], "DPoP")  # the registration is enough
        for setting, bound in [("off", False), ("on", True)]:
            self.ok("profile", "set", "dpop=" + setting)
            updated = self.jsonOf(self.ok("register", "update", "--json"))
            self.assertEqual(updated["metadata"]["dpop_bound_access_tokens"], bound)

    def test_refreshes_keep_to_what_a_login_has_got(self):
        self.ok("profile", "unset", "dpop")
        self.register()
        self.ok("profile", "set", "dpop=on")
        self.use_person()
        self.ok("login")
        self.assertEqual(self.facts()["tokenType"], "DPoP")
        self.ok("profile", "unset", "dpop")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.facts()["tokenType"], "DPoP")
        self.use_person()
        self.ok("login")
        self.assertEqual(self.facts()["tokenType"], "Bearer")
        self.assertIsNone(self.facts()["jkt"])
        self.ok("fetch", "--user", "/devices")

    def test_a_pushed_request_is_bound_too(self):
        self.ok("profile", "set", "par=true")
        self.log_in()
        self.assertEqual(self.facts()["tokenType"], "DPoP")
        self.ok("fetch", "--user", "/devices")

    def test_every_grant_proves_the_key(self):
        self.log_in()
        self.ok("login", "--anonymous")
        self.ok("login", "--implicit")
        for slot, path in [("anonymous", "/application-details"), ("implicit", "/user-id-decorated")]:
            with self.subTest(slot=slot):
                self.assertEqual(self.facts(slot)["tokenType"], "DPoP")
                self.ok("fetch", self.home.slot_option(slot), path)
        self.ok("profile", "set", "narrowedRefresh=true")
        narrow = self.jsonOf(self.ok("token", "--scope", "read", "--json"))
        self.assertEqual(narrow["tokenType"], "DPoP")

    def test_the_key_outlives_a_logout_and_goes_with_the_registration(self):
        self.log_in()
        key = self.key_file.read_text()
        self.ok("logout")
        self.use_person()
        self.ok("login")
        self.assertEqual(self.key_file.read_text(), key)
        self.ok("register", "--replace")
        self.assertFalse(self.key_file.exists())
        self.use_person()
        self.ok("login")
        self.assertNotEqual(self.key_file.read_text(), key)
        self.ok("deregister", "--yes")
        self.assertFalse(self.key_file.exists())

    def test_without_its_key_a_token_is_of_no_use(self):
        self.log_in()
        self.key_file.unlink()
        result = self.fails(4, "fetch", "--user", "/devices")
        self.assertIn("the key of its token is gone", result.err)
        self.assertEqual(result.hint, f"sdkctl -p {self.home.name} login")
        self.use_person()
        self.ok("login")
        self.ok("fetch", "--user", "/devices")

    def test_a_key_that_others_can_read_is_refused(self):
        self.log_in()
        self.key_file.chmod(0o644)
        self.fails(3, "fetch", "--user", "/devices")


class NonceTests(BoundTokenCase):
    def test_each_server_tells_its_nonce_once(self):
        self.log_in()
        self.assertEqual(self.sandbox.requests("token"), 2)  # one was asked for
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.sandbox.requests("token"), 3)
        document = json.loads(self.nonce_file.read_text())
        self.assertEqual(document["version"], 2)
        self.assertTrue(document["nonces"])

    def test_one_that_is_lost_spoilt_or_old_costs_a_request(self):
        self.log_in()
        for text in (None, "{", '{"version":2,"nonces":{"x":1}}'):
            with self.subTest(text):
                if text is None:
                    self.nonce_file.unlink()
                else:
                    self.nonce_file.write_text(text)
                self.ok("fetch", "--user", "/devices")
        document = json.loads(self.nonce_file.read_text())
        document["nonces"] = {origin: "stale" for origin in document["nonces"]}
        self.nonce_file.write_text(json.dumps(document))
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.nonce_file.write_text(json.dumps(document))
        self.ok("token")

    def test_a_body_that_can_be_read_once_is_not_sent_again(self):
        self.log_in()
        self.nonce_file.unlink()
        words = ["fetch", "-X", "GET", "--user", "/devices", "--data", "@-"]
        result = self.home.run(*words, input="x")
        self.assertEqual(result.exit, 12, result)
        self.assertIn("use_dpop_nonce", result.text)  # delivered as it came
        self.ok(*words, input="x")

    def test_traces_show_neither_proof_nor_nonce(self):
        self.log_in()
        for option, hidden in ("-v", r"eyJ|DPoP"), ("-vv", r"eyJ"):
            self.nonce_file.unlink(missing_ok=True)
            result = self.ok("fetch", option, "--user", "/devices")
            [nonce, *_] = json.loads(self.nonce_file.read_text())["nonces"].values()
            self.assertIn("401", result.err)  # the request that was repeated
            self.assertNotIn(nonce, result.err)
            self.assertNotRegex(result.err, hidden)


class ProofTests(BoundTokenCase):
    def setUp(self):
        super().setUp()
        self.log_in()
        self.ok("fetch", "--user", "/devices")  # learns the nonce

    def test_a_proof_is_good_once_and_for_its_request_only(self):
        fields = self.fields()
        self.assertTrue(fields["Authorization"].startswith("DPoP "))
        self.assertEqual(self.get("/devices", fields).status, 200)
        self.assertEqual(self.get("/devices", fields).status, 401)  # replayed
        self.assertEqual(self.get("/devices", self.fields(path="/echo")).status, 401)
        self.assertEqual(self.get("/devices", self.fields("POST")).status, 401)
        self.assertEqual(self.get("/devices", self.fields() | {"DPoP": BROKEN}).status, 401)
        bearer = {"Authorization": "Bearer " + self.facts()["accessToken"]}
        self.assertEqual(self.get("/devices", bearer).status, 401)  # stolen

    def test_curl_sends_it(self):
        url = self.url("/devices")
        configuration = self.ok("token", "--curl", "--proof-for", "GET " + url).text
        answer = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--cacert", self.sandbox.ca_file,
             "--config", "-", url], input=configuration, capture_output=True, text=True, timeout=30)
        self.assertIn("devices", answer.stdout, answer.stderr)

    def test_another_implementation_finds_it_right(self):
        if not JOSE and "CI" not in os.environ:
            self.skipTest("jose is not installed")
        folder = self.home.directory
        facts = self.jsonOf(self.ok("token", "--json", "--proof-for", f"PUT {self.url('/a?b=c')}"))
        decoded = lambda part: json.loads(
            subprocess.run([JOSE, "b64", "dec", "-i", "-"], input=part.encode(),
                           capture_output=True, check=True).stdout)
        header, claims = map(decoded, facts["proof"].split(".")[:2])
        (folder / "jwk").write_text(json.dumps(header.pop("jwk")))
        (folder / "token").write_text(facts["accessToken"])
        run = lambda *words, **more: subprocess.run(
            [JOSE, *words], cwd=folder, capture_output=True, check=True, **more).stdout
        run("jws", "ver", "-i", "-", "-k", "jwk", input=facts["proof"].encode())
        thumbprint = run("jwk", "thp", "-a", "S256", "-i", "jwk").decode().strip()
        self.assertEqual(thumbprint, facts["jkt"])
        digest = subprocess.run(["openssl", "dgst", "-sha256", "-binary", "token"], cwd=folder,
                                capture_output=True, check=True).stdout
        ath = run("b64", "enc", "-I", "-", input=digest).decode().strip()
        self.assertEqual(header, {"typ": "dpop+jwt", "alg": "ES256"})
        self.assertEqual((claims["htm"], claims["htu"]), ("PUT", self.url("/a")))
        self.assertEqual(claims["ath"], ath)
        self.assertEqual(set(claims), {"jti", "htm", "htu", "iat", "ath", "nonce"})
        self.assertEqual(set(json.loads((folder / "jwk").read_text())), {"kty", "crv", "x", "y"})

    def test_it_is_printed_where_a_request_can_carry_it(self):
        target = "GET " + self.url("/devices")
        for form in ([], ["--env", "sh"]):
            self.fails(2, "token", "--proof-for", target, *form)
        note = "a request needs a proof too"
        self.assertIn(note, self.ok("token", "--header").err)
        self.assertNotIn(note, self.ok("token", "--header", "--proof-for", target).err)
        self.assertNotIn(note, self.ok("token").err)
        self.use_person()
        self.ok("register", "--replace")
        self.ok("profile", "unset", "dpop")
        self.ok("register", "--replace")
        self.ok("login")
        lines = self.ok("token", "--header", "--proof-for", target).text.splitlines()
        self.assertEqual([line.split()[:2] for line in lines], [["Authorization:", "Bearer"]])

    def test_nobody_else_sets_it(self):
        result = self.fails(2, "fetch", "--user", "-H", "DPoP: x", "/devices", "--json")
        self.assertEqual(self.jsonError(result)["number"], 10019)

    def test_the_private_half_stays_in_its_file(self):
        key = json.loads(self.key_file.read_text())["pem"]
        lines = [line for line in key.splitlines() if re.fullmatch(r"[A-Za-z0-9+/=]{20,}", line)]
        said = self.ok("profile", "show", "--json").out + self.ok("token", "--json").out
        said += self.ok("fetch", "-vv", "--user", "/devices").errors
        for line in lines:
            self.assertNotIn(line.encode(), said)
