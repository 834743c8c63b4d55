"""Every command that writes the store, and a store in which each of them has something to write."""

import json
import shutil
from dataclasses import dataclass

from .authority import run
from .case import NO_PIN
from .sdkctl import Home

PIN = "739184"
OTHER_PIN = "sha256/" + "B" * 42 + "A="


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
    return [
        Writer(("profile", "add", "new", "--issuer", "https://id.test", "--resource-url",
                "https://api.test"), (0, 3)),
        Writer(("profile", "use", "other")),
        Writer(("profile", "set", "scope=openid read")),
        Writer(("profile", "unset", "anonymousScope")),
        Writer(("profile", "copy", "sandbox", "copy"), (0, 3)),
        Writer(("profile", "rename", "other", "renamed"), (0, 3)),
        Writer(("profile", "remove", "other", "--yes"), (0, 3)),
        Writer(("profile", "import", "--new", "imported", "--yes", f"{folder}/export.json"), (0, 2, 3)),
        Writer(("pin", "add", NO_PIN, "--host", "a.test", "--yes")),
        Writer(("pin", "remove", "b.test", "--yes"), (0, 8)),
        Writer(("pin", "edit", "b.test", "--comment", "kept")),
        Writer(("pin", "backup", "b.test")),
        Writer(("pin", "check", "localhost")),
        Writer(("identity", "import", f"{folder}/one.pem", "--name", "a", "--replace")),
        Writer(("identity", "csr", "wanted", "--subject", "CN=wanted", "--replace")),
        Writer(("identity", "delete", "a", "--yes"), (0, 9)),
        Writer(("register", "--client-id", "given", "--force"), (0, 4, 5), spends=True),
        Writer(("register", "--force"), (0, 4, 5), spends=True),
        Writer(("register", "update", "--client-name", "Other"), (0, 4, 5), spends=True),
        Writer(("token", "--force-new"), (0, 4), spends=True),
        Writer(("token", "--anonymous", "--force-new"), (0, 4, 5), spends=True),
        Writer(("logout",), (0, 4), spends=True),
        Writer(("logout", "--local"),),
        Writer(("deregister", "--yes"), (0, 4, 5), spends=True),
        Writer(("deregister", "--local", "--yes"), (0, 4)),
        Writer(("profile", "metadata", "--fresh")),
        Writer(("profile", "seal", "client", "--pin-file", f"{folder}/pin"), (0, 9)),
        Writer(("doctor", "--fix"), (0, 11)),
    ]


class Template:
    """A store with a registration, a login, an identity, pins and two profiles, to be copied."""

    def __init__(self, case):
        self.case, self.home = case, case.home
        self.folder = self.home.directory
        (self.folder / "pin").write_text(PIN + "\n")
        (self.folder / "pin").chmod(0o600)
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
        case.ok("profile", "use", "sandbox")
        (self.folder / "export.json").write_text(
            case.ok("profile", "export", "--share").text)
        case.add_session()
        self.kept = self.folder / "kept"
        shutil.copytree(self.home.store, self.kept, symlinks=True)

    def restore(self, writer):
        """Puts the store as it was; with a new registration and login if the writer spends them."""
        shutil.rmtree(self.home.store, ignore_errors=True)
        shutil.copytree(self.kept, self.home.store, symlinks=True)
        if writer.spends:
            self.case.sandbox.command("reset")
            self.case.ok("deregister", "--local", "--yes")
            self.case.ok("register")
            self.home.forget_failed_login()
            self.case.ok("login")


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
        if version != 1:
            found.append((str(path), version))
    return found
