"""A small HTTPS client for the tests themselves: urllib with the test CA and a cookie jar."""

import base64
import http.client
import http.cookiejar
import json
import os
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass


@dataclass
class Answer:
    status: int
    fields: object
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    def json(self):
        return json.loads(self.body)


class Client:
    """Keeps cookies, in a file if it is given; follows no redirect, raises for no status."""

    def __init__(self, ca_file, cookies=None):
        context = ssl.create_default_context(cafile=str(ca_file))
        self.cookies = http.cookiejar.LWPCookieJar(cookies)
        if cookies and os.path.exists(cookies):
            self.cookies.load(ignore_discard=True)
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            _HTTPS(context=context),
            urllib.request.HTTPCookieProcessor(self.cookies), _NoRedirect())

    def request(self, method, url, body=None, fields=None, json_body=None, form=None, basic=None):
        fields = dict(fields or {})
        if json_body is not None:
            body, fields["Content-Type"] = json.dumps(json_body).encode(), "application/json"
        if form is not None:
            body = urllib.parse.urlencode(form).encode()
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        if basic is not None:
            fields["Authorization"] = "Basic " + base64.b64encode(":".join(basic).encode()).decode()
        request = urllib.request.Request(url, data=body, headers=fields, method=method)
        try:
            with self.opener.open(request, timeout=20) as reply:
                return Answer(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return Answer(refusal.code, refusal.headers, refusal.read())
        finally:
            if self.cookies.filename:
                self.cookies.save(ignore_discard=True)

    def get(self, url, **keywords):
        return self.request("GET", url, **keywords)

    def post(self, url, **keywords):
        return self.request("POST", url, **keywords)

    def put(self, url, **keywords):
        return self.request("PUT", url, **keywords)


class _Connection(http.client.HTTPSConnection):
    """Takes names below .localhost for this machine, as browsers do (RFC 6761 6.3); glibc does not."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self._create_connection = self._connected

    def _connected(self, address, *rest):
        host, port = address
        host = "127.0.0.1" if host.endswith(".localhost") else host
        return socket.create_connection((host, port), *rest)


class _HTTPS(urllib.request.HTTPSHandler):
    def https_open(self, request):
        return self.do_open(_Connection, request, context=self._context)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None
