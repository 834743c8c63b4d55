"""FIDO UAF at a server of python-cryptography, which checks what we send with a verifier of its own."""

import os
import unittest
from concurrent.futures import ThreadPoolExecutor

from Servers.case import Case
from Servers.kills import ROUNDS, Kills
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sdkctl import BINARY
from Servers.stand import Stand

try:
    from Servers.fido_server import FIDOServer, uaf
except ImportError:
    FIDOServer = None

PASSCODE = "271828"


@unittest.skipUnless(FIDOServer or "CI" in os.environ, "needs python3-cryptography")
class FIDOCase(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.authority = Stand.shared().authority

    def setUp(self):
        super().setUp()
        self.server = FIDOServer(self.authority).start()
        self.addCleanup(self.server.stop)
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", self.server.url, "--ca-file", self.stand.ca_file)
        self.ok("profile", "use", self.home.name)
        self.ok("profile", "set", f"form.url={self.server.url}/login", "form.user=alice",
                f"form.passwordFile={self.secret('password', 'wonderland')}",
                f"fido.url={self.server.url}", f"fido.passcodeFile={self.secret('passcode', PASSCODE)}",
                "reauthenticate=fido", "fido.authenticationRetryInterval=0")
        self.ok("pin", "add", self.server.url.removeprefix("https://"), "--yes")

    def secret(self, name, content):
        path = self.home.directory / name
        path.write_text(content + "\n")
        path.chmod(0o600)
        return path

    def register(self, *options):
        self.ok("login", "form")
        return self.ok("fido", "register", *options)

    def notes(self):
        return self.ok("fetch", "/notes").text

    def count(self, path="/uaf/1.1/authentication"):
        return sum(seen.rstrip("/") == path for seen in self.server.seen)


class LoginTests(FIDOCase):
    def test_from_nothing_to_a_resource_with_a_cookie(self):
        self.register()
        (key,) = self.server.keys.values()
        self.assertEqual((key.user, key.aaid), ("alice", uaf.DEVELOPMENT_AAID))
        self.fails(12, "fetch", "--unauth", "/notes")
        self.ok("fido", "login")
        self.assertEqual(self.notes(), "notes of alice")
        self.assertEqual((self.server.refusals, self.home.unsafe_modes()), ([], []))

    def test_a_jwt_is_a_bearer_token(self):
        self.register()
        self.server.result = "jwt"
        self.ok("fido", "login")
        token = self.ok("token").text.strip()
        self.assertEqual(self.server.sessions[token], ("alice", "fido"))
        self.assertEqual(self.notes(), "notes of alice")

    def test_each_encoding_and_attestation_and_both_versions(self):
        for encoding, algorithms in (("der", (0x02, 0x101)), ("raw", (0x01, 0x100))):
            for attestation in ("full", "surrogate"):
                for version in ((1, 0), (1, 1)):
                    with self.subTest(encoding=encoding, attestation=attestation, version=version):
                        self.server.version = version
                        self.ok("profile", "set", f"fido.encoding={encoding}",
                                f"fido.attestation={attestation}")
                        self.register()
                        key = list(self.server.keys.values())[-1]
                        self.assertEqual((key.algorithm, key.encoding), algorithms)
                        self.assertEqual(bool(key.certificates), attestation == "full")
                        self.ok("fido", "login")
                        self.ok("fido", "deregister", "--yes")
                        self.assertEqual((self.server.keys, self.server.refusals), ({}, []))

    def test_keys_and_signatures_with_leading_zero_bytes(self):
        """Keys are registered until one has a coordinate that begins with a zero byte."""
        self.ok("profile", "set", "fido.noVerification=true", "fido.encoding=raw")
        self.ok("login", "form")
        for _ in range(600):
            self.ok("fido", "register", "--no-verification")
            key = list(self.server.keys.values())[-1].key.public_numbers()
            if not key.x >> 248 or not key.y >> 248:
                break
            self.server.keys.clear()
        else:
            self.fail("no such key among 600")
        self.assertEqual(self.server.refusals, [])

    def test_counters_grow_over_many_logins_at_once(self):
        self.register()
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda _: self.home.run("fido", "login"), range(12)))
        self.assertEqual([result.exit for result in results], [0] * 12, results)
        (key,) = self.server.keys.values()
        self.assertEqual((key.sign_counter >= 12, self.server.refusals), (True, []))

    def test_the_challenge_parameters_name_this_connection(self):
        self.register()
        self.ok("fido", "login")
        for parameters in self.server.parameters:
            self.assertEqual(parameters["facetID"], self.server.url)
            self.assertLessEqual(set(parameters), {
                "appID", "challenge", "facetID", "channelBinding"})
            self.assertEqual(  # the server has compared it with its certificate
                uaf.from_b64url(parameters["channelBinding"]["serverEndPoint"]),
                self.server.end_point)
        self.assertEqual(len(self.server.parameters), 2)

    def test_a_facet_of_the_profile(self):
        facet = "ios:bundle-id:org.example.app"
        self.ok("profile", "set", f"fido.facetID={facet}")
        self.server.facets = [facet]
        self.register()
        self.ok("fido", "login")
        self.assertEqual({one["facetID"] for one in self.server.parameters}, {facet})

    def test_a_401_is_answered_by_one_authentication_of_all_processes(self):
        self.register()
        self.ok("fido", "login")
        self.server.sessions.clear()
        before = self.count()
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: self.home.run("fetch", "/notes"), range(8)))
        self.assertEqual([result.exit for result in results], [0] * 8, results)
        self.assertEqual(self.count() - before, 1)

    def test_a_401_that_stays_is_delivered_after_one_authentication(self):
        self.register()
        self.ok("fido", "login")
        self.server.session = lambda user, means: "of no use"
        self.server.sessions.clear()
        before = self.count()
        self.fails((4, 12), "fetch", "/notes")
        self.assertEqual(self.count() - before, 1)

    def test_a_transaction_is_shown_and_its_hash_is_signed(self):
        self.register()
        self.server.transaction = "Zahle 5 € an Bob".encode()
        terminal = PseudoTerminal(self.home, BINARY, "fido", "login")
        terminal.wait_for("Zahle 5 € an Bob".encode())
        terminal.wait_for(b"[y/N] ")
        terminal.type("y\n")
        status, shown = terminal.end()
        self.assertEqual((status, self.server.refusals), (0, []), shown)
        refused = self.home.run("fido", "login")  # there is nobody to ask
        self.assertEqual(refused.exit, 4, refused)
        self.assertEqual(refused.err.splitlines(), [
            "The server asks alice to confirm:", "Zahle 5 € an Bob",
            "sdkctl: error: could not confirm the transaction: there is no terminal",
            "sdkctl: hint: sdkctl -p test fido login"])


