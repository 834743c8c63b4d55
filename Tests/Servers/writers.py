"""Every command that writes the store, and a store in which each of them has something to write."""

import json
import shutil
from dataclasses import dataclass, replace

from .authority import run
from .case import NO_PIN
from .secret_helper import add_secret_helper
from .sdkctl import Home

PASSCODE = "739184"
NEW_PASSCODE = "281746"
OTHER_PIN = "sha256/" + "B" * 42 + "A="


# In place of what is known only when the store is there.
TARGET = "TARGET"
# The files with the tokens of the login.
ACCESS, REFRESH = "access", "refresh"


@dataclass
class Writer:
    """A command line, and how it may end when what it did was done before it."""

    words: tuple
    again: tuple = (0,)
    # Whether it spends what the server knows, so that each try needs a login of its own.
    spends: bool = False
    # Commands that come before it, for each try.
    before: tuple = ()

    @property
    def name(self) -> str:
        return " ".join(word for word in self.words[:4] if not word.startswith("/"))


def writers(folder) -> list:
    """The table; `folder` has the files that commands read."""
    passcode, password = ("--passcode-file", f"{folder}/passcode"), ("--password-file", f"{folder}/password")
    sealed = (("profile", "seal", "client", *passcode),)
    helper = ("profile", "store", "move", "helper:test", "--yes")
    form = (("login", "form", *password),)
    key = form + (("fido", "register", *passcode),)
    bound = key + (("fido", "login", *passcode),)
    target = bound + (("fido", "target", "add", "laptop"),)
    refused = (0, 4, 5)
    signing = (("register", "--replace", "--auth-method", "private_key_jwt"),)
    second = (("login", "password", "bob", "--password-file", f"{folder}/bob", "--user-id", "bob"),)
    return [
        Writer(("profile", "add", "new", "--issuer", "https://id.test", "--resource-url",
                "https://api.test"), (0, 3)),
        Writer(("profile", "use", "other")),
        Writer(("profile", "set", "scope=openid read")),
        Writer(("profile", "unset", "anonymousScope")),
        Writer(("profile", "copy", "sandbox", "copy"), (0, 3)),
        Writer(("profile", "remove", "other", "--yes"), (0, 3)),
        Writer(("profile", "import", "--new", "imported", "--allow-weaker", "--allow", "caFile,allowedHosts,identity.command", "--yes", f"{folder}/export.json"), (0, 2, 3)),
        Writer(("pin", "add", NO_PIN, "--host", "a.test", "--yes")),
        Writer(("pin", "remove", "b.test", "--yes"), (0, 8)),
        Writer(("pin", "set", "b.test", "--comment", "kept")),
        # A second backup key is made on demand only.
        Writer(("pin", "backup", "b.test"), again=(0, 2)),
        Writer(("pin", "check", "localhost")),
        Writer(("identity", "import", f"{folder}/one.pem", "--name", "a", "--replace")),
        Writer(("identity", "csr", "wanted", "--subject", "CN=wanted", "--replace")),
        Writer(("identity", "remove", "a", "--yes"), (0, 9)),
        Writer(("register", "--client-id", "given", "--replace"), (0, 4, 5), spends=True),
        Writer(("register", "--replace"), (0, 4, 5), spends=True),
        Writer(("register", "update", "--client-name", "Other"), (0, 4, 5), spends=True),
        Writer(("token", "--fresh"), (0, 4), spends=True),
        Writer(("token", "--anonymous", "--fresh"), (0, 4, 5), spends=True),
        Writer(("logout",), (0, 4), spends=True),
        Writer(("logout", "--local"),),
        Writer(("deregister", "--yes"), (0, 4, 5), spends=True),
        Writer(("deregister", "--local", "--yes"), (0, 4)),
        Writer(("profile", "metadata", "--fresh")),
        Writer(("profile", "seal", "client", "--passcode-file", f"{folder}/passcode"), (0, 4, 9)),
        Writer(("profile", "unseal", *passcode), (0, 2), before=sealed),
        Writer(("profile", "passcode", *passcode, "--new-passcode-file", f"{folder}/new-passcode"), (0, 4), before=sealed),
        Writer(helper),
        Writer(("profile", "store", "move", "files", "--yes"), before=(helper,)),
        Writer(("pin", "import", "--yes", f"{folder}/pins.json")),
        Writer(("pin", "update", "localhost", "--yes"), before=(("pin", "add", NO_PIN, "--host", "localhost", "--yes"),)),
        Writer(("identity", "obtain", "--name", "b")),
        Writer(("identity", "renew", "b"), before=(("identity", "obtain", "--name", "b"),)),
        Writer(("login",), refused, spends=True),
        Writer(("login", "password", "alice", *password), refused, spends=True),
        Writer(("login", "form", *password), refused, spends=True),
        Writer(("login", "assertion", "--sub", "alice"), refused, spends=True, before=signing),
        Writer(("login", "exchange", "--token-file", f"{folder}/{ACCESS}"), refused, spends=True),
        Writer(("login", "token", "--token-file", f"{folder}/{REFRESH}"), refused, spends=True),
        Writer(("user", "use", "default"), refused, spends=True, before=second),
        Writer(("token", "revoke", "--user"), refused, spends=True),
        Writer(("user", "remove", "--yes"), refused, spends=True),
        Writer(("config", "set", "alias.me=fetch /me")),
        Writer(("config", "unset", "alias.me")),
        Writer(("fido", "register", *passcode), refused, spends=True, before=form),
        Writer(("fido", "login", *passcode), refused, spends=True, before=key),
        Writer(("fido", "passcode", *passcode, "--new-passcode-file", f"{folder}/new-passcode"), (0, 4), before=key),
        Writer(("fido", "deregister", "--yes"), refused, spends=True, before=bound),
        Writer(("fido", "target", "add", "laptop"), refused, spends=True, before=bound),
        Writer(("fido", "target", "remove", TARGET, "--yes"), refused, spends=True, before=target),
        Writer(("doctor", "--fix"), (0, 11)),
    ]


