"""docs/pinning.md: every recipe runs, in order, against a server that rotates as the text says."""

import re
import subprocess
from pathlib import Path

from Servers.case import Case
from Servers.process import LOOPBACK, Server, free_port
from Servers.tls_hosts import TLSHosts

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/pinning.md"
HOST = "api.example.localhost"


class PinningDocumentTests(Case):
    def setUp(self):
        super().setUp()
        self.hosts = TLSHosts.shared()
        authority = self.hosts.authority
        self.home.environment["SSL_CERT_FILE"] = str(authority.root)
        self.port = self.hosts.ports["main"]
        self.mail = free_port()
        server = Server(
            ["aiosmtpd", "--nosetuid", "--listen", f"{LOOPBACK}:{self.mail}", "--tlscert", authority.chain("local"),
             "--tlskey", authority.key("local"), "--class", "aiosmtpd.handlers.Sink"], self.mail,
            self.home.directory / "mail.out").start()
        self.addCleanup(server.stop)

    def test_every_recipe_runs(self):
        events = {
            "the server now uses the backup key, with a certificate of the same authority":
                self.serve_backup,
            "somebody answers with another key, of the same authority":
                lambda: self.move(self.hosts.ports["rotated"])}
        count = 0
        for kind, value, status in parts(DOCUMENT.read_text()):
            if kind == "event":
                events.pop(value)()
                continue
            count += 1
            for line in value.splitlines():
                with self.subTest(line):
                    done = self.shell(line)
                    self.assertEqual(done.returncode, status, f"{line}\n{done.stdout}{done.stderr}")
        self.assertEqual(events, {}, "events that the document does not name any more")
        self.assertGreater(count, 10)
        self.assertIn("<testsuite", (self.home.directory / "pins.xml").read_text())

    def test_openssl_and_pin_hash_print_the_keys_of_a_server_with_starttls(self):
        (line,) = [line for _, value, _ in parts(DOCUMENT.read_text()) for line in value.splitlines()
                   if "-starttls" in line]
        pins = [row.split("\t")[0] for row in self.shell(line).stdout.splitlines()]
        self.assertEqual(pins, [self.hosts.authority.pin(name) for name in ("local", "intermediate")])

    def shell(self, line):
        # The names of the document stand for hosts of this machine.
        line = line.replace("mail.example.com:587", f"localhost:{self.mail}")
        line = line.replace("https://api.example.com", f"https://{HOST}:{self.port}")
        for command in ("pin add", "pin hash"):
            line = line.replace(f"{command} api.example.com", f"{command} {HOST}:{self.port}")
        # On port 443, as in the document, the pin is for every port.
        if line.startswith("sdkctl pin add"):
            line += f" --host {HOST}"
        line = line.replace("api.example.com", HOST)
        return subprocess.run(
            ["bash", "-o", "pipefail", "-ec", line], env=self.home.environment, text=True,
            cwd=self.home.directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def move(self, port):
        """From now on the server of the document is another one: as if it was switched."""
        self.home.run("profile", "set", *(
            f"{key}=https://{HOST}:{port}" for key in ("issuer", "resourceURL")))

    def serve_backup(self):
        (request,) = self.home.store.glob("state/profiles/*/backup-keys/*.csr")
        server = self.hosts.s_server("-www", leaf=self.hosts.authority.certified(request))
        self.move(server.port)


def parts(text):
    """The events and the recipes of a document, in order, with the exit status of each recipe."""
    status = 0
    pattern = r"<!-- (?P<comment>.*?) -->|^ *```sh\n(?P<code>.*?)^ *```$"
    for match in re.finditer(pattern, text, re.S | re.M):
        comment = match["comment"]
        if comment is None:
            yield "recipe", re.sub(r"^ +", "", match["code"], flags=re.M), status
            status = 0
        elif exit_status := re.fullmatch(r"exit (\d+)", comment):
            status = int(exit_status[1])
        else:
            yield "event", comment, 0
