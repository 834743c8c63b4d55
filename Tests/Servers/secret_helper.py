"""Installs the credential helper of these tests for a home."""

import sys
from pathlib import Path

SCRIPT = Path(__file__).parent / "credential_helper.py"


def add_secret_helper(home) -> Path:
    """Puts `docker-credential-test` on the home's PATH; returns its directory, which has what it keeps."""
    place = home.directory / "helper"
    place.mkdir()
    # With this interpreter, as a home's PATH may name another one; without `site`, it starts in half the time.
    text = SCRIPT.read_text().split("\n", 1)[1]
    program = place / "docker-credential-test"
    program.write_text(f"#!{sys.executable} -IS\n{text}")
    program.chmod(0o755)
    home.environment["PATH"] = f"{place}:{home.environment['PATH']}"
    return place
