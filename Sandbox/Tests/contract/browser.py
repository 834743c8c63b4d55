"""HTTP without surprises, and a browser that fills in the pages as a person would."""

import html.parser
import http.client
import json
import socket
import ssl
import urllib.parse


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def field(self, name):
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        return values[0] if values else None

    def all(self, name):
        return [value for key, value in self.fields if key.lower() == name.lower()]

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()


class HTTP:
    """One request, one connection, no redirects followed."""

    def __init__(self, sandbox, certificate=None, mutual=False):
        self.port = sandbox.mtls_port if certificate or mutual else sandbox.port
        self.context = ssl.create_default_context(cafile=sandbox.ca_file)
        if certificate:
            self.context.load_cert_chain(certificate["certificate"], certificate["key"])

    def send(self, method, target, body=None, fields=None, form=None, document=None, timeout=20):
        fields = dict(fields or {})
        if form is not None:
            body = urllib.parse.urlencode(form).encode()
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if document is not None:
            body = json.dumps(document).encode()
            fields.setdefault("Content-Type", "application/json")
        parts = urllib.parse.urlsplit(target)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection = http.client.HTTPSConnection(
            "localhost", self.port, context=self.context, timeout=timeout)
        try:
            connection.request(method, path or "/", body=body, headers=fields)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def client_connection(self, session=None):
        """A connection that resumes a TLS session, opened already."""
        connection = http.client.HTTPSConnection("localhost", self.port, context=self.context)
        raw = socket.create_connection(("localhost", self.port), timeout=20)
        connection.sock = self.context.wrap_socket(
            raw, server_hostname="localhost", session=session)
        return connection

    def get(self, target, **more):
        return self.send("GET", target, **more)

    def post(self, target, **more):
        return self.send("POST", target, **more)


class Form:
    def __init__(self, action, method):
        self.action, self.method, self.fields, self.buttons = action, method, {}, []


class Page(html.parser.HTMLParser):
    """The forms, links and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.links, self.alert, self.title = [], [], "", ""
        self._into = None
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        facts = dict(pairs)
        if tag == "form":
            self.forms.append(Form(facts["action"], facts.get("method", "get")))
        elif tag == "input":
            self.forms[-1].fields[facts["name"]] = facts.get("value", "")
        elif tag == "button":
            self.forms[-1].buttons.append((facts.get("name"), facts.get("value")))
        elif tag == "a":
            self.links.append(facts["href"])
        elif tag == "h1":
            self._into = "title"
        elif facts.get("role") == "alert":
            self._into = "alert"

    def handle_endtag(self, tag):
        if tag in ("h1", "p"):
            self._into = None

    def handle_data(self, text):
        if self._into:
            setattr(self, self._into, getattr(self, self._into) + text)

    def form(self, action):
        return next(form for form in self.forms if form.action.split("?")[0] == action)


class Browser:
    """Keeps cookies, follows redirects within the sandbox, stops at the client's address."""

    def __init__(self, sandbox):
        self.http, self.issuer, self.cookies = HTTP(sandbox), sandbox.issuer, {}
        self.address, self.answer, self.page = None, None, None

    def open(self, target, method="GET", form=None):
        for _ in range(10):
            if target.startswith("http") and not target.startswith(self.issuer):
                self.address, self.page = target, None
                return self
            fields = {}
            if self.cookies:
                fields["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
            self.answer = self.http.send(method, target, form=form, fields=fields)
            for cookie in self.answer.all("Set-Cookie"):
                name, value = cookie.split(";")[0].split("=", 1)
                self.cookies[name] = value
                if "Max-Age=0" in cookie:
                    del self.cookies[name]
            if self.answer.status != 303:
                self.address, self.page = target, Page(self.answer.text)
                return self
            target, method, form = self.answer.field("Location"), "GET", None
        raise AssertionError("too many redirects")

    def submit(self, action, **typed):
        form = self.page.form(action)
        return self.open(form.action, form.method.upper(), {**form.fields, **typed})

    def sign_in(self, name="alice", password="wonderland", **more):
        return self.submit("/sign-in", username=name, password=password, **more)

    def allow(self):
        return self.submit("/consent", decision="allow")

    @property
    def outcome(self):
        """The parameters with which the browser came back to the client."""
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.address).query))
