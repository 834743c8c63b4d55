"""`fetch --batch` as a process: signals, and requests that arrive while others run."""

import json
import signal
import subprocess
import threading

from Servers.case import Case
from Servers.http_server import Handler, HTTPServer
from Servers.sdkctl import BINARY


class BatchTests(Case):
    def setUp(self):
        super().setUp()
        self.arrived, self.release = threading.Semaphore(0), threading.Event()
        test = self

        class Resource(Handler):
            def do_GET(self):
                if self.path == "/slow":
                    test.arrived.release()
                    test.release.wait(60)
                self.respond(200, b"ok")

        server = HTTPServer(Resource).start()
        self.addCleanup(server.stop)
        self.addCleanup(self.release.set)
        self.ok("profile", "add", "test", "--issuer", "https://id.invalid", "--resource-url",
                "https://api.invalid")
        self.ok("profile", "set", "insecureLoopback=true",
                f"resourceURL={server.url}")
        self.process = subprocess.Popen(
            [BINARY, "fetch", "--unauth", "--batch", "-"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.home.environment)
        self.addCleanup(self.process.kill)

    def send(self, **line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def test_a_result_is_written_before_the_next_request_is_known(self):
        for number in range(3):
            self.send(path="/x", id=number)
            self.assertEqual(json.loads(self.process.stdout.readline())["id"], number)
        output, errors = self.process.communicate(timeout=60)
        self.assertEqual((self.process.returncode, output, errors), (0, "", ""))

    def test_an_interrupted_batch_reports_what_was_done_and_ends_by_the_signal(self):
        self.send(path="/x", id="done")
        done = json.loads(self.process.stdout.readline())
        self.assertEqual((done["id"], done["exit"]), ("done", 0))
        for _ in range(2):
            self.send(path="/slow")
        for _ in range(2):
            self.assertTrue(self.arrived.acquire(timeout=60))
        # Standard input stays open: the batch must not wait for more.
        self.process.send_signal(signal.SIGINT)
        lines = [json.loads(line) for line in self.process.stdout]
        self.assertEqual([line["exit"] for line in lines], [130, 130])
        self.assertEqual([line["error"]["code"] for line in lines], ["cancelled"] * 2)
        self.assertEqual(self.process.wait(60), -signal.SIGINT)
        self.process.communicate()
