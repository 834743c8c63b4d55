"""A server on 127.0.0.1 for CurlTests, which prints what it sees.

usage: loopback.py CHAIN KEY MINIMUM MAXIMUM CLIENT-CA

CHAIN, KEY and CLIENT-CA are PEM files or empty: without CHAIN it speaks plain HTTP. MINIMUM and
MAXIMUM are names of ssl.TLSVersion. It ends when its standard input closes.
"""

import http.server, os, ssl, socket, struct, sys, threading, time, warnings
warnings.simplefilter("ignore")
chain, key, low, high, client = sys.argv[1:]
lock = threading.Lock()

def say(text):
    with lock:
        print(text, flush=True)

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments): pass

    def answer(self, body, status=200, fields=()):
        self.send_response(status)
        for name, value in fields: self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            taken = b""
            while True:
                size = int(self.rfile.readline(), 16)
                taken += self.rfile.read(size)
                self.rfile.readline()
                if not size: return taken
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def any(self):
        say("request " + self.requestline)
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
            if not again: return self.answer(self.body())
            self.close_connection = True
            # Without time to linger, the connection is reset when it is closed.
            if rest == "reset": self.connection.setsockopt(
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
            self.answer(b"hello\n", fields=[("X-Two", "1"), ("X-Two", "2"),
                ("Set-Cookie", "a=b"), ("X-Latin", "caf\xe9")])

    def __getattr__(self, name):
        if name.startswith("do_"): return self.any
        raise AttributeError(name)

class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def finish_request(self, connection, address):
        say("accepted")
        try:
            if context:
                try:
                    connection = context.wrap_socket(connection, server_side=True)
                except (ssl.SSLError, OSError):
                    say("handshake failed")
                    return
                say(f"handshake {connection.version()} resumed={connection.session_reused}")
            self.RequestHandlerClass(connection, address, self)
            if context: connection.close()
        except OSError:
            pass
        finally:
            say("closed")

context = None
if chain:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if low == "TLSv1_1": context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = getattr(ssl.TLSVersion, low)
    context.maximum_version = getattr(ssl.TLSVersion, high)
    context.load_cert_chain(chain, key)
    if client:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client)
def live():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=live, daemon=True).start()
server = Server(("127.0.0.1", 0), Handler)
say(f"port {server.server_port}")
server.serve_forever()
