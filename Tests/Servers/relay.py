"""A relay before a server of this machine, from which answers come as late as one likes."""

import socket
import threading
import time

from .process import LOOPBACK, wait_until


class Relay:
    """Carries bytes to `target` and back; each piece of an answer waits `delay` seconds first.

    What it carries is TLS, which ends at the target: the names, the keys and the pins are its own.
    """

    def __init__(self, target: int, delay=0.0):
        self.target, self.delay = target, delay
        self.carriers, self.lock = 0, threading.Lock()
        self.listener = socket.create_server((LOOPBACK, 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def settle(self):
        """Returns when both ends have closed every connection, so that nothing is on its way."""
        wait_until(lambda: self.carriers == 0, "the end of all connections")

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection((LOOPBACK, self.target))
            except OSError:
                return
            with self.lock:
                self.carriers += 2
            for source, sink, late in ((client, server, False), (server, client, True)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._carry, args=(source, sink, late), daemon=True).start()

    def _carry(self, source, sink, late):
        try:
            while piece := source.recv(65536):
                if late and self.delay:
                    time.sleep(self.delay)
                sink.sendall(piece)
        except OSError:
            pass  # one side has gone away
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_WR if end is sink else socket.SHUT_RD)
            except OSError:
                pass
        with self.lock:
            self.carriers -= 1
