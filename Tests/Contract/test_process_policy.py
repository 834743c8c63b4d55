"""Policies about the process, under the tools that they are about."""

import ctypes.util
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

from Servers.case import Case
from Servers.process import free_port, library
from Servers.sdkctl import BINARY


class ProcessPolicyTests(Case):
    """No server runs at the address: exit 6 shows that the process was accepted."""

    def setUp(self):
        super().setUp()
        self.ok("profile", "add", "test", "--issuer", "https://id.invalid", "--resource-url",
                "https://api.invalid")
        self.ok("profile", "set", "insecureLoopback=true",
                f"resourceURL=http://127.0.0.1:{free_port()}")
        self.directory = self.home.directory / "lib"
        self.directory.mkdir()

    def fetch(self, *prefix, **environment):
        return subprocess.run(
            [*prefix, BINARY, "fetch", "--unauth", "/x"], capture_output=True, text=True,
            env=self.home.environment | environment, stdin=subprocess.DEVNULL, timeout=120)

    def refused(self, done, reason):
        self.assertEqual(done.returncode, 10, done)
        self.assertIn(f"could not send the request: {reason}", done.stdout + done.stderr)

    def test_without_a_policy_a_traced_process_sends_requests(self):
        self.assertEqual(self.fetch("strace", "-f", "-o", "/dev/null").returncode, 6)

    def test_without_proc_the_arguments_are_those_of_the_process(self):
        hidden = ["unshare", "--mount", "--map-root-user", "sh", "-c",
                  'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
            self.skipTest("this user cannot hide /proc")
        done = subprocess.run([*hidden, BINARY, "profile", "list", "--json"], text=True,
                              capture_output=True, env=self.home.environment, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([profile["name"] for profile in json.loads(done.stdout)], ["test"])

    def test_a_process_that_nobody_looks_into_sends_requests(self):
        self.ok("profile", "set", "debugDetection=true")
        self.assertEqual(self.fetch().returncode, 6)

    def test_strace_is_refused(self):
        self.ok("profile", "set", "debugDetection=true")
        done = self.fetch("strace", "-f", "-o", "/dev/null")
        self.refused(done, "the process ")
        self.assertIn("traces this one (debugDetection)", done.stderr)

    def test_gdb_is_refused(self):
        self.ok("profile", "set", "debugDetection=true")
        done = self.fetch("gdb", "-nx", "-batch", "-return-child-result", "-ex", "run", "--args")
        self.refused(done, "the process ")

    def test_a_debugger_that_attaches_later_stops_the_requests_from_then_on(self):
        self.ok("profile", "set", "debugDetection=true")
        process = self.home.start("fetch", "--unauth", "--batch", "-", stdin=subprocess.PIPE)
        self.addCleanup(process.kill)

        def outcome():
            process.stdin.write(b'{"path":"/x"}\n')
            process.stdin.flush()
            return json.loads(process.stdout.readline())["exit"]

        self.assertEqual(outcome(), 6)
        tracer = subprocess.Popen(["strace", "-f", "-p", str(process.pid), "-o", "/dev/null"],
                                  stderr=subprocess.PIPE)
        self.addCleanup(tracer.wait)
        self.addCleanup(tracer.terminate)
        self.assertIn(b"attached", tracer.stderr.readline())
        self.assertEqual(outcome(), 10)
        tracer.terminate()
        tracer.wait()
        tracer.stderr.close()
        self.assertEqual(outcome(), 6)
        process.communicate()

    def test_a_preloaded_or_audited_library_is_refused(self):
        self.ok("profile", "set", "debugDetection=true")
        library = ctypes.util.find_library("m")
        for variable in ("LD_PRELOAD", "LD_AUDIT"):
            with self.subTest(variable):
                done = self.fetch(**{variable: library})
                self.refused(done, f"LD_PRELOAD or LD_AUDIT loads '{library}'")

    def test_a_foreign_library_is_refused_with_tampering_protection(self):
        foreign = shutil.copy(library("libm.so.6"), self.directory / "foreign.so")
        # A debug build has Swift's own libraries in the compiler's directory.
        self.ok("profile", "set", "tamperingProtection=true", "libraryDirectories=/opt/swift")
        self.assertEqual(self.fetch().returncode, 6)
        done = self.fetch(LD_PRELOAD=str(foreign))
        self.assertEqual(done.returncode, 10, done)

    def test_a_foreign_library_that_would_send_the_request_is_refused(self):
        """libcurl and its TLS library are loaded when they are needed, by the same path."""
        self.ok("profile", "set", "tamperingProtection=true", "libraryDirectories=/opt/swift")
        for name in ("libcurl.so.4", "libssl.so.3", "libcrypto.so.3", "libnghttp2.so.14"):
            with self.subTest(name):
                shutil.copy(library(name), self.directory)
                done = self.fetch(LD_LIBRARY_PATH=str(self.directory))
                self.refused(done, f"the library '{self.directory}/{name}' is not from a system")
                (self.directory / name).unlink()
        done = self.fetch(LD_LIBRARY_PATH=str(self.directory))
        self.refused(done, f"LD_LIBRARY_PATH has '{self.directory}', which is not a system directory")

    def test_a_library_that_cannot_be_used_is_named(self):
        own = self.home.environment.get("LD_LIBRARY_PATH", "")
        environment = {"LD_LIBRARY_PATH": f"{self.directory}:{own}".rstrip(":")}
        for name, *words in (("libcrypto.so.3", "token", "jwk", "--generate", "ES256", "--output", "k"),
                             ("libcurl.so.4", "fetch", "--unauth", "/x"),
                             ("libmicrohttpd.so.12", "proxy")):
            for content, reason in ((b"no library at all" * 10, f"{name}: "),
                                    (library("libm.so.6").read_bytes(), f"{name} has no function ")):
                with self.subTest(name, reason=reason):
                    (self.directory / name).write_bytes(content)
                    self.ok("profile", "list", environment=environment)
                    for option in ([], ["--json"]):
                        result = self.fails(1, *option, *words, environment=environment)
                        self.assertIn(reason, result.err)
                    (self.directory / name).unlink()

    def test_a_libcurl_with_a_libcrypto_of_its_own_is_refused(self):
        names = ("libcrypto.so.3", "libcrypto.so.9")
        for name in ("libcurl.so.4", "libssl.so.3", names[0]):
            content = library(name).read_bytes().replace(*map(str.encode, names))
            (self.directory / name.replace(*names)).write_bytes(content)
        done = self.fetch(LD_LIBRARY_PATH=str(self.directory))
        self.assertIn("libcurl uses another libcrypto than libcrypto.so.3", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_a_module_of_the_tls_library_is_refused(self):
        self.ok("profile", "set", "tamperingProtection=true", "libraryDirectories=/opt/swift")
        module = self.home.directory / "evil.so"
        shutil.copy(next(Path("/usr/lib").glob("*/ossl-modules/legacy.so")), module)
        configuration = self.home.directory / "openssl.cnf"
        configuration.write_text(
            "openssl_conf = a\n[a]\nproviders = b\n[b]\nevil = c\n[c]\n"
            f"module = {module}\nactivate = 1\n")
        done = self.fetch(OPENSSL_CONF=str(configuration))
        self.refused(done, f"the library '{module}' is not from a system directory")

    def test_a_crash_leaves_no_core(self):
        """A batch waits with a token in memory; the shell's limit allows a core of any size."""
        self.ok("profile", "set", "resourceURL=https://api.invalid")
        self.ok("profile", "unset", "insecureLoopback")
        self.home.directory.joinpath("cores").mkdir()
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGQUIT):
            with self.subTest(number.name):
                process = subprocess.Popen(
                    ["sh", "-c", 'ulimit -c unlimited; exec "$0" "$@"', BINARY, "fetch",
                     "--batch", "-"],
                    cwd=self.home.directory / "cores", stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                    env=self.home.environment | {"SDKCTL_TOKEN": "t0p-s3cret"})
                self.addCleanup(process.kill)
                # Its answer to a line that is no request shows that it runs and reads.
                process.stdin.write(b"[]\n")
                process.stdin.flush()
                self.assertIn(b"invalid_request", process.stdout.readline())
                limits = Path(f"/proc/{process.pid}/limits").read_text()
                self.assertRegex(limits, r"Max core file size +0 ")
                process.send_signal(number)
                _, status = os.waitpid(process.pid, 0)
                process.returncode = -os.WTERMSIG(status)
                self.assertEqual(os.WTERMSIG(status), number)
                self.assertFalse(os.WCOREDUMP(status))
                process.stdin.close()
                process.stdout.close()
        self.assertEqual(list((self.home.directory / "cores").iterdir()), [])

    def test_root_is_refused_where_the_profile_says_so(self):
        self.ok("profile", "set", "rootDetection=true")
        self.assertEqual(self.fetch().returncode, 10 if os.geteuid() == 0 else 6)
