"""nginx as the resource gateway: open paths, paths behind introspection, and broken listeners."""

from pathlib import Path

from .nginx import Nginx


class Gateway(Nginx):
    """`url` is the gateway; the other addresses are listeners that a client should refuse."""

    def __init__(self, directory: Path, authority, resource_port: int):
        super().__init__(directory, "main", "other", "expired", "wronghost", "padded", "old")
        (directory / "files").mkdir(exist_ok=True)
        self.url = self.at("main")
        self.configure(
            "gateway.conf",
            '$server_port conn=$connection "$request" $status tls=$ssl_protocol '
            "reused=$ssl_session_reused auth=$credentials",
            RESOURCE=resource_port, GOOD=authority.chain("good"), GOODKEY=authority.key("good"),
            PADDEDPEM=authority.chain("padded"), EXPIREDPEM=authority.chain("expired"),
            EXPIREDKEY=authority.key("expired"), WRONGHOSTPEM=authority.chain("wronghost"),
            WRONGHOSTKEY=authority.key("wronghost"))
