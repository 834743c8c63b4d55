"""The authorization server of the MCP SDK, from PyPI, which registers anybody."""

from pathlib import Path
from urllib.parse import quote

from .process import Server
from .provider import Provider
from .templates import HERE
from .virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("tests-mcp", HERE / "mcp-requirements.txt")


class MCP(Provider):
    person = {}

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin + "/"
        self.servers = [Server(
            [ENVIRONMENT.program("python"), HERE / "mcp_server.py", self.origin, self.port,
             authority.chain("good"), authority.key("good")], self.port, self.log_path)]

    def start(self):
        ENVIRONMENT.provide()
        self.servers[0].start()
        return self

    def introspect(self, token: str) -> dict:
        return self.client().get(f"{self.origin}/tests/token?token={quote(token)}").json()
