"""`token --watch` and `exec --token-file-as` with real processes, signals and a real provider."""

import os
import signal
import stat
import subprocess
import time

from Servers.case import Case
from Servers.process import wait_until


class TokenFileCase(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.file = self.home.directory / "token"

    def start(self, *arguments, **keywords) -> subprocess.Popen:
        process = self.home.start(*arguments, **keywords)
        self.addCleanup(process.kill)
        return process

    def about_to_expire(self, seconds=4) -> str:
        """Makes the stored token one that is renewed in half of that time, and returns it."""
        old = self.ok("token").text.strip()
        self.home.expire(at=int(time.time()) + seconds)
        return old


class WatchTests(TokenFileCase):
    def test_a_new_token_is_written_before_the_old_one_expires(self):
        old = self.about_to_expire()
        log = self.home.directory / "log"
        process = self.start("token", "-o", self.file, "--watch", "--min-ttl", "0", "--on-change",
                             f'cat "$SDKCTL_TOKEN_FILE" >> {log}; echo >> {log}')
        wait_until(self.file.exists, "the first token")
        self.assertEqual(self.file.read_text(), old)
        new = wait_until(lambda: self.file.read_text() != old and self.file.read_text(),
                         "the new token")
        self.assertTrue(self.stand.provider.introspect(new)["active"])
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        wait_until(lambda: log.read_text() == f"{old}\n{new}\n", "the second command")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), -signal.SIGTERM)
        self.assertEqual(self.file.read_text(), new)
        self.assertEqual([path.name for path in self.home.directory.glob(".unfinished*")], [])

    def test_each_signal_ends_it_and_an_ignored_one_does_not(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.file.unlink(missing_ok=True)
            process = self.start("token", "-o", self.file, "--watch")
            wait_until(self.file.exists, "the file")
            process.send_signal(number)
            self.assertEqual(process.wait(20), -number)
            self.assertEqual(process.stderr.read(), b"")
        self.file.unlink()
        process = self.start("token", "-o", self.file, "--watch",
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_until(self.file.exists, "the file")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), -signal.SIGTERM)

    def test_a_full_disk_keeps_the_old_token_and_ends_once_there_is_space(self):
        folder = self.small_disk("64k")
        file = folder / "token"
        old = self.about_to_expire(12)
        process = self.start("token", "-o", file, "--watch", "--min-ttl", "0")
        wait_until(file.exists, "the first token")
        filler = os.open(folder / "filler", os.O_WRONLY | os.O_CREAT)
        self.addCleanup(os.close, filler)
        with self.assertRaises(OSError):
            while os.write(filler, bytes(4096)):
                pass
        line = process.stderr.readline().decode()
        self.assertRegex(line, "could not write the file .*no space left")
        self.assertEqual(file.read_text(), old)
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["filler", "token"])
        os.ftruncate(filler, 0)
        wait_until(lambda: file.read_text() != old, "the new token")
        process.terminate()
        process.wait(20)

    def test_a_logout_ends_it(self):
        self.about_to_expire()
        process = self.start("token", "-o", self.file, "--watch", "--min-ttl", "0")
        wait_until(self.file.exists, "the file")
        self.ok("logout", "--local")
        self.assertEqual(process.wait(30), 4)


class ExecTests(TokenFileCase):
    def test_the_file_is_private_has_the_token_and_is_gone_at_the_end(self):
        script = 'echo "$F"; cat "$F"; echo; stat -c %a "$F" "$(dirname "$F")"; exit 7'
        result = self.home.run("exec", "--token-file-as", "F", "--", "sh", "-c", script)
        self.assertEqual(result.exit, 7, result)
        path, token, *modes = result.text.splitlines()
        self.assertEqual(token, self.ok("token").text.strip())
        self.assertEqual(modes, ["600", "700"])
        self.assertFalse(os.path.exists(path))
        self.assertFalse(os.path.exists(os.path.dirname(path)))

    def test_the_token_is_renewed_while_the_command_runs(self):
        old = self.about_to_expire()
        script = ('test "$(cat "$F")" = "$1" || exit 3; '
                  'while test "$(cat "$F")" = "$1"; do sleep 0.05; done; cat "$F"')
        result = self.home.run("exec", "--min-ttl", "0", "--token-file-as", "F", "--", "sh", "-c", script,
                               "sh", old)
        self.assertEqual(result.exit, 0, result)
        self.assertTrue(self.stand.provider.introspect(result.text)["active"])

    def test_the_status_and_the_signal_are_those_of_the_command(self):
        for name in ("TERM", "KILL", "PIPE"):
            result = self.home.run("exec", "--token-file-as", "F", "--", "sh", "-c", f"kill -{name} $$")
            self.assertEqual(result.exit, -getattr(signal, "SIG" + name), result)
        self.fails(127, "exec", "--token-file-as", "F", "--", "no-such-command")
        script = self.home.directory / "script"
        script.write_text('echo "$1"; exit 5\n')
        script.chmod(0o755)
        result = self.home.run("exec", "--token-file-as", "F", "--", script, "a b")
        self.assertEqual((result.exit, result.text), (5, "a b\n"), result)

    def test_a_signal_reaches_the_command_which_decides_how_both_end(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            for status in (0, 9):
                program = ("import os, signal, sys, time\n"
                           f"signal.signal({int(number)}, lambda *_: sys.exit({status}))\n"
                           "print(os.environ['F'], flush=True)\n"
                           "while True: time.sleep(0.05)")
                process = self.start("exec", "--token-file-as", "F", "--", "/usr/bin/python3", "-c",
                                     program)
                path = process.stdout.readline().decode().strip()
                self.assertTrue(os.path.exists(path))
                process.send_signal(number)
                self.assertEqual(process.wait(20), status, process.stderr.read())
                self.assertFalse(os.path.exists(path))

    def test_the_command_may_take_its_time_after_a_signal(self):
        program = ("import os, signal, sys, time\n"
                   "signal.signal(signal.SIGTERM, lambda *_: (time.sleep(2.5), sys.exit(4)))\n"
                   "print('ready', flush=True)\n"
                   "while True: time.sleep(0.05)")
        process = self.start("exec", "--token-file-as", "F", "--", "/usr/bin/python3", "-c", program)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.terminate()
        self.assertEqual(process.wait(20), 4)

    def test_without_a_login_nothing_runs(self):
        self.ok("logout", "--local")
        result = self.fails(4, "exec", "--token-file-as", "F", "--", "sh", "-c", "echo ran")
        self.assertEqual(result.out, b"")
