"""The authorization server of the MCP SDK, from PyPI, which registers anybody."""

from pathlib import Path
from urllib.parse import quote

from .python_provider import PythonProvider
from .virtual_environment import VirtualEnvironment


class MCP(PythonProvider):
    person = {}
    environment = VirtualEnvironment("mcp")
    program = "mcp_server.py"

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin + "/"

    def introspect(self, token: str) -> dict:
        return self.client().get(f"{self.origin}/tests/token?token={quote(token)}").json()
