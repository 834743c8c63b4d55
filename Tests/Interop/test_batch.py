"""`fetch --batch` against nginx: which connections its requests use."""

import json
import re

from Servers.case import Case

from Interop.test_pin_chains import HostCase


class ConnectionTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()

    def batch(self, lines, *options):
        result = self.ok("fetch", "--unauth", "--batch", "-", *options,
                         input="".join(json.dumps(line) + "\n" for line in lines))
        rows = [json.loads(line) for line in result.text.splitlines()]
        self.assertEqual(sorted(row["line"] for row in rows), list(range(1, len(lines) + 1)))
        return rows

    def test_all_requests_to_an_http2_server_use_one_connection(self):
        self.log.mark()
        rows = self.batch([{"path": "/public"}] * 300, "--parallel", "50")
        self.assertEqual({(row["status"], row["version"], row["body"]) for row in rows},
                         {(200, "HTTP/2", "ok\n")})
        lines = self.log.lines()
        self.assertEqual(len(lines), 300)
        self.assertEqual(len({re.search(r"conn=(\d+)", line)[1] for line in lines}), 1)

    def test_requests_of_all_kinds_can_follow_each_other_on_a_connection(self):
        kinds = [{"path": "/echo"}, {"path": "/echo", "method": "POST", "body": "text"},
                 {"path": "/echo", "method": "HEAD"}, {"path": "/echo", "method": "DELETE"},
                 {"path": "/echo", "method": "PUT", "body": {"a": 1}},
                 {"path": "/echo", "headers": {"X-One": "1"}}]
        self.log.mark()
        rows = self.batch(kinds * 10, "--parallel", "4")
        for row in rows:
            sent = kinds[(row["line"] - 1) % len(kinds)]
            self.assertEqual(row["status"], 200, row)
            if sent.get("method") == "HEAD":
                self.assertNotIn("body", {key for key, value in row.items() if value})
                continue
            seen = row["body"]
            body = sent.get("body", "")
            self.assertEqual(seen["method"], sent.get("method", "GET"))
            self.assertEqual("x-one" in seen["fields"], "headers" in sent)
            self.assertEqual("content-type" in seen["fields"], "body" in sent)
            self.assertEqual(seen["body"], body if isinstance(body, str) else json.dumps(
                body, separators=(",", ":")))
        self.assertEqual(
            len({re.search(r"conn=(\d+)", line)[1] for line in self.log.lines()}), 1)


class Http1Tests(HostCase):
    def test_no_more_connections_are_made_than_requests_run_at_once(self):
        self.pin("local")
        lines = (json.dumps({"path": self.hosts.at("tls13")}) + "\n") * 600
        self.ok("fetch", "--unauth", "--batch", "-", "--parallel", "20", input=lines)
        connections = [re.search(r"conn=(\d+)", line)[1] for line in self.log.lines()]
        self.assertEqual(len(connections), 600)
        self.assertLessEqual(len(set(connections)), 20)


class ClosingTests(HostCase):
    """nginx closes a connection after so many requests: 1000 by default, 3 here."""

    def test_no_request_is_lost_when_the_server_closes_connections(self):
        self.pin("local")
        lines = "".join(json.dumps({"path": self.hosts.at("brief") + f"/{number}"}) + "\n"
                        for number in range(600))
        result = self.home.run("fetch", "--unauth", "--batch", "-", "--parallel", "20", input=lines)
        rows = [json.loads(line) for line in result.text.splitlines()]
        self.assertEqual([row["error"] for row in rows if row["exit"]], [])
        self.assertEqual((result.exit, len(rows)), (0, 600))
        requests = [line.split('"')[1] for line in self.log.lines()]
        self.assertEqual(len(requests), len(set(requests)), "a request was sent twice")