class DispatchTargetTests(FIDOCase):
    def test_a_target_is_created_listed_and_deleted(self):
        self.register()
        self.ok("fido", "login")
        identifier = self.ok("fido", "target", "add", "laptop", "--dispatcher", "link").text.strip()
        listed = self.jsonOf(self.ok("fido", "target", "list", "--json"))
        self.assertEqual([(one["id"], one["name"], one["dispatcher"], one["here"])
                          for one in listed], [(identifier, "laptop", "link", True)])
        self.assertEqual(self.home.unsafe_modes(), [])
        self.fails(5, "fido", "target", "add", "laptop")  # 422
        self.ok("fido", "target", "remove", identifier, "--yes")
        self.assertEqual((self.ok("fido", "target", "list", "--local").text, self.server.targets), ("", {}))


class KillTests(FIDOCase):
    """The server refuses each counter that is not greater than the one before."""

    def kill(self, *options, passcode=""):
        """Kills logins at random instants."""
        kills = Kills.of(lambda: self.ok("fido", "login"))
        for _ in range(ROUNDS):
            kills.strike(self.home, "fido", "login")
            with self.subTest(kills.where):
                # A kill while the passcode was tried counts as a wrong one, after which that of a file is
                # not tried; a right one makes up for it.
                self.ok("fido", "login", *options, input=passcode)
                self.assertEqual(self.server.refusals, [])
        kills.assert_enough(self)

    def test_counters_never_go_back_without_a_passcode(self):
        self.ok("profile", "set", "fido.noVerification=true")
        self.register("--no-verification")
        self.kill()
        (key,) = self.server.keys.values()
        self.assertGreater(key.sign_counter, ROUNDS)

    def test_counters_never_go_back_with_a_passcode(self):
        self.register()
        self.kill("--passcode-file", "-", passcode=PASSCODE)


