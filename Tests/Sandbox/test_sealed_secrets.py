"""Secrets beside refresh tokens that are sealed under a passcode: the client, DPoP keys and identities."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor

from Sandbox.test_seal import PASSCODE, SealCase
from Servers.kills import ROUNDS, Kills
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sdkctl import BINARY


class SealedSecretsCase(SealCase):
    def setUp(self):
        super().setUp()
        self.state = self.home.slot_file().parent.parent

    @property
    def registration_file(self):
        return self.state / "registration.json"

    def registration(self):
        return json.loads(self.registration_file.read_text())

    def passcode_asked(self):
        path = self.home.directory / "asked"
        count = len(path.read_text().splitlines()) if path.exists() else 0
        if path.exists():
            path.unlink()
        return count

    def assert_nowhere(self, *secrets):
        for path in self.home.store.rglob("*"):
            if path.is_file():
                for secret in secrets:
                    self.assertNotIn(secret.encode(), path.read_bytes(), path)


class SealedClientTests(SealedSecretsCase):
    def setUp(self):
        super().setUp()
        client = self.registration()["client"]
        self.secrets = [client[name] for name in ("client_secret", "registration_access_token")]

    def test_the_client_takes_the_passcode(self):
        result = self.seal(PASSCODE, "client")
        self.assertEqual(result.exit, 0, result)
        self.assertIn("after 5 wrong passcodes", result.err)
        self.assertIn("implicit and anonymous requests need the passcode", result.err)
        self.assert_nowhere(*self.secrets)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.assertEqual(sorted(self.registration()["sealed"]),
                         ["client.client_secret", "client.registration_access_token"])
        shown = self.ok("profile", "show").err
        self.assertIn("registration.json, encrypted under the passcode of the profile", shown)
        # The login itself is not sealed, and a valid token needs nothing.
        self.ok("fetch", "/devices")
        self.home.expire()
        self.assertIn("hint: type the passcode on a terminal", self.fails(4, "token").err)
        self.use_askpass(PASSCODE)
        self.ok("token")
        self.assertEqual(self.passcode_asked(), 1)
        self.ok("register", "show")
        self.ok("fetch", "--anonymous", "/application-details")
        self.assert_nowhere(*self.secrets)

    def test_management_stores_new_secrets_sealed(self):
        self.assertEqual(self.seal(PASSCODE, "client").exit, 0)
        self.fails(4, "register", "update")
        self.use_askpass(PASSCODE)
        before = self.registration()["sealed"]
        self.ok("register", "update")
        self.assertNotEqual(self.registration()["sealed"], before)
        self.assertNotIn("registration_access_token", self.registration()["client"])
        self.home.expire()
        self.ok("token")

    def test_deregistration_asks_before_it_takes_a_lock(self):
        self.assertEqual(self.seal(PASSCODE, "client", "user").exit, 0)
        self.fails(4, "deregister", "--yes")
        self.assertTrue(self.registration_file.exists())
        self.use_askpass(PASSCODE)
        result = self.ok("deregister", "--yes")
        self.assertIn("revoke the refresh token (user): done", result.err)
        self.assertIn("delete the registration: done", result.err)
        self.assertEqual(self.passcode_asked(), 1)
        self.assertFalse(self.registration_file.exists())

    def test_a_new_registration_is_sealed_without_the_passcode(self):
        self.assertEqual(self.seal(PASSCODE, "client").exit, 0)
        self.use_askpass(PASSCODE)
        self.ok("register", "--replace")
        self.assertIn("sealed", self.registration())
        self.assertEqual(self.passcode_asked(), 1)

    def test_unseal_and_change_passcode(self):
        before = self.registration()
        self.assertEqual(self.seal(PASSCODE, "--all").exit, 0)
        old, new = self.secret_file("old", PASSCODE), self.secret_file("new", "31415")
        changed = self.ok("profile", "passcode", "--passcode-file", old, "--new-passcode-file", new,
                          "--json")
        self.assertEqual(self.jsonOf(changed), {"profile": "sandbox"})
        self.fails(4, "profile", "unseal", "--passcode-file", old)
        self.ok("profile", "unseal", "--passcode-file", new)
        self.assertEqual(self.registration(), before)
        self.assertIn("refreshToken", self.slot())
        self.assertFalse(self.seal_file.exists())

    def test_too_many_wrong_passcodes_erase_the_registration(self):
        self.ok("profile", "set", "seal.passcodeAttempts=2")
        self.assertEqual(self.seal(PASSCODE, "client").exit, 0)
        self.home.expire()
        self.use_askpass("31415")
        result = self.home.run("token", "--json")
        self.assertEqual(result.exit, 4, result)
        self.assertEqual(self.jsonError(result)["number"], 9003)
        self.assertFalse(self.registration_file.exists())
        self.assertFalse(self.seal_file.exists())

    def test_a_typed_passcode_is_asked_for_once(self):
        self.assertEqual(self.seal(PASSCODE, "client", "user").exit, 0)
        self.home.expire()
        terminal = PseudoTerminal(self.home, BINARY, "token")
        terminal.wait_for(b"Passcode of the profile 'sandbox': ")
        terminal.type(PASSCODE + "\n")
        status, shown = terminal.end()
        self.assertEqual(status, 0, shown)
        self.assertNotIn(b"Passcode of the profile", shown)

    def test_a_kill_during_seal_or_unseal_loses_nothing(self):
        passcode = self.secret_file("passcode", PASSCODE)
        self.assertEqual(self.seal(PASSCODE, "client", "user").exit, 0)
        kills = Kills.of(lambda: self.ok("profile", "unseal", "--passcode-file", passcode), tries=1)
        for _ in range(ROUNDS // 2):
            for words in (("seal", "client", "user"), ("unseal",)):
                kills.strike(self.home, "profile", *words, "--passcode-file", passcode)
                self.home.expire()
                # A killed trial counts; that is tested elsewhere.
                self.forget_failures()
                result = self.home.run("--passcode-file", passcode, "token")
                self.assertEqual(result.exit, 0, f"{kills.where}\n{result}")
        kills.assert_enough(self)

    def test_eight_processes_try_no_more_than_the_limit(self):
        self.assertEqual(self.seal(PASSCODE, "client").exit, 0)
        self.home.expire()
        self.use_askpass("31415")
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: self.home.run("token"), range(8)))
        self.assertEqual({result.exit for result in results}, {10}, results)
        self.assertEqual(self.failures(), 3)

    def test_another_user_uses_the_client_with_the_passcode_of_the_first(self):
        self.assertEqual(self.seal(PASSCODE, "client").exit, 0)
        self.use_askpass(PASSCODE)
        self.ok("--user-id", "bob", "login", "password", "bob", "--password-file", "-",
                input="builder\n")
        self.assertEqual(self.passcode_asked(), 1)
        refused = self.home.run("--user-id", "bob", "profile", "seal", "client", "--passcode-file", "-",
                                input="31415\n")
        self.assertFailed(refused, 2)
        self.assertIn("belongs to all users", refused.err)
        del self.home.environment["SDKCTL_ASKPASS"]
        self.ok("--user-id", "bob", "profile", "seal", "--all", "--passcode-file", "-", input="31415\n")
        # The end of the second user does not unseal the client.
        self.ok("user", "remove", "bob", "--local", "--yes")
        self.ok("--user-id", "default", "user", "remove", "--local", "--yes")
        self.assertIn("sealed", self.registration())
        self.assertTrue(self.seal_file.exists())

    def forget_failures(self):
        if self.seal_file.exists():
            document = json.loads(self.seal_file.read_text())
            document["passcode"].update(failures=0)
            self.seal_file.write_text(json.dumps(document))

    def test_exported_copied_and_removed(self):
        self.assertEqual(self.seal(PASSCODE, "client").exit, 0)
        passcode = self.secret_file("passcode", PASSCODE)
        passphrase = self.secret_file("passphrase", "correct horse battery")
        self.ok("--passcode-file", passcode, "token", "--fresh")
        document = self.home.directory / "export.json"
        self.ok("--passphrase-file", passphrase, "profile", "export", "--with-secrets", "-o",
                document)
        self.ok("profile", "copy", "sandbox", "copied")
        self.ok("profile", "remove", "sandbox", "--yes")
        self.ok("--passphrase-file", passphrase, "profile", "import", "--new", "again",
                "--yes", "--allow-weaker", "--allow", "caFile", document)
        self.ok("profile", "use", "again")
        self.fails(4, "fetch", "--anonymous", "/application-details")
        self.ok("--passcode-file", passcode, "fetch", "--anonymous", "/application-details")


class SealedKeyTests(SealedSecretsCase):
    def test_requests_with_a_bound_token_take_the_passcode(self):
        self.ok("profile", "set", "dpop=on")
        self.log_in()
        key = json.loads((self.state / "dpop.json").read_text())["pem"].splitlines()[1]
        thumbprint = self.jsonOf(self.ok("profile", "show", "--json"))["state"]["dpopKey"]
        self.assertEqual(self.seal(PASSCODE, "dpop").exit, 0)
        self.assert_nowhere(key)
        state = self.jsonOf(self.ok("profile", "show", "--json"))["state"]
        self.assertEqual(state["dpopKey"], thumbprint)
        self.fails(4, "fetch", "/devices")
        self.use_askpass(PASSCODE)
        self.ok("fetch", "/devices")
        self.home.expire()
        self.ok("fetch", "/devices")
        self.log_in()
        self.assert_nowhere(key)

    def test_the_keys_of_identities_take_the_passcode(self):
        names = [self.home.directory / name for name in ("key.pem", "cert.pem", "both.pem")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=me", "-keyout",
                        names[0], "-out", names[1]], check=True, capture_output=True)
        names[2].write_text(names[0].read_text() + names[1].read_text())
        names[2].chmod(0o600)
        key = names[0].read_text().splitlines()[1]
        passphrase = self.secret_file("passphrase", "correct horse battery")
        self.ok("identity", "import", names[2], "--host", "a.test", "--name", "plain")
        self.ok("--passphrase-file", passphrase, "identity", "import", names[2], "--host",
                "b.test", "--name", "own", "--seal")
        for name in names:
            name.unlink()
        own = self.state / "identities" / "own" / "identity.json"
        before = own.read_text()
        self.assertEqual(self.seal(PASSCODE, "identity").exit, 0)
        self.assertEqual(own.read_text(), before)
        self.assert_nowhere(key)
        self.assertNotEqual(self.home.run("identity", "export", "plain", "--no-password").exit, 0)
        passcode = self.secret_file("passcode", PASSCODE)
        self.use_askpass(PASSCODE)
        self.ok("profile", "unseal", "--passcode-file", passcode)
        self.assertIn(key, (self.state / "identities" / "plain" / "identity.json").read_text())


    def test_the_key_of_a_request_waits_sealed(self):
        request = self.state / "identities" / "asked" / "request.json"
        self.ok("identity", "csr", "asked", "--host", "c.test", "--subject", "CN=me")
        key = json.loads(request.read_text())["key"]
        self.assertEqual(self.seal(PASSCODE, "identity").exit, 0)
        self.assertEqual(list(json.loads(request.read_text())["sealed"]), ["key.pem"])
        passcode = self.secret_file("passcode", PASSCODE)
        self.ok("profile", "unseal", "--passcode-file", passcode)
        self.assertEqual(json.loads(request.read_text())["key"], key)

    def test_the_sealed_key_of_a_request_becomes_that_of_its_identity(self):
        csr = self.ok("identity", "csr", "asked", "--host", "c.test", "--subject", "CN=me").text
        key = json.loads((self.state / "identities" / "asked" / "request.json").read_text())["key"]["pem"]
        self.assertEqual(self.seal(PASSCODE, "identity").exit, 0)
        files = [self.home.directory / name for name in ("ca.key", "ca.pem", "asked.csr", "asked.pem")]
        files[2].write_text(csr)
        for words in (["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=ca", "-keyout", files[0],
                       "-out", files[1]],
                      ["x509", "-req", "-in", files[2], "-CA", files[1], "-CAkey", files[0], "-CAcreateserial",
                       "-days", "30", "-out", files[3]]):
            subprocess.run(["openssl", *words], check=True, capture_output=True)
        self.ok("identity", "import", files[3])
        self.assert_nowhere(key.splitlines()[1])
        passcode, out = self.secret_file("passcode", PASSCODE), self.home.directory / "out.pem"
        self.ok("--passcode-file", passcode, "identity", "export", "asked", "-o", out)
        self.assertIn(key, out.read_text())
        self.ok("profile", "unseal", "--passcode-file", passcode)
        stored = json.loads((self.state / "identities" / "asked" / "identity.json").read_text())
        self.assertEqual(stored["key"]["pem"], key)


class UserLintTests(SealedSecretsCase):
    def test_what_is_wrong_with_users_is_named(self):
        self.assertEqual(self.problems(), {})
        users = self.state / "users"
        for name, mode in (("good", 0o700), ("open", 0o755), ("bad", 0o700)):
            (users / name / "credentials").mkdir(parents=True, mode=0o700)
            (users / name).chmod(mode)
        users.chmod(0o700)
        for path in ("bad/seal.json", "bad/credentials/user.json"):
            (users / path).write_text("{")
            (users / path).chmod(0o600)
        found = self.problems()
        self.assertEqual({path: found.get(str(users / path)) for path in (
            "bad/seal.json", "bad/credentials/user.json", "open")}, {
                "bad/seal.json": "document", "bad/credentials/user.json": "document", "open": "permissions"}, found)

    def problems(self):
        found = self.jsonOf(self.home.run("doctor", "-p", "sandbox", "--json"))["findings"]
        return {each["subject"]: each["check"] for each in found if each["status"] != "ok"
                and each["check"] in ("document", "foreign-file", "permissions", "users")}


class KeepingLogoutTests(SealCase):
    def test_the_next_use_asks_for_the_passcode(self):
        self.assertIn("not sealed", self.fails(2, "logout", "--keep-sealed").err)
        self.assertEqual(self.seal().exit, 0)
        before = self.slot()
        result = self.jsonOf(self.ok("logout", "--keep-sealed", "--json"))
        self.assertEqual([(step["step"], step["outcome"]) for step in result["steps"]],
                         [("revoke_access_token", "done"), ("erase_access_token", "done")])
        after = self.slot()
        self.assertEqual(after["sealed"], before["sealed"])
        self.assertNotIn(before["accessToken"], json.dumps(after))
        self.fails(4, "fetch", "/devices")
        self.ok("fetch", "--implicit", "/user-id-decorated")
        self.use_askpass(PASSCODE)
        self.ok("fetch", "/devices")
        self.ok("logout", "--keep-sealed")
        self.assertIn("nobody", self.ok("logout", "--keep-sealed").err)
        self.assertIn("revoke the refresh token: done", self.ok("logout").err)