class Template:
    """A store with a registration, a login, an identity, pins and two profiles, to be copied."""

    def __init__(self, case):
        self.case, self.home = case, case.home
        self.folder = self.home.directory
        for name, secret in (("passcode", PASSCODE), ("new-passcode", NEW_PASSCODE), ("password", "wonderland"),
                             ("bob", "builder")):
            (self.folder / name).write_text(secret + "\n")
            (self.folder / name).chmod(0o600)
        key, chain = self.folder / "one.key", self.folder / "one.crt"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", chain, "-subj", "/CN=one", "-days", "300")
        both = self.folder / "one.pem"
        both.write_text(key.read_text() + chain.read_text())
        both.chmod(0o600)
        for words in (
                ("profile", "add", "other", "--issuer", "https://id.test", "--resource-url",
                 "https://api.test"),
                ("pin", "add", NO_PIN, "--host", "b.test", "--yes"),
                ("pin", "add", OTHER_PIN, "--host", "b.test", "--yes"),
                ("identity", "import", both, "--name", "a")):
            case.ok("-p", "sandbox", *words)
        issuer = case.sandbox.issuer
        case.ok("-p", "sandbox", "profile", "set", f"fido.url={issuer}/nevisfido", "fido.user=alice", f"form.url={issuer}/auth/pwd",
                "form.page=false", "form.userField=isiwebuserid", "form.passwordField=isiwebpasswd", "form.user=alice",
                "passwordGrant=true", "identity.obtain=command", f"identity.command=cat {both}")
        case.ok("profile", "use", "sandbox")
        (self.folder / "export.json").write_text(
            case.ok("profile", "export", "--share").text)
        (self.folder / "pins.json").write_text(case.ok("pin", "export").text)
        add_secret_helper(self.home)
        case.add_session()
        self.kept = self.folder / "kept"
        shutil.copytree(self.home.store, self.kept, symlinks=True)

    def restore(self, writer) -> Writer:
        """Puts the store as it was; with a new registration and login if the writer spends them.

        Returns the writer, with the names of what is there now.
        """
        shutil.rmtree(self.home.store, ignore_errors=True)
        shutil.copytree(self.kept, self.home.store, symlinks=True)
        if writer.spends:
            self.case.sandbox.command("reset")
            self.case.ok("deregister", "--local", "--yes")
            self.case.ok("register")
            self.home.forget_failed_login()
            self.case.ok("login")
            tokens = json.loads(self.home.slot_file().read_text())
            for name, token in ((ACCESS, "accessToken"), (REFRESH, "refreshToken")):
                (self.folder / name).write_text(tokens[token])
                (self.folder / name).chmod(0o600)
        for words in writer.before:
            self.case.ok(*words)
        if TARGET not in writer.words:
            return writer
        (found,) = json.loads(self.case.ok("fido", "target", "list", "--json").text)
        return replace(writer, words=tuple(found["id"] if word == TARGET else word for word in writer.words))


def leftovers(home: Home) -> list:
    return [path for path in home.store.rglob("*") if path.name.startswith(".unfinished.")]


def damage(home: Home) -> list:
    """The documents of the store that are not whole, read without sdkctl."""
    found = []
    for path in home.store.rglob("*.json"):
        if any(part.startswith(".unfinished.") for part in path.parts) or "sandbox" in path.parts[-3:]:
            continue
        try:
            version = json.loads(path.read_text())["version"]
        except (ValueError, KeyError, FileNotFoundError) as trouble:
            version = trouble
        if version not in (1, 2):
            found.append((str(path), version))
    return found
