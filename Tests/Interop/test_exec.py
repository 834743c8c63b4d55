"""`exec` with real processes: the command stands in the place of sdkctl."""

import os
import signal
import subprocess

from Servers.case import Case


class ExecTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()

    def start(self, *command, **keywords) -> subprocess.Popen:
        process = self.home.start("exec", "--", *command, **keywords)
        self.addCleanup(process.kill)
        return process

    def test_the_exit_status_is_that_of_the_command(self):
        for status in (0, 1, 7, 255):
            self.assertEqual(self.home.run("exec", "--", "sh", "-c", f"exit {status}").exit, status)

    def test_a_command_that_cannot_run_gives_the_status_that_env_gives(self):
        script = self.home.directory / "script"
        script.write_text("#!/no/interpreter\n")
        script.chmod(0o755)
        plain = self.home.directory / "plain"
        plain.write_text("text")
        for command in ("no-such-command", self.home.directory / "none", plain, script, "/"):
            wanted = subprocess.run(["env", command], capture_output=True).returncode
            self.assertIn(wanted, (126, 127))
            self.fails(wanted, "exec", "--", command)

    def test_a_script_without_an_interpreter_line_is_run_by_the_shell(self):
        script = self.home.directory / "-script"
        script.write_text('echo "$0|$1|$2"; exit 5\n')
        script.chmod(0o755)
        result = self.home.run("exec", "--", script, "a b", "--json")
        self.assertEqual((result.exit, result.text), (5, f"{script}|a b|--json\n"), result)

    def test_a_command_that_ends_by_a_signal_ends_exec_by_that_signal(self):
        for name in ("TERM", "KILL", "PIPE"):
            result = self.home.run("exec", "--", "sh", "-c", f"kill -{name} $$")
            self.assertEqual(result.exit, -getattr(signal, "SIG" + name), result)

    def test_a_signal_reaches_the_command(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
            program = ("import signal, sys, time\n"
                       f"signal.signal({int(number)}, lambda *_: sys.exit(9))\n"
                       "print('ready', flush=True)\n"
                       "while True: time.sleep(0.05)")
            process = self.start("/usr/bin/python3", "-c", program, stdout=subprocess.PIPE)
            self.assertEqual(process.stdout.readline(), b"ready\n")
            process.send_signal(number)
            self.assertEqual(process.wait(20), 9)

    def test_the_command_gets_the_input_and_nothing_of_the_process_but_the_environment(self):
        """Signals, descriptors, limits and the mask of new files are as they are without exec."""
        script = ("cat; umask; ulimit -c; grep -E '^Sig(Ign|Blk)' /proc/self/status; "
                  "ls /proc/self/fd | wc -l")
        os.umask(0o027)
        self.addCleanup(os.umask, 0o022)
        plain = subprocess.run(["sh", "-c", script], input=b"in\n", capture_output=True)
        process = self.start("sh", "-c", script, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        out, errors = process.communicate(b"in\n", 20)
        self.assertEqual(errors, b"")
        self.assertEqual(out.decode(), plain.stdout.decode())

    def test_the_token_is_refreshed_before_the_command_starts(self):
        old = self.ok("token").text.strip()
        self.home.expire()
        new = self.ok("exec", "--", "printenv", "SDKCTL_ACCESS_TOKEN").text.strip()
        self.assertNotEqual(new, old)
        self.assertTrue(self.stand.provider.introspect(new)["active"])
        self.assertEqual(self.ok("token").text.strip(), new)

    def test_without_a_login_nothing_runs(self):
        self.ok("logout", "--local")
        result = self.fails(4, "exec", "--", "sh", "-c", "echo ran")
        self.assertEqual(result.out, b"")
