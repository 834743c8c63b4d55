"""`pin check --all-addresses`: each address of a host is a row."""

import socket

from .test_pin_chains import HostCase


class AllAddressTests(HostCase):
    def setUp(self):
        super().setUp()
        self.place = f"both.example.localhost:{self.hosts.ports['main']}"
        self.ok("pin", "add", self.authority.pin("local"), "--host", self.place, "--yes")

    def all(self, *words, addresses="127.0.0.1,[::1]"):
        return self.home.run(
            "pin", "check", "--within", "1d", self.place, "--all-addresses", "--resolve",
            f"{self.place}:{addresses}", *words)

    def test_each_address_is_a_row_in_every_form(self):
        result = self.all()
        self.assertEqual(result.exit, 0, result)
        rows = [line.split("\t") for line in result.text.splitlines()]
        self.assertEqual([(row[0], row[1], row[6]) for row in rows],
                         [(self.place, "OK", "127.0.0.1"), (self.place, "OK", "::1")])
        rows = self.jsonOf(self.home.run("--json", *result.arguments))
        self.assertEqual([(row["address"], row["status"]) for row in rows],
                         [("127.0.0.1", "OK"), ("::1", "OK")])
        junit = self.all("--junit", "-").text
        self.assertIn(f'name="{self.place} at 127.0.0.1"', junit)
        self.assertIn(f'name="{self.place} at ::1"', junit)
        metrics = self.all("--prometheus", "-").text
        self.assertIn('address="::1"', metrics)

    def test_one_bad_address_of_several_is_found(self):
        result = self.all(addresses="127.0.0.1,127.0.0.2")
        self.assertEqual(result.exit, 6, result)
        statuses = [line.split("\t")[1] for line in result.text.splitlines()]
        self.assertEqual(statuses, ["OK", "UNREACHABLE"])

    def test_addresses_come_from_the_name_servers_and_from_other_hosts(self):
        port = self.hosts.ports["main"]
        self.ok("pin", "add", self.authority.pin("local"), "--host", f"localhost:{port}", "--yes")
        known = {entry[4][0] for entry in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)}
        result = self.ok("pin", "check", "--within", "1d", f"localhost:{port}", "--all-addresses")
        self.assertEqual({line.split("\t")[6] for line in result.text.splitlines()}, known)
        result = self.ok("pin", "check", "--within", "1d", self.place, "--all-addresses",
                         "--connect-to", f"::127.0.0.1:{port}")
        self.assertEqual([line.split("\t")[6] for line in result.text.splitlines()], ["127.0.0.1"])

    def test_a_name_that_is_not_known_is_one_row(self):
        result = self.home.run("pin", "check", "nowhere.invalid", "--all-addresses")
        rows = [line.split("\t") for line in result.text.splitlines()]
        self.assertEqual([row[:2] for row in rows], [["nowhere.invalid", "UNPINNED"]], result)
