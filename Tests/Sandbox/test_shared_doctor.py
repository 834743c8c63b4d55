"""What doctor says of a cluster of etcd in which the secrets of a profile are."""

import time

from Servers.fleet import VALUE, FleetCase


class SharedDoctorTests(FleetCase):
    def examine(self) -> tuple:
        """The exit status, and the statuses of the shared store by what they are about."""
        result = self.home.run("doctor", "--online", "--json", timeout=60)
        findings = self.jsonOf(result)["findings"]
        self.messages = [finding["message"] for finding in findings if finding["check"] == "shared-store"]
        return result.exit, {finding["subject"]: finding["status"] for finding in findings
                             if finding["check"] == "shared-store"}

    def test_nodes_and_documents(self):
        self.assertEqual(self.examine(), (0, {}))
        self.move()
        nodes = [f"https://127.0.0.1:{port}/" for port in self.cluster.ports]
        self.assertEqual(self.examine(), (0, dict.fromkeys(nodes, "ok")))
        seen = self.cluster.requests()
        self.ok("doctor")
        self.assertEqual(self.cluster.requests(), seen)
        self.cluster.kill(0)
        self.assertEqual(self.examine(), (0, dict.fromkeys(nodes, "ok") | {nodes[0]: "warning"}))
        self.cluster.etcdctl("put", VALUE, "x")
        code, found = self.examine()
        self.assertEqual(code, 11)
        self.assertEqual(found, dict.fromkeys(nodes, "ok") | {nodes[0]: "warning", "credentials/user": "error"})
        self.cluster.kill(1)
        began = time.monotonic()
        code, found = self.examine()
        self.assertEqual(code, 11)
        self.assertEqual([found[node] for node in nodes], ["error", "error", "ok"])
        self.assertIn("its documents cannot be read", self.messages)
        self.assertLess(time.monotonic() - began, 20)
