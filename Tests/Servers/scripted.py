"""An HTTPS origin whose replies a test writes, byte by byte."""

from .listener import Listener, Request, read_request, send


class Scripted(Listener):
    """`replies[path]` is bytes, or a function of the request that yields bytes and pauses in
    seconds; an Event is waited for. `seen` lists every request. One request a connection.
    `refuses_expectations`: the body of a request with `Expect` is not read."""

    refuses_expectations = False

    def __init__(self, authority, leaf="good"):
        super().__init__(authority.files(leaf))
        self.replies, self.seen = {}, []

    def url(self, path="", host="localhost") -> str:
        return f"https://{host}:{self.port}{path}"

    def paths(self) -> list:
        return [request.path for request in self.seen]

    def serve(self, stream):
        with stream:
            request = read_request(stream, self.refuses_expectations)
            if request is not None:
                reply = self.reply(request)
                send(stream, [reply] if isinstance(reply, bytes) else reply)

    def reply(self, request: Request):
        self.seen.append(request)
        reply = self.replies.get(request.path, http(404, b"nothing is scripted"))
        return reply if isinstance(reply, bytes) else reply(request)


def http(status, body=b"", *, length=None, **fields) -> bytes:
    """A complete response; underscores in names of fields stand for hyphens."""
    lines = [f"HTTP/1.1 {status} Whatever", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    if status != 304:
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
