"""The commands of the pictures, run in a terminal against a sandbox of their own."""

import base64
import fcntl
import hashlib
import re
import shutil
import struct
import subprocess
import termios

from Servers.authority import NEW_KEY, run
from Servers.case import NO_PIN
from Servers.process import DRAWN, Server, answers
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SCOPE, Sandbox, SandboxHome
from Servers.sdkctl import BINARY

from .terminal import draw

# Each scene: the name of the picture, its commands, the width of the terminal, and a title.
LOGIN = ("login", ["sdkctl login", "sdkctl fetch /devices", "sdkctl fetch /devices --connect-to ::localhost:9443"],
         133, "Log in, fetch behind pins, and a server with another key of the same authority")
CHECK = ("pin-check", ["sdkctl pin check"], 128, "Check whether servers still use the pinned keys")


class Stage:
    """A sandbox, a server with another key, and a home whose user types commands."""

    def __init__(self):
        self.sandbox = Sandbox(port=(port := self.free_port(8443)))
        self.home = SandboxHome()
        shutil.copytree(self.sandbox.home.store / "config", self.home.store / "config")
        self.home.store.chmod(0o700)
        self.home.environment["TERM"] = "xterm-256color"
        self.ports = {"8443": str(port), "9443": str(self.free_port(9443))}
        self.impostor = self.start_impostor()
        self.run("profile", "set", "scope=" + SCOPE, "anonymousScope=application-details")
        # The other key is of the same intermediate authority, which must not be pinned then.
        self.run("pin", "remove", "localhost", self.sandbox.facts["pins"][1], "--yes")
        self.run("register")
        self.home.use_browser(self.sandbox)

    @staticmethod
    def free_port(first) -> int:
        """A port of four digits, so that columns are as wide whichever it is."""
        return next(port for port in range(first, 9999) if port not in DRAWN and not answers(port))

    def start_impostor(self) -> Server:
        """A server that has a valid certificate of the sandbox's authority, with a key of its own."""
        directory = self.home.directory
        chain = self.sandbox.directory / "chain.pem"
        issuer = directory / "issuer.pem"
        _, mark, rest = chain.read_text().partition("-----END CERTIFICATE-----\n")
        issuer.write_text(rest)
        run("openssl", "req", *NEW_KEY, "-keyout", directory / "other.key", "-out", directory / "other.csr",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        run("openssl", "x509", "-req", "-in", directory / "other.csr", "-CA", issuer, "-CAkey",
            self.sandbox.directory / "intermediate-key.pem", "-CAserial", directory / "serial", "-CAcreateserial",
            "-copy_extensions", "copyall", "-days", "9", "-out", directory / "other.crt")
        port = self.ports["9443"]
        return Server(["openssl", "s_server", "-quiet", "-accept", f"localhost:{port}", "-cert",
                       directory / "other.crt", "-key", directory / "other.key", "-cert_chain", issuer],
                      int(port), directory / "impostor.log", stdin=subprocess.PIPE).start()

    def close(self):
        self.impostor.stop()
        self.sandbox.close()
        self.home.remove()

    def run(self, *words):
        result = self.home.run(*words)
        if result.exit:
            raise AssertionError(result)
        return result

    def type(self, command, columns) -> str:
        """What a terminal of that width shows of a command."""
        for shown, real in self.ports.items():
            command = command.replace(shown, real)
        terminal = PseudoTerminal(self.home, BINARY, *command.split()[1:])
        fcntl.ioctl(terminal.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        return terminal.end()[1].decode()

    def scene(self, scene) -> str:
        _, commands, columns, title = scene
        mask = Mask(self.ports)
        return draw([(command, mask(self.type(command, columns))) for command in commands], columns, title)

    def login(self) -> str:
        return self.scene(LOGIN)

    def check(self) -> str:
        """Three hosts: one with its key, one with its backup key, and one with neither."""
        leaf, _ = self.sandbox.facts["pins"]
        port = self.ports["8443"]
        self.run("pin", "add", leaf, "--host", f"127.0.0.1:{port}", "--role", "backup", "--yes")
        self.run("pin", "add", NO_PIN, "--host", f"[::1]:{port}", "--yes")
        return self.scene(CHECK)


class Mask:
    """Puts values that never change in the place of keys, times and identifiers."""

    def __init__(self, ports):
        self.ports, self.pins = ports, {}

    def __call__(self, text) -> str:
        for shown, real in self.ports.items():
            text = text.replace(real, shown)
        text = re.sub(r"sha256/[A-Za-z0-9+/]{43}=", self.pin, text)
        text = re.sub(r"client-[0-9a-f]{16}", "client-dde5628dc034acaf", text)
        text = re.sub(r"(client_id=[\w-]+)&\S+", r"\1&…", text)
        text = re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2027-03-01T08:00:00Z", text)
        return re.sub(r"in \d+ minutes", "in 5 minutes", text)

    def pin(self, match) -> str:
        pin = match.group()
        if pin == NO_PIN:
            return pin
        digest = hashlib.sha256(f"key {len(self.pins)}".encode()).digest()
        return self.pins.setdefault(pin, "sha256/" + base64.b64encode(digest).decode())


def pictures() -> dict:
    """The pictures of terminals, by the names of their files."""
    stage = Stage()
    try:
        return {LOGIN[0]: stage.login(), CHECK[0]: stage.check()}
    finally:
        stage.close()
