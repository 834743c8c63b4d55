"""Security tokens in software: SoftHSM, with one token and its keys in a directory of the test's."""

import subprocess
from pathlib import Path

MODULE = "/usr/lib/softhsm/libsofthsm2.so"
PIN = "246810"


class SoftToken:
    """A token with the label `work`."""

    def __init__(self, directory: Path):
        (directory / "tokens").mkdir(parents=True)
        configuration = directory / "softhsm2.conf"
        configuration.write_text(f"directories.tokendir = {directory / 'tokens'}\n")
        self.environment = {"SOFTHSM2_CONF": str(configuration), "PKCS11_MODULE_PATH": MODULE}
        self.add("work")

    def add(self, label):
        self._run("softhsm2-util", "--init-token", "--free", "--label", label, "--so-pin",
                  "12345678", "--pin", PIN)

    def generate(self, label, identifier, kind="EC:prime256v1"):
        self._tool("--keypairgen", "--key-type", kind, "--id", identifier, "--label", label)

    def add_certificate(self, pem: Path, identifier, label):
        der = subprocess.run(["openssl", "x509", "-in", pem, "-outform", "DER"], check=True,
                             capture_output=True).stdout
        file = pem.with_suffix(".der")
        file.write_bytes(der)
        self._tool("--write-object", file, "--type", "cert", "--id", identifier, "--label", label)

    def add_key(self, pem: Path, identifier, label):
        pkcs8 = pem.with_suffix(".p8")
        subprocess.run(["openssl", "pkcs8", "-topk8", "-nocrypt", "-in", pem, "-out", pkcs8],
                       check=True, capture_output=True)
        self._run("softhsm2-util", "--import", pkcs8, "--token", "work", "--label", label, "--id",
                  identifier, "--pin", PIN)

    def _tool(self, *words):
        self._run("pkcs11-tool", "--module", MODULE, "--token-label", "work", "--login", "--pin",
                  PIN, *words)

    def _run(self, *words):
        environment = {"PATH": "/usr/bin:/bin", **self.environment}
        subprocess.run([*map(str, words)], env=environment, check=True, capture_output=True)
