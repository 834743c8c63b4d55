"""Commands, options, choices, profile names and pinned hosts are offered by all three shells."""

from Completions.shells import SHELLS
from Servers.case import Case, NO_PIN
from Servers.sdkctl import REPOSITORY

# line → (some that must be offered, some that must not)
OFFERS = {
    "sdkctl ": ({"profile", "pin", "register", "login", "token", "fetch", "logout"}, {"add"}),
    "sdkctl pro": ({"profile"}, {"pin", "token"}),
    "sdkctl profile ": ({"add", "list", "show", "use", "copy", "remove"}, {"fetch"}),
    "sdkctl pin ": ({"add", "list", "show", "remove", "check", "lint", "plan", "update"}, {"use"}),
    "sdkctl fetch --": ({"--user", "--anonymous", "--unauth", "--data", "--profile"},
                       {"--min-ttl"}),
    "sdkctl token --": ({"--min-ttl", "--anonymous", "--header", "--json"}, {"--unauth"}),
    "sdkctl token --env ": ({"sh", "fish", "powershell"}, {"--env"}),
    "sdkctl login ": ({"password", "assertion", "exchange", "respond", "install-handler"}, set()),
    "sdkctl login --": ({"--device", "--manual", "--scope"}, {"--token-file", "--remove"}),
    "sdkctl login exchange --": ({"--token-file", "--audience", "--scope"}, {"--device"}),
    "sdkctl login exchange --token-type ": ({"access_token", "id_token", "jwt"}, set()),
    "sdkctl fetch --encoding ": ({"json", "form"}, set()),
    "sdkctl completion ": ({"bash", "zsh", "fish"}, set()),
    "sdkctl --color ": ({"always", "never", "auto"}, set()),
    "sdkctl profile use ": ({"alpha", "beta.test"}, {"list"}),
    "sdkctl profile show al": ({"alpha"}, {"beta.test"}),
    "sdkctl profile remove ": ({"alpha", "beta.test"}, set()),
    "sdkctl -p ": ({"alpha", "beta.test"}, set()),
    "sdkctl token --profile ": ({"alpha", "beta.test"}, set()),
    "sdkctl -p alpha pin show ": ({"pinned.example"}, {"other.example"}),
    "sdkctl pin remove -p beta.test ": ({"other.example"}, {"pinned.example"}),
}


class CompletionTests(Case):
    def setUp(self):
        super().setUp()
        for name, host in (("alpha", "pinned.example"), ("beta.test", "other.example")):
            self.ok("profile", "add", name, "--issuer", "https://localhost:1/i",
                    "--resource-url", "https://localhost:1")
            self.ok("pin", "add", NO_PIN, "--host", host, "--yes", "-p", name)

    def script(self, shell):
        path = self.home.directory / shell.generated
        path.write_bytes(self.ok("completion", shell.name).out)
        return path

    def test_every_shell_offers_what_fits(self):
        for shell in SHELLS:
            script = self.script(shell)
            for line, (offered, not_offered) in OFFERS.items():
                with self.subTest(f"{shell.name}: {line}"):
                    found = shell.candidates(self.home, script, line)
                    self.assertLessEqual(offered, found)
                    self.assertFalse(not_offered & found)

    def test_what_is_committed_is_what_is_printed(self):
        for shell in SHELLS:
            with self.subTest(shell.name):
                committed = REPOSITORY / "completions" / shell.generated
                self.assertEqual(committed.read_bytes(), self.script(shell).read_bytes())

    def test_a_broken_store_offers_nothing_and_says_nothing(self):
        self.home.profile_file.parent.parent.chmod(0o000)
        (self.home.store / "config/config.json").write_text("{")
        for shell in SHELLS[:2]:
            with self.subTest(shell.name):
                script = self.script(shell)
                self.assertIn("login", shell.candidates(self.home, script, "sdkctl "))
                self.assertNotIn("--help", shell.candidates(self.home, script, "sdkctl -p "))
        self.home.profile_file.parent.parent.chmod(0o700)
