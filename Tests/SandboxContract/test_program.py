import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import unittest

from browser import HTTP
from client import Client
from program import PROGRAM, Sandbox, run


class Life(unittest.TestCase):
    def sandbox(self, *options):
        sandbox = Sandbox(*options)
        self.addCleanup(sandbox.stop)
        return sandbox

    def home(self):
        home = tempfile.mkdtemp(prefix="sandbox-home-")
        self.addCleanup(shutil.rmtree, home, ignore_errors=True)
        return home

    def test_start_status_stop(self):
        sandbox = self.sandbox()
        status = sandbox.status()
        self.assertEqual((status["running"], status["port"]), (True, sandbox.port))
        self.assertEqual(status["pins"], sandbox.facts["pins"])
        self.assertIn(sandbox.issuer, run("status", directory=sandbox.directory).stdout)
        self.assertIn("stopped", run("stop", directory=sandbox.directory).stdout)
        self.assertIn("not running", run("stop", directory=sandbox.directory).stdout)
        after = run("status", "--json", directory=sandbox.directory, check=False)
        self.assertEqual((after.returncode, json.loads(after.stdout)), (1, {"running": False}))

    def test_json_has_the_members_that_the_page_of_its_command_declares(self):
        sandbox = self.sandbox()
        printed = {
            "start": sandbox.facts, "status": sandbox.status(),
            "certificate": sandbox.certificate("robot"),
        }
        for words in (["fault", "list"], ["revoke"], ["fido"]):
            done = run(*words, "--json", directory=sandbox.directory)
            printed[words[0]] = json.loads(done.stdout)
        commands = re.findall(r"^  ([a-z]+)  ", run("help").stdout, re.MULTILINE)
        pages = {command: run("help", command).stdout for command in commands}
        self.assertEqual(
            set(printed), {command for command in pages if "--json" in pages[command]})
        for command, document in printed.items():
            declared = pages[command].partition("\nJSON:\n")[2]
            members = re.findall(r"^  \* (\S+):", declared, re.MULTILINE)
            for item in document if isinstance(document, list) else [document]:
                self.assertEqual(sorted(item), sorted(members), command)

    def test_files_are_for_their_owner_only(self):
        sandbox = self.sandbox()
        for path in pathlib.Path(sandbox.directory).iterdir():
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)
        os.chmod(sandbox.directory, 0o755)
        refused = run("start", "--port=0", directory=sandbox.directory, check=False)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("chmod 700", refused.stderr)
        os.chmod(sandbox.directory, 0o700)
        foreign = self.home() if os.getuid() == 0 else "/root"
        if foreign != "/root":
            os.chown(foreign, 1, 1)
        refused = run("start", "--port=0", directory=foreign, check=False)
        self.assertIn("others may enter it", refused.stderr)

    def test_a_second_start_says_that_one_is_running(self):
        sandbox = self.sandbox()
        for mode in (["--background"], []):
            again = run("start", "--port=0", *mode, directory=sandbox.directory, check=False)
            self.assertEqual(again.returncode, 14)
            self.assertIn("running already", again.stderr)
        self.assertTrue(sandbox.status()["running"])

    def test_a_port_in_use_is_a_clear_error(self):
        first, directory = self.sandbox(), tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, directory)
        refused = run(
            "start", "--background", f"--port={first.port}", directory=directory, check=False)
        self.assertEqual(refused.returncode, 6)
        self.assertIn(f"port {first.port}: another program has it", refused.stderr)
        self.assertIn("hint: sdkctl-sandbox start --background --dir=", refused.stderr)
        self.assertIn(" --port 0\n", refused.stderr)

    def test_a_killed_sandbox_is_recovered_with_its_pins(self):
        sandbox = self.sandbox()
        pins, pid = sandbox.facts["pins"], sandbox.status()["pid"]
        descriptor = os.open(os.path.join(sandbox.directory, "lock"), os.O_RDONLY)
        os.kill(pid, signal.SIGKILL)
        fcntl.flock(descriptor, fcntl.LOCK_SH)  # waits for the end of the process
        os.close(descriptor)
        self.assertTrue(os.path.exists(os.path.join(sandbox.directory, "pid")))
        refused = run("reset", directory=sandbox.directory, check=False)
        self.assertEqual(refused.returncode, 6)
        self.assertIn("not running", refused.stderr)
        again = run(
            "start", "--background", f"--port={sandbox.port}", "--no-profile", "--json",
            directory=sandbox.directory)
        self.assertEqual(json.loads(again.stdout)["pins"], pins)
        self.assertIn("without cleaning up", run("log", directory=sandbox.directory).stdout)

    def test_stop_kills_a_sandbox_that_does_not_end(self):
        sandbox = self.sandbox()
        os.kill(sandbox.status()["pid"], signal.SIGSTOP)
        self.assertIn("stopped", run("stop", directory=sandbox.directory).stdout)

    def test_stop_ends_no_process_if_the_sandbox_has_not_written_which(self):
        directory = self.home()
        pathlib.Path(directory, "pid").write_text("0")
        with open(os.path.join(directory, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # In a session of its own: kill(0) ends a whole process group.
            done = subprocess.run([PROGRAM, "stop", f"--dir={directory}"], timeout=30,
                                  capture_output=True, start_new_session=True)
        self.assertEqual(done.returncode, 14)

    def test_a_pid_file_of_another_process_harms_nobody(self):
        directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, directory)
        other = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        self.addCleanup(other.communicate)
        with open(os.path.join(directory, "pid"), "w") as file:
            file.write(f"{other.pid}\n")
        self.assertIn("not running", run("stop", directory=directory).stdout)
        self.assertIsNone(other.poll())

    def test_reset_forgets_clients_and_counters(self):
        sandbox = self.sandbox()
        client = Client(sandbox)
        token = client.login()["access_token"]
        sandbox.fault("500", "--times", "0")
        sandbox.reset()
        status = sandbox.status()
        self.assertEqual((status["clients"], status["faults"]), (0, []))
        self.assertEqual(status["counts"]["endpoints"], {})
        self.assertEqual(client.resource("/devices", token).status, 401)

    def test_reset_makes_new_signing_keys_but_for_rsa(self):
        sandbox = self.sandbox()
        client = Client(sandbox)
        keys = lambda: {key["kty"]: key["kid"] for key in client.http.get("/jwks").json["keys"]}
        before = keys()
        run("rotate", directory=sandbox.directory)
        rotated = client.http.get("/jwks").json["keys"]
        sandbox.reset()
        after = keys()
        self.assertEqual(len(client.http.get("/jwks").json["keys"]), 2, "a retired key stays")
        self.assertIn(after["RSA"], [key["kid"] for key in rotated])
        self.assertNotEqual(after["RSA"], before["RSA"])
        self.assertNotIn(after["EC"], [key["kid"] for key in rotated])

    def test_the_log_has_no_secret(self):
        sandbox = self.sandbox()
        client = Client(sandbox)
        tokens = client.login()
        client.resource("/devices?access_token=visible", tokens["access_token"])
        log = run("log", directory=sandbox.directory).stdout
        self.assertRegex(log, r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ POST /token 200 \d+ms")
        for secret in (tokens["access_token"], "visible", "wonderland", client.secret):
            self.assertNotIn(secret, log)

    def test_in_the_foreground_it_serves_until_a_signal(self):
        for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, -signal.SIGINT)):
            directory = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, directory)
            process = subprocess.Popen(
                [PROGRAM, "start", "--port=0", "--no-profile", f"--dir={directory}"],
                stdout=subprocess.PIPE, text=True)
            for line in process.stdout:
                if "until ^C" in line:
                    break
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, code)
            self.assertFalse(os.path.exists(os.path.join(directory, "pid")))

    def test_stop_ends_a_sandbox_in_the_middle_of_an_answer(self):
        sandbox = self.sandbox()
        http = HTTP(sandbox)
        raw = http.context.wrap_socket(
            socket.create_connection(("127.0.0.1", sandbox.port)), server_hostname="localhost")
        self.addCleanup(raw.close)
        raw.sendall(b"GET /resources/bytes/68719476736 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertTrue(raw.recv(1024).startswith(b"HTTP/1.1 200"))
        run("stop", directory=sandbox.directory)
        self.assertFalse(
            json.loads(run("status", "--json", directory=sandbox.directory, check=False).stdout)[
                "running"])

    def test_a_deep_directory_works_too(self):
        home = os.path.join(self.home(), *["deep" * 8] * 4)
        env = {**os.environ, "SDKCTL_HOME": home}
        run("start", "--background", "--port=0", "--no-profile", env=env)
        try:
            status = json.loads(run("status", "--json", env=env).stdout)
            self.assertEqual(status["directory"], home + "/state/sandbox")
        finally:
            run("stop", env=env)


class Profile(unittest.TestCase):
    """The profile is written by sdkctl; here a stand-in notes how it is called."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="sandbox-home-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.calls = os.path.join(self.home, "calls")
        self.stand_in = os.path.join(self.home, "sdkctl")
        self.env = {**os.environ, "SDKCTL_HOME": self.home, "SDKCTL_EXECUTABLE": self.stand_in}
        self.addCleanup(run, "stop", env=self.env)

    def start(self, script):
        with open(self.stand_in, "w") as file:
            file.write(f'#!/bin/sh\necho "$*" >> {self.calls}\n{script}\n')
        os.chmod(self.stand_in, 0o755)
        done = run("start", "--background", "--port=0", env=self.env)
        issuer = re.search(r"https://localhost:\d+", done.stdout)[0]
        with open(self.calls) as file:
            return done.stdout, issuer, file.read().splitlines()

    def test_a_new_profile(self):
        text, issuer, calls = self.start('[ "$2" != show ]')
        ca_file = self.home + "/state/sandbox/ca.pem"
        self.assertEqual(calls[0], "profile show sandbox --json")
        self.assertEqual(
            calls[1], f"profile add sandbox --issuer {issuer} "
            f"--resource-url {issuer}/resources --ca-file {ca_file} "
            "--scope openid profile email read write")
        self.assertEqual(calls[2], "profile set -p sandbox anonymousScope=application-details "
                         "passwordGrant=true")
        for call, role in zip(calls[3:], ("leaf", "intermediate"), strict=True):
            self.assertRegex(
                call, rf"^pin add -p sandbox --host localhost --role {role} --yes "
                r"sha256/[A-Za-z0-9+/]{43}=$")
        self.assertIn("sdkctl -p sandbox register\n", text)

    def test_a_profile_that_is_there_is_changed(self):
        text, issuer, calls = self.start('[ "$2" != remove ]')
        ca_file = self.home + "/state/sandbox/ca.pem"
        self.assertEqual(
            calls[1], f"profile set -p sandbox issuer={issuer} "
            f"resourceURL={issuer}/resources caFile={ca_file}")
        self.assertEqual(calls[2], "pin remove -p sandbox localhost --yes")
        self.assertEqual(calls[3], "profile unset -p sandbox payloadEncryption serverPublicKey")
        self.assertTrue(calls[4].startswith("pin add"))
        self.assertIn("sdkctl -p sandbox register --replace\n", text)

    def test_a_refusal_is_told_and_the_sandbox_serves(self):
        text, _, _ = self.start("echo 'sdkctl: error: no room' >&2; exit 3")
        self.assertIn("could not be written: sdkctl: error: no room", text)

    def test_without_sdkctl_the_commands_are_printed(self):
        env = {**self.env, "SDKCTL_EXECUTABLE": self.home + "/nothing"}
        text = run("start", "--background", "--port=0", env=env).stdout
        self.assertIn("  sdkctl profile add sandbox --issuer https://localhost:", text)
        self.assertIn(" --scope 'openid profile email read write'\n", text)
        self.assertIn("  sdkctl pin add -p sandbox --host localhost --role leaf --yes", text)


VERBS = ("start", "stop", "status", "reset", "log", "fault", "rotate", "certificate", "revoke",
         "fido")


class Usage(unittest.TestCase):
    def test_help_is_printed_wherever_it_is_asked_for(self):
        overview = run("--help").stdout
        self.assertEqual(run("help").stdout, overview)
        for verb in VERBS:
            self.assertIn(f"  {verb} ", overview)
            self.assertIn(f"Usage: sdkctl-sandbox {verb}", run("help", verb).stdout)
            self.assertEqual(run(verb, "--help").stdout, run("help", verb).stdout)

    def test_mistakes_are_usage_errors(self):
        for words, text in (
            ([], "no command"), (["strat"], "did you mean 'start'?"),
            (["start", "--port=70000"], "not a number from 0 to 65535"),
        ):
            done = run(*words, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)
            self.assertRegex(done.stderr, r"(?m)^sdkctl-sandbox: error: ")
            self.assertEqual(done.stdout, "")
