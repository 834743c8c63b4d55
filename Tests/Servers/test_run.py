"""Tests/run itself: signals that its caller ignores, and tests that hang."""

import contextlib
import importlib.machinery
import importlib.util
import io
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

from Servers.process import free_port

RUN = Path(__file__).resolve().parents[1] / "run"


def loaded():
    loader = importlib.machinery.SourceFileLoader("tests_run", str(RUN))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("tests_run", loader))
    loader.exec_module(module)
    return module


class RunTests(unittest.TestCase):
    def test_signals_that_the_caller_ignores_or_blocks_are_reset(self):
        """As under `nohup`; the child of a child must end by SIGHUP and SIGINT again."""
        script = (f"import sys; sys.path.insert(0, {str(RUN.parent)!r}); import subprocess\n"
                  "from Servers.signals import reset_signals; reset_signals()\n"
                  "for name in ('HUP', 'INT', 'QUIT', 'TERM', 'USR1'):\n"
                  "    print(subprocess.run(['sh', '-c', f'kill -{name} $$; exit 0']).returncode)")
        numbers = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1]

        def spoil():
            for number in numbers:
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, numbers)

        done = subprocess.run([sys.executable, "-B", "-c", script], preexec_fn=spoil,
                              capture_output=True, text=True, timeout=30)
        self.assertEqual(done.stdout.split(), [str(-number) for number in numbers], done.stderr)

    def test_a_test_that_hangs_fails_and_the_next_one_runs(self):
        class Hanging(unittest.TestCase):
            def test_1_hangs(self):
                subprocess.run(["sleep", "60"], timeout=60)

            def test_2_runs(self):
                pass

        run = loaded()
        kept = signal.getitimer(signal.ITIMER_REAL)[0], signal.getsignal(signal.SIGALRM)
        began = time.monotonic()
        try:
            class Quick(run.LimitedResult):
                limit = 0.2

            result = unittest.TextTestRunner(stream=io.StringIO(), resultclass=Quick).run(
                unittest.defaultTestLoader.loadTestsFromTestCase(Hanging))
        finally:  # the alarm of this very test
            signal.signal(signal.SIGALRM, kept[1])
            signal.setitimer(signal.ITIMER_REAL, kept[0])
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(result.testsRun, 2)
        [(test, trace)] = result.errors
        self.assertIn("test_1_hangs", test.id())
        self.assertIn("no end within 0.2 s", trace)

    def test_a_run_of_swift_tests_that_hangs_is_ended_with_its_children(self):
        run = loaded()
        kept, sys.stdout = sys.stdout, io.StringIO()
        began = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                run.ARTEFACTS = run.REPOSITORY = Path(folder)
                counts = run.swift_tests(
                    "hanging", run.Progress(), ["sh", "-c", "sleep 60 & wait"], 0.2)
            shown = sys.stdout.getvalue()
        finally:
            sys.stdout = kept
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(counts, (0, 1, 0))
        self.assertIn("1 FAILED", shown)
        self.assertIn("exit status -2", shown)

    def test_a_run_of_swift_tests_ends_with_its_process_whatever_keeps_its_output(self):
        count = "✔ Test run with 1 tests in 1 suites passed after 0.1 seconds."
        for orphan in ("sleep 30", "yes"):
            with self.subTest(orphan):
                began = time.monotonic()
                counts, _ = self.shown(lambda run: run.swift_tests("swift", run.Progress(), [
                    "sh", "-c", f"timeout 30 {orphan} & echo '{count}'"]))
                self.assertLess(time.monotonic() - began, 20)
                self.assertEqual(counts, (1, 0, 0))

    def swift(self, *lines, status=0):
        """The counts of a run that prints these lines, and what is shown of it."""
        return self.shown(lambda run: run.swift_tests("swift", run.Progress(), [
            "sh", "-c", 'printf "%s\\n" "$@"; exit ' + str(status), "sh", *lines]))

    def shown(self, act):
        run, screen = loaded(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(screen):
            run.ARTEFACTS = run.REPOSITORY = Path(folder)
            counts = act(run)
        return tuple(counts), screen.getvalue()

    def test_a_run_of_swift_tests_that_counts_none_is_a_failure(self):
        for lines in ([], ["hi"], ["✔ Test run with 0 tests in 0 suites passed after 0.001 seconds."]):
            with self.subTest(lines):
                counts, shown = self.swift(*lines)
                self.assertEqual(counts, (0, 1, 0))
                self.assertIn("without a line that counts its tests", shown)

    def test_skipped_swift_tests_are_counted_and_named(self):
        counts, shown = self.swift(
            "➜ Suite ForeignTokenTests skipped: \"needs jose\"",
            "➜ Test \"a token is valid\" skipped: \"needs jose\"", "➜ Test other() skipped",
            "◇ Test \"what is skipped\" started.",
            "✔ Test \"what is skipped\" passed after 0.1 seconds.",
            "✔ Test run with 3 tests in 2 suites passed after 0.1 seconds.")
        self.assertEqual(counts, (1, 0, 2))
        self.assertIn('  skipped: "a token is valid": needs jose\n  skipped: other()\n', shown)

    def test_a_failed_swift_test_is_counted_once(self):
        counts, shown = self.swift(
            "✘ Test a() recorded an issue at A.swift:1:2: Expectation failed: skipped",
            "✘ Test a() failed after 0.1 seconds with 1 issue.",
            "✔ Test b() passed after 0.1 seconds.",
            "✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 1 issue.", status=1)
        self.assertEqual(counts, (1, 1, 0))
        self.assertIn("Expectation failed: skipped", shown)

    def test_a_python_suite_without_a_test_is_a_failure_unless_a_pattern_chose_them(self):
        for pattern, expected in ((None, (0, 1, 0)), ("no_such_test_anywhere", (0, 0, 0))):
            with self.subTest(pattern), tempfile.TemporaryDirectory() as folder:
                counts, shown = self.python(Path(folder), pattern)
                self.assertEqual(counts, expected)
                self.assertEqual("no test was found" in shown, pattern is None)

    def test_each_suite_draws_its_ports_from_a_range_of_its_own(self):
        run, taken = loaded(), set()
        for suite in run.SUITES:
            first, last = map(int, run.PORTS[suite].split("-"))
            ports = set(range(first, last + 1))
            self.assertGreater(len(ports), 1000)
            self.assertTrue(15000 <= first and last < 32000 and not ports & taken, suite)
            taken |= ports
        with unittest.mock.patch.dict("os.environ", SDKCTL_TEST_PORTS="15100-15109"):
            self.assertIn(free_port(), range(15100, 15110))

    def test_each_test_is_in_one_part_of_its_suite(self):
        run = loaded()
        cases = [type(f"Case{size}", (unittest.TestCase,), {
            "__module__": f"module{size}", **{f"test_{number}": lambda self: None for number in range(size)}})
            for size in (9, 5, 4, 2)]
        tests = unittest.TestSuite(map(unittest.defaultTestLoader.loadTestsFromTestCase, cases))
        parts = [run.part_of(tests, run.Suite(None, None, part, 2)) for part in range(2)]
        self.assertEqual([part.countTestCases() for part in parts], [11, 9])
        self.assertEqual(sorted(test.id() for part in parts for test in part),
                         sorted(test.id() for test in run.flattened(tests)))

    def python(self, folder, pattern):
        """Runs a suite in a copy of the tests that has an empty folder for it."""
        (folder / "Tests/Mutate").mkdir(parents=True)
        (folder / "Tests/Mutate/__init__.py").touch()
        (folder / "Tests/Servers").mkdir()
        shutil.copy(RUN.parent / "Servers/signals.py", folder / "Tests/Servers")
        copy = shutil.copy(RUN, folder / "Tests/run")

        def act(run):
            run.__file__ = str(copy)
            return run.python_suite("Mutate", pattern, run.Progress())

        return self.shown(act)


if __name__ == "__main__":
    unittest.main()
