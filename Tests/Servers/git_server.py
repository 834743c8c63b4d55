"""git over smart HTTP: git-http-backend behind nginx, which asks the provider about the password."""

import base64
import subprocess
from pathlib import Path

from .http_server import Handler, HTTPServer
from .nginx import Nginx
from .process import Server


class GitServer(Nginx):
    """Serves `repositories/NAME.git`; the password must be a token that `introspect` calls active."""

    def __init__(self, directory: Path, authority, introspect):
        super().__init__(directory, "main")
        (directory / "repositories").mkdir()
        self.url = self.at()
        self.check = HTTPServer(_Check)
        self.check.introspect, self.check.seen = introspect, []
        socket = directory / "fcgi.sock"
        self.backend = Server(["fcgiwrap", "-s", f"unix:{socket}"], None, directory / "fcgi.out",
                              ready=socket.exists)
        path = subprocess.run(["git", "--exec-path"], capture_output=True, check=True, text=True)
        self.configure(
            "git-nginx.conf", '"$request" $status user=$remote_user', CHECK=self.check.port,
            BACKEND=Path(path.stdout.strip()) / "git-http-backend",
            GOOD=authority.chain("good"), GOODKEY=authority.key("good"))

    def start(self):
        self.check.start()
        self.backend.start()
        return super().start()

    def stop(self):
        super().stop()
        self.backend.stop()
        self.check.stop()

    def credentials(self) -> list:
        """The user names and passwords that were sent, in order."""
        return list(self.check.seen)

    def add(self, name: str) -> str:
        """Makes an empty repository that takes pushes; returns its URL."""
        path = self.directory / "repositories" / f"{name}.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], check=True)
        subprocess.run(["git", "-C", path, "config", "http.receivepack", "true"], check=True)
        return f"{self.url}/git/{name}.git"


class _Check(Handler):
    def do_GET(self):
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        status = 401
        if kind == "Basic":
            user, _, password = base64.b64decode(value).decode().partition(":")
            self.server.seen.append((user, password))
            if self.server.introspect(password).get("active"):
                status = 204
        self.respond(status, **({"WWW_Authenticate": 'Basic realm="git"'} if status == 401 else {}))
