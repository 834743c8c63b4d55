"""A certificate authority for one run: root, intermediate, and the leaves that the servers show."""

import base64
import hashlib
import os
import subprocess
from pathlib import Path


class Authority:
    """Writes its files into `directory`; keys are P-256, as small as they come.

    Leaves: `good` (localhost and 127.0.0.1), `expired` (localhost, ended yesterday),
    `wronghost` (elsewhere.example only), `proxy` and the stranger's `alienproxy`. Each is served with the intermediate, never with the root.
    """

    def __init__(self, directory: Path, clock=None):
        """`clock` is what libfaketime does with the time at which certificates begin: `-2h`."""
        self.directory = directory
        self.environment = clock and os.environ | faketime(clock)
        directory.mkdir(parents=True, exist_ok=True)
        self.root = self._root("root", "/O=sdkctl tests/CN=Test Root")
        self.stranger = self._root("stranger", "/O=sdkctl tests/CN=Stranger Root")
        self._signed("intermediate", "/O=sdkctl tests/CN=Test Intermediate", by="root",
                     extensions="basicConstraints=critical,CA:TRUE,pathlen:0\n"
                                "keyUsage=critical,keyCertSign,cRLSign\n")
        self.leaf("good", "DNS:localhost,IP:127.0.0.1")
        self.leaf("proxy", "DNS:proxy.localhost")
        self.leaf("alienproxy", "DNS:proxy.localhost", by="stranger")
        self.leaf("wronghost", "DNS:elsewhere.example")
        self.leaf("expired", "DNS:localhost,IP:127.0.0.1", days=-1)
        # The good chain with a stranger's certificate appended: served, but on no validated path.
        padding = self.certificate("stranger").read_text()
        self.chain("padded").write_text(self.chain("good").read_text() + padding)

    def path(self, name: str) -> Path:
        return self.directory / name

    def key(self, name: str) -> Path:
        return self.path(name + ".key")

    def certificate(self, name: str) -> Path:
        """The certificate alone."""
        return self.path(name + ".crt")

    def chain(self, name: str) -> Path:
        """What a server shows: the leaf, then the intermediate."""
        return self.path(name + ".pem")

    def files(self, name: str) -> tuple:
        """The files of a server's chain and key."""
        return self.chain(name), self.key(name)

    def pin(self, name: str) -> str:
        """The pin of a certificate's key, as `sha256/BASE64` (RFC 7469)."""
        pem = run("openssl", "x509", "-in", self.certificate(name), "-noout", "-pubkey")
        der = run("openssl", "pkey", "-pubin", "-outform", "DER", stdin=pem)
        return "sha256/" + base64.b64encode(hashlib.sha256(der).digest()).decode()

    def _root(self, name, subject) -> Path:
        # What Python 3.13 demands of an authority.
        return self.self_signed(
            name, subject, "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def self_signed(self, name, subject, *options) -> Path:
        self._run("req", "-x509", *NEW_KEY, "-keyout", self.key(name), "-out",
            self.certificate(name), "-days", "30", "-subj", subject, *options)
        return self.certificate(name)

    def leaf(self, name, names, days=10, by="intermediate", new_key=None, usage="serverAuth"):
        """A key, and a certificate for these names of the intermediate or of another authority."""
        self._signed(name, f"/O=sdkctl tests/CN={name}", by=by, days=days, new_key=new_key,
                     extensions=f"subjectAltName={names}\nkeyUsage=critical,digitalSignature\n"
                                f"extendedKeyUsage={usage}\n")
        both = self.certificate(name).read_text() + self.certificate(by).read_text()
        self.chain(name).write_text(both)

    def _signed(self, name, subject, by, extensions, days=20, new_key=None):
        request, extras = self.path(name + ".csr"), self.path(name + ".ext")
        self._run("req", *(new_key or NEW_KEY), "-keyout", self.key(name), "-out", request,
            "-subj", subject)
        extras.write_text(extensions)
        times = EXPIRED if days < 0 else ("-days", str(days))
        self._run("x509", "-req", "-in", request, "-CA", self.certificate(by), "-CAkey",
            self.key(by), "-CAcreateserial", *times, "-extfile", extras, "-out",
            self.certificate(name))

    def _run(self, *words):
        run("openssl", *words, environment=self.environment)


NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def faketime(clock) -> dict:
    """The variables for a program whose clock is wrong by so much: `+1h`."""
    return {"LD_PRELOAD": "/usr/$LIB/faketime/libfaketime.so.1", "FAKETIME": clock,
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def run(*command, stdin=b"", environment=None) -> bytes:
    """Runs a command that must succeed and answers what it wrote."""
    done = subprocess.run([str(word) for word in command], input=stdin, env=environment,
                          capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")
    return done.stdout


# The validity of a certificate that is expired from birth, for `openssl x509`. A negative number of
# days ends it before it begins; OpenSSL 3.4 refuses that, and has options for both times.
EXPIRED = (
    ("-not_before", "20260101000000Z", "-not_after", "20260102000000Z")
    if run("openssl", "version") >= b"OpenSSL 3.4" else ("-days", "-1"))
