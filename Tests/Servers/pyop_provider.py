"""An OpenID provider on pyop, from PyPI, which registers anybody."""

from .python_provider import PythonProvider
from .virtual_environment import VirtualEnvironment


class Pyop(PythonProvider):
    person = {}
    environment = VirtualEnvironment("pyop")
    program = "pyop_site.py"

    def introspect(self, token: str) -> dict:
        return self.userinfo(token, self.origin + "/userinfo")