class RefusalTests(FIDOCase):
    """What a server may send that a client must not answer."""

    def refuses(self, change, *words, code=None):
        self.server.change = change
        answered = len(self.server.parameters)
        result = self.home.run("fido", "login")
        self.server.change = None
        self.assertNotEqual(result.exit, 0, result)
        self.assertFailed(result, code or result.exit)
        self.assertEqual(len(self.server.parameters), answered, result)
        self.assertEqual(len(self.server.keys), 1)
        return result

    def test_requests_that_are_not_what_was_asked_for(self):
        self.register()

        def header(name, value):
            return lambda message: message | {"header": message["header"] | {name: value}}

        def member(name, value):
            return lambda message: message | {name: value}

        for name, change in {
            "operation": header("op", "Reg"), "version": header("upv", {"major": 9, "minor": 0}),
            "no version": header("upv", None),
            "application": header("appID", "https://elsewhere.example/facets"),
            "application on http": header("appID", "http://localhost/facets"),
            "server data": header("serverData", 7), "long server data": header(
                "serverData", "x" * 1537),
            "extension": header("exts", [{"id": "a", "data": "", "fail_if_unknown": True}]),
            "challenge": member("challenge", 7), "short challenge": member("challenge", "AAAA"),
            "long challenge": member("challenge", uaf.b64url(bytes(65))),
            "no challenge": member("challenge", None), "no policy": member("policy", None),
            "other model": member("policy", {"accepted": [[{"aaid": ["0000#0000"]}]]}),
            "other key": member("policy", {"accepted": [[{
                "aaid": [uaf.DEVELOPMENT_AAID], "keyIDs": [uaf.b64url(bytes(32))]}]]}),
            "disallowed": lambda message: message | {"policy": message["policy"] | {
                "disallowed": [{"aaid": [uaf.DEVELOPMENT_AAID]}]}},
            "oversize": member("more", "x" * (2 << 20)),
            "transaction": member("transaction", [{"contentType": "text/html", "content": "AAAA"}]),
            "not an object": lambda message: [message],
        }.items():
            with self.subTest(name):
                self.refuses(change)
        self.ok("fido", "login")

    def test_a_facet_that_is_not_listed(self):
        self.register()
        self.server.facets = ["https://elsewhere.example"]
        self.ok("profile", "set", "fido.facetID=ios:bundle-id:org.example.other")
        answered = len(self.server.parameters)
        result = self.home.run("fido", "login")
        self.assertEqual(result.exit, 11, result)
        self.assertEqual(len(self.server.parameters), answered)

    def test_an_extension_that_may_be_unknown_is_ignored(self):
        self.register()
        self.server.change = lambda message: message | {"header": message["header"] | {
            "exts": [{"id": "a", "data": "b", "fail_if_unknown": False}]}}
        self.ok("fido", "login")

    def test_each_status_is_an_error_with_its_name(self):
        self.register()
        for status in (1400, 1401, 1403, 1404, 1408, 1480, 1490, 1491, 1492, 1493, 1494, 1495, 1496,
                       1497, 1498, 1500):
            self.server.statuses = [status] * 5
            result = self.home.run("fido", "login")
            self.assertNotEqual(result.exit, 0, result)
            self.assertIn(str(status), result.err)
            self.server.statuses = []
        self.ok("fido", "login")

    def test_a_key_that_the_server_does_not_know_is_deleted(self):
        self.register()
        self.server.statuses = [1481] * 2  # it may have got the key just now
        self.ok("fido", "login")
        self.server.statuses = [1481] * 4
        self.fails((4, 5), "fido", "login")
        self.server.statuses = []
        before = self.count()
        self.fails((3, 4), "fido", "login")
        self.assertEqual(self.count(), before)

    def test_a_registration_without_a_session_and_one_that_is_refused(self):
        self.fails(4, "fido", "register")
        self.ok("login", "form")
        self.server.statuses = [1496]
        self.fails(5, "fido", "register")
        self.assertEqual(self.server.keys, {})
        self.fails((3, 4), "fido", "login")
