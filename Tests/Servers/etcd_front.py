"""A server that stands before one node of a cluster of etcd, and can act before a request reaches it."""

import http.client
import ssl

from .http_server import Handler, HTTPServer


class EtcdFront(HTTPServer):
    """Shows the certificate of the nodes; `before` is called with the path of each request.

    `watches` has what the node sent to each watch.
    """

    def __init__(self, cluster, before=lambda path: None):
        super().__init__(Forwarder, cluster.authority.files("node"))
        self.before, self.node, self.watches = before, cluster.ports[0], []
        self.client = ssl.create_default_context(cafile=cluster.ca_file)
        # Python 3.13 demands more of certificates than etcd does.
        self.client.verify_flags &= ~ssl.VERIFY_X509_STRICT
        self.client.load_cert_chain(*cluster.authority.files("machine"))

    @property
    def place(self) -> str:
        return f"etcd:https://127.0.0.1:{self.port}/team/work"


class Forwarder(Handler):
    def serve(self):
        body = self.body()
        self.server.before(self.path)
        node = http.client.HTTPSConnection(
            "127.0.0.1", self.server.node, context=self.server.client, timeout=60)
        try:
            node.request("POST", self.path, body, {"Content-Type": "application/json"})
            self.forward(node.getresponse())
        except OSError:
            pass  # The client, or the node, has gone away.
        finally:
            node.close()

    def forward(self, response):
        self.close_connection = True
        self.send_response(response.status)
        self.send_header("Connection", "close")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        pieces = []
        if self.path.endswith("/watch"):
            self.server.watches.append(pieces)
        while piece := response.read1():
            pieces.append(piece)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")
