"""`fetch --as-curl`: curl sends what `fetch` sends, byte for byte."""

import re
import subprocess

from Servers.case import Case
from Servers.scripted import Scripted, http

FILES = {
    "plain.txt": b"hello\n", "bin": bytes(range(256)), "empty": b"", 'f 1".txt': b"quote",
    "a;b,c.txt": b"marks", "ü €.json": b"{}", "it's $HOME `x`.txt": b"shell",
    "c,d": b"comma", "back\\slash.gif": b"gif", "new\nline.txt": b"line", "fields": b"X-Api-Key: k\nX-Two: b c\n",
    "value.json": b"[1.10]\n",
}

# Chosen by the program, and not part of what is asked for.
OWN_FIELDS = ("accept", "connection", "expect")

QUERIES = [
    ["/p"], ["-I", "/p"], ["HEAD", "/p"], ["DELETE", "/p"], ["POST", "/p"], ["PUT", "/p"],
    ["PATCH", "/p"], ["/p?x={a}&y=[1-3]"], ["/p/[1-2]"], ["/p/a b"], ["/p/é"], ["/p/%41%2f"],
    ["/p/../q"], ["/p//q"], ["/p/it's"], ["/p?"], ["/p?a#frag"], ["/p/$HOME"],
    ["/p", "--param", "a=b c", "--param", "q=é&="], ["DELETE", "/p", "--param", "a=1"],
    ["HEAD", "/p", "--param", "a=1"], ["/p?x=1", "--param", "y=[1]{2}"],
]

BODIES = [
    ["/p", "-d", "abc"], ["PUT", "/p", "-d", "abc"], ["PATCH", "/p", "-d", "abc"],
    ["DELETE", "/p", "-d", "abc"], ["GET", "/p", "-d", "abc"], ["/p", "-d", ""],
    ["PUT", "/p", "-d", ""], ["/p", "-d", "@plain.txt"], ["PUT", "/p", "-d", "@bin"],
    ["/p", "-d", "@empty"], ["/p", "-d", "@new\nline.txt"], ["/p", "-d", "@it's $HOME `x`.txt"],
    ["/p", "-d", "line1\nline2\r\n"], ["/p", "-d", "quo\"te 's $HOME `id` \\n \\\\ ! é \x1b €"],
    ["/p", "-d", '{"a":1}', "-H", "Content-Type: application/json"], ["/p", "-d", " @text"],
    ["POST", "/p", "--param", "a=it's", "--param", "c:=1.10", "--param", 'q="$x`\r'],
    ["PATCH", "/p", "--param", "a=\\n\n", "--param", "v:=@value.json"],
    ["POST", "/p", "--param", "@a=@x", "--param", "e=é&", "--encoding", "form"],
    ["POST", "/p", "-H", "Content-Type: text/plain"],
]

FIELDS = [
    ["/p", "-H", value] for value in (
        "X-A: it's \"q\" $HOME `x` \\ !", "X-A:", "X-A;", "X-A: é€", "X-A:  spaced", "X-A: @file",
        "X-A: ;", "X-A: a\tb", "@fields", "Accept-Encoding: gzip", "Range: bytes=0-1")
] + [["/p", "-H", "X-A: 1", "-H", "X-A: 2"], ["/p", "-d", "x", "-H", "Content-Type:"]]

FORMS = [
    ["/p", "-F", part] for part in (
        "f=@c,d", "f=@bin;filename=a,b", "f=@bin;filename= sp ", 'f=@bin;type="text/plain"',
        "a=1", "d=@plain.txt", "f=@plain.txt;type=text/x-a;filename=up.txt", 'f=@"f 1\\".txt"',
        'f=@"a;b,c.txt"', "f=@ü €.json", "f=@it's $HOME `x`.txt", 'f=@"back\\\\slash.gif"',
        "f=@bin", "f=@new\nline.txt", "f=<plain.txt", "f=<bin;type=text/plain",
        'a={"x":1};type=application/json', 'a="q;x";type=text/plain', 'a="quoted"', "a= <x",
        'na"me=1', "f=@empty", 'f=@plain.txt;filename="a\\"b;c,d"', "a=x;filename=n.txt",
        "f=@bin;filename=n.png", "a=line1\nline2", "é=ü", 'a=x\\y"z',
        "f=@plain.txt;type=text/plain; charset=utf-8")
] + [["/p", "-F", "a=1", "-F", "a=2", "--param", "p=1", "--param", "q:=[1]", "--param", "z=@x"]]

