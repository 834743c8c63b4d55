"""Starts `sdkctl proxy` in a test, and sends requests through it."""

import contextlib
import http.client
import socket
import subprocess
import urllib.parse


class ProxyStarter:
    """For a test case with a `home`."""

    def start(self, *arguments, **keywords) -> subprocess.Popen:
        process = self.home.start("proxy", *arguments, **keywords)
        self.addCleanup(self.end, process)
        self.url = process.stdout.readline().decode().strip()
        self.assertTrue(self.url, process.stderr.read() if process.poll() else process)
        self.address = urllib.parse.urlsplit(self.url)
        return process

    def end(self, process):
        process.kill()
        process.communicate()

    def curl(self, path, *arguments, url=None) -> subprocess.CompletedProcess:
        return subprocess.run(["curl", "-sS", "--max-time", "30", *arguments, (url or self.url) + path],
                              capture_output=True)

    def connection(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=30)
        self.addCleanup(connection.close)
        return connection

    def raw(self, request: bytes) -> bytes:
        """Sends bytes and returns all that comes back until the connection closes or is silent."""
        with socket.create_connection(("127.0.0.1", self.address.port), timeout=5) as plug:
            plug.sendall(request)
            received = b""
            with contextlib.suppress(TimeoutError, ConnectionResetError):
                while more := plug.recv(65536):
                    received += more
            return received

    def head(self, *lines, target="/public", method="GET", host=None) -> bytes:
        host = host or self.address.netloc
        return "\r\n".join([f"{method} {self.address.path}{target} HTTP/1.1", f"Host: {host}",
                            *lines, "", ""]).encode("latin-1")
