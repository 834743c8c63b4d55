"""Serves a WSGI application over TLS, for the programs of this folder that are started by themselves."""

import socketserver
import ssl
from wsgiref import simple_server


class Handler(simple_server.WSGIRequestHandler):
    def get_environ(self):
        return super().get_environ() | {"HTTPS": "on"}


class Threads(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True


def serve(application, port, chain, key):
    server = Threads(("127.0.0.1", int(port)), Handler)
    server.set_app(application)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    # The handshake belongs to the thread of its connection.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()