OPTIONS = [
    ["/p", *words] for words in (
        ["-r", "0-3"], ["-r", "-3"], ["--retry", "2"], ["--max-size", "1k"], ["-i"],
        ["-w", "%{http_code} $x \\n"], ["--etag-save", "tag"], ["--etag-compare", "tag"],
        ["--connect-timeout", "1.25"], ["--timeout", "5"], ["--no-fail"], ["-o", "-"])
]

REDIRECTS = [
    ["/302"], ["DELETE", "/302"], ["HEAD", "/303"], ["/301", "-d", "x"], ["POST", "/303", "-d", "x"],
    ["/307", "-d", "x"], ["PUT", "/301", "-d", "x"], ["PUT", "/302"], ["PATCH", "/308", "-d", "@bin"],
    ["DELETE", "/301", "-d", "x"], ["GET", "/303", "-d", "x"], ["/307", "-F", "f=@plain.txt"],
]


class AsCurlTests(Case):
    def setUp(self):
        super().setUp()
        self.server = Scripted(self.stand.authority).start()
        self.addCleanup(self.server.stop)
        self.add_profile(resource=self.server.url("/"))
        for name, content in FILES.items():
            (self.home.directory / name).write_bytes(content)
        self.server.replies = Replies()

    def assertSame(self, cases):
        for words in cases:
            with self.subTest(words):
                (self.home.directory / "tag").write_text('"v1"\n')
                ours = self.home.run("fetch", "--unauth", *words)
                sent = self.take()
                command = self.ok("fetch", "--unauth", "--as-curl", *words)
                self.assertEqual(self.server.seen, [])
                theirs = subprocess.run(
                    ["sh", "-c", command.text], env=self.home.environment,
                    cwd=self.home.directory, stdin=subprocess.DEVNULL, capture_output=True,
                    timeout=60)
                self.assertEqual(self.take(), sent, command.text)
                self.assertEqual((ours.exit, ours.out), (theirs.returncode, theirs.stdout))

    def take(self) -> list:
        """The requests that were seen, without what differs in each run."""
        seen = [self.common(request) for request in self.server.seen]
        self.server.seen.clear()
        return seen

    @staticmethod
    def common(request):
        fields = {name: values for name, values in request.fields.items()
                  if name not in OWN_FIELDS}
        body = request.body
        if request.method == "GET" and "redirected" in request.target:
            # curl drops the body there, and keeps the type that it was told.
            fields.pop("content-type", None)
        kind = fields.get("content-type", [""])[0]
        if boundary := re.search("boundary=([-0-9A-Za-z]+)", kind):
            # The boundary of curl has another length.
            fields["content-type"] = [kind.replace(boundary[1], "B")]
            fields.pop("content-length")
            body = body.replace(boundary[1].encode(), b"B")
        return request.method, request.target, fields, body

    def test_methods_paths_and_queries(self):
        self.assertSame(QUERIES)

    def test_bodies_and_parameters(self):
        self.assertSame(BODIES)

    def test_header_fields(self):
        self.assertSame(FIELDS)

    def test_forms(self):
        self.assertSame(FORMS)

    def test_other_options(self):
        self.assertSame(OPTIONS)

    def test_redirects(self):
        self.assertSame(REDIRECTS)

    def test_names_of_hosts(self):
        port = self.server.port
        self.set_pin(self.stand.authority.pin("good"))
        self.assertSame([
            [f"https://localhost:{port}/p", "--resolve", f"localhost:{port}:127.0.0.1"],
            ["https://localhost:1234/p", "--connect-to", f"::localhost:{port}"],
        ])


class Replies(dict):
    def get(self, path, default=None):
        return reply


def reply(request):
    if request.path.strip("/").isdigit():
        return [http(int(request.path.strip("/")), Location="/p?redirected")]
    body = b"" if request.method == "HEAD" else b"ok"
    return [http(200, body, length=2, ETag='"v1"')]
