"""The program under test: started once for the whole run, on a port and in a directory of its own."""

import atexit
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SDKCTL_SANDBOX", str(ROOT / ".build/debug/sdkctl-sandbox"))


def run(*words, directory=None, env=None, check=True, input=None):
    """Runs the program and returns what it did."""
    command = [PROGRAM, *words]
    if directory:
        command.append(f"--dir={directory}")
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=30, env=env, input=input)
    if check and done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}: {done.stderr}")
    return done


def folder(test):
    """A folder for one test."""
    path = tempfile.mkdtemp(prefix="sandbox-test-")
    test.addCleanup(shutil.rmtree, path, ignore_errors=True)
    return path


class Sandbox:
    """A sandbox in the background."""

    def __init__(self, *options, port=0):
        self.directory = tempfile.mkdtemp(prefix="sandbox-")
        os.chmod(self.directory, 0o700)
        started = run(
            "start", "--background", f"--port={port}", "--no-profile", "--json", *options,
            directory=self.directory)
        self.facts = json.loads(started.stdout)
        self.issuer = self.facts["issuer"]
        self.port = self.facts["port"]
        self.mtls_port = self.facts["mtlsPort"]
        self.ca_file = self.facts["caFile"]
        atexit.register(self.stop)

    def stop(self):
        if os.path.isdir(self.directory):
            run("stop", directory=self.directory, check=False)
            shutil.rmtree(self.directory, ignore_errors=True)

    def status(self):
        return json.loads(run("status", "--json", directory=self.directory).stdout)

    def certificate(self, name, *options, file=None):
        """A certificate of this name, with its key: the files and what is known of them."""
        start = os.path.join(self.directory, f"test-{file or name}")
        files = [start + ".pem", start + "-key.pem"]
        done = run(
            "certificate", name, f"--out={files[0]}", f"--key-out={files[1]}", "--json", *options,
            directory=self.directory)
        return json.loads(done.stdout)

    def fault(self, *words):
        run("fault", *words, directory=self.directory)

    def fido(self, *words):
        run("fido", *words, directory=self.directory)

    def reset(self):
        run("reset", directory=self.directory)


_shared = None


def shared():
    """The sandbox that most tests use; quick device polls, all else as by default."""
    global _shared
    if _shared is None:
        _shared = Sandbox("--device-interval=1")
    return _shared
