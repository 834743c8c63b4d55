"""A server on 127.0.0.1 for CurlTests, which prints what it sees.

usage: loopback.py CHAIN KEY MINIMUM MAXIMUM CLIENT-CA

CHAIN, KEY and CLIENT-CA are PEM files or empty: without CHAIN it speaks plain HTTP. MINIMUM and
MAXIMUM are names of ssl.TLSVersion. It ends when its standard input closes.
"""

import os
import socket
import ssl
import struct
import sys
import threading
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from Servers.http_server import Handler, HTTPServer  # noqa: E402

warnings.simplefilter("ignore")
chain, key, low, high, client = sys.argv[1:]
lock = threading.Lock()


def say(text):
    with lock:
        print(text, flush=True)


class Loopback(Handler):
    def answer(self, body, status=200, fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            taken = b""
            while True:
                size = int(self.rfile.readline(), 16)
                taken += self.rfile.read(size)
                self.rfile.readline()
                if not size:
                    return taken
        return super().body()

    def serve(self):
        say("request " + self.requestline)
        if self.command == "CONNECT":
            return self.answer(b"", 403)
        path, _, rest = self.path.lstrip("/").partition("?")[0].partition("/")
        if path == "echo":
            body = self.body()
            head = [("Seen-" + n, v) for n, v in self.headers.items()]
            self.answer(body, fields=head + [("Seen", self.requestline)])
        elif path == "count":
            self.answer(str(len(self.body())).encode())
        elif path == "bytes":
            left = int(rest)
            self.send_response(200)
            self.send_header("Content-Length", rest)
            self.end_headers()
            block = bytes(1 << 16)
            while left:
                part = block[:min(left, len(block))]
                self.wfile.write(part)
                left -= len(part)
        elif path == "drip":
            self.send_response(200)
            self.send_header("Content-Length", rest)
            self.end_headers()
            for _ in range(int(rest)):
                time.sleep(0.1)
                self.wfile.write(b".")
        elif path == "coded":
            name, _, body = rest.partition("/")
            self.send_response(200)
            self.send_header("Transfer-Encoding", name.replace("+", ", "))
            self.end_headers()
            self.wfile.write(bytes.fromhex(body))
            self.close_connection = True
        elif path == "wait":
            self.connection.recv(1)
            self.close_connection = True
        elif path == "stall":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"begun")
            self.connection.recv(1)
            self.close_connection = True
        elif path == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"begun")
            self.close_connection = True
        elif path == "drop":
            self.close_connection = True
        elif path == "once":
            self.answered, again = True, hasattr(self, "answered")
            if not again:
                return self.answer(self.body())
            self.close_connection = True
            # Without time to linger, the connection is reset when it is closed.
            if rest == "reset":
                self.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif path == "header":
            self.answer(b"", fields=[("X-Part", "x" * 1000)] * int(rest))
        elif path == "garbage":
            self.wfile.write(b"this is not HTTP\r\n\r\n" * 10)
            self.close_connection = True
        elif path == "raw":
            self.wfile.write(bytes.fromhex(rest))
            self.close_connection = True
        elif path == "last":
            self.answer(b"last", fields=[("Connection", "close")])
            self.close_connection = True
        elif path == "redirect":
            self.answer(b"elsewhere", 302, [("Location", "/hello")])
        elif path == "status":
            self.answer(b"", int(rest))
        else:
            self.answer(b"hello\n", fields=[
                ("X-Two", "1"), ("X-Two", "2"), ("Set-Cookie", "a=b"), ("X-Latin", "caf\xe9")])


class Server(HTTPServer):
    def handle(self, connection):
        say("accepted")
        try:
            super().handle(connection)
        finally:
            say("closed")

    def secure(self, connection):
        if self.context is None:
            return connection
        try:
            connection = self.context.wrap_socket(connection, server_side=True)
        except OSError:
            say("handshake failed")
            raise
        say(f"handshake {connection.version()} resumed={connection.session_reused}")
        return connection


server = Server(Loopback, (chain, key) if chain else None)
if context := server.context:
    if low == "TLSv1_1":
        context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = getattr(ssl.TLSVersion, low)
    context.maximum_version = getattr(ssl.TLSVersion, high)
    if client:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client)
say(f"port {server.port}")
server.start()
sys.stdin.read()
os._exit(0)
