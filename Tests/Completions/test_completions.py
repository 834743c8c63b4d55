"""Commands, options, choices, profile names and pinned hosts are offered by all three shells."""

from Completions.shells import SHELLS, Bash, Fish, Zsh
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
    "sdkctl pin show -p beta.test a.ex": ({"a.example:8443", "a.example:8444"}, set()),
    "sdkctl pin remove -p beta.test ": ({"other.example"}, {"pinned.example"}),
    "sdkctl --json pin ": ({"add", "list"}, {"use"}),
    "sdkctl -vp alpha pin sh": ({"show"}, {"add"}),
    "sdkctl --profile=be": ({"beta.test"}, {"alpha"}),
    "sdkctl __": (set(), {"__complete"}),
    "sdkctl profile set resourceU": ({"resourceURL="}, set()),
    # An option is offered again only if it may be repeated.
    "sdkctl fetch --user --ano": (set(), {"--anonymous"}),
    "sdkctl fetch -H a: --head": ({"--header"}, set()),
    # Files, programs, and what is another program's.
    "sdkctl fetch --output files/": ({"first", "folder"}, set()),
    "sdkctl fetch --output=files/": ({"first", "folder"}, set()),
    "sdkctl fetch --output-dir files/": ({"folder"}, {"first"}),
    "sdkctl token decode files/fo": ({"folder"}, {"first"}),
    "sdkctl ext": ({"extra"}, {"exec"}),
    "sdkctl extra files/": ({"first"}, set()),
    "sdkctl exec -- sdkctl-ex": ({"sdkctl-extra"}, set()),
    "sdkctl exec -- cat files/fi": ({"first"}, set()),
    "sdkctl -v exec -- tee -a files/fo": ({"folder"}, {"first"}),
}

# keys at a prompt of bash → the words of the line
TYPED = {
    "sdkctl --profile=al\t": ["--profile=alpha"],
    "sdkctl --profile=\tal\t": ["--profile=alpha"],
    "sdkctl -p be\t tok\tdec\t": ["-p", "beta.test", "token", "decode"],
    "sdkctl -p beta.test pin show a.ex\t3\t": ["-p", "beta.test", "pin", "show", "a.example:8443"],
    "sdkctl pin show -p beta.test a.example:\t3\t":
        ["pin", "show", "-p", "beta.test", "a.example:8443"],
    "sdkctl fetch --output files/sec\t /x": ["fetch", "--output", "files/second one", "/x"],
    "sdkctl fetch --output=files/sec\t": ["fetch", "--output=files/second one"],
    "sdkctl exec -- cat files/sec\tx": ["exec", "--", "cat", "files/second one", "x"],
    "sdkctl profile set payloadEnc\tt\t": ["profile", "set", "payloadEncryption=true"],
    "sdkctl profile set resourceU\tx": ["profile", "set", "resourceURL=x"],
}


def bare(word):
    """A candidate without the folder, or the option, that stands before it."""
    word = word.replace("\\", "").rstrip("/").rpartition("/")[2]
    return word.partition("=")[2] or word if word.startswith("--") else word


class CompletionTests(Case):
    def setUp(self):
        super().setUp()
        for name, host in (("alpha", "pinned.example"), ("beta.test", "other.example")):
            self.ok("profile", "add", name, "--issuer", "https://localhost:1/i",
                    "--resource-url", "https://localhost:1")
            self.ok("pin", "add", NO_PIN, "--host", host, "--yes", "-p", name)
        for port in (8443, 8444):
            self.ok("pin", "add", NO_PIN, "--host", f"a.example:{port}", "--yes", "-p", "beta.test")
        (self.home.directory / "files/folder").mkdir(parents=True)
        for name in ("first", "second one"):
            (self.home.directory / "files" / name).touch()
        programs = self.home.directory / "bin"
        programs.mkdir()
        (programs / "sdkctl-extra").write_text("#!/bin/sh\n")
        (programs / "sdkctl-extra").chmod(0o755)
        self.home.environment["PATH"] += f":{programs}"

    def script(self, shell):
        path = self.home.directory / shell.generated
        path.write_bytes(self.ok("completion", shell.name).out)
        return path

    def test_every_shell_offers_what_fits(self):
        for shell in SHELLS:
            script = self.script(shell)
            for line, (offered, not_offered) in OFFERS.items():
                with self.subTest(f"{shell.name}: {line}"):
                    found = {bare(word) for word in shell.candidates(self.home, script, line)}
                    self.assertLessEqual(offered, found)
                    self.assertFalse(not_offered & found)

    def test_bash_completes_at_a_prompt_with_and_without_its_package(self):
        script = self.script(Bash)
        for preparation in ("", "source /usr/share/bash-completion/bash_completion;"):
            for keys, words in TYPED.items():
                with self.subTest(f"{preparation} {keys}"):
                    found = Bash().words(self.home, script, keys, preparation)
                    self.assertEqual(found, ["sdkctl", *words])

    def test_zsh_may_read_the_script_itself(self):
        found = Zsh().candidates(self.home, self.script(Zsh), "sdkctl pin ", is_sourced=True)
        self.assertLessEqual({"add", "list"}, found)

    def test_zsh_adds_no_space_behind_an_equals_sign(self):
        shown = Zsh().typed(self.home, self.script(Zsh), "sdkctl profile set resourceU\tx",
                            lambda text: text.rstrip().endswith("x"))
        self.assertIn("resourceURL=x", shown)

    def test_fish_completes_for_another_program_whose_words_have_quotation_marks(self):
        line = "sdkctl exec -- cat \"it\\'s\" files/fi"
        found = Fish().candidates(self.home, self.script(Fish), line)
        self.assertIn("first", {bare(word) for word in found})

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
