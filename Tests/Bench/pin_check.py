#!/usr/bin/env python3
"""Compares `sdkctl pin check` of a thousand hosts with `curl -Z` making the same handshakes.

usage: Tests/Bench/pin_check.py [SDKCTL]

One nginx on a loopback port has all the names. Both programs use fifty connections at a time, 256
descriptors at most, and one CA file. Prints medians of five alternating runs (wall and processor
time), peak memory, and whether the budget is met.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True
import measuring  # noqa: E402
from Servers.authority import Authority  # noqa: E402
from Servers.nginx import Nginx  # noqa: E402

HOSTS, PARALLEL, DESCRIPTORS, RUNS = 1000, 50, 256, 5
BUDGET = 1.2


def main():
    binary = measuring.binary()
    with tempfile.TemporaryDirectory(prefix="sdkctl-bench.") as name:
        directory = Path(name)
        authority = Authority(directory / "ca")
        authority.leaf("many", "DNS:*.many.localhost")
        server = Nginx(directory, "main").configure(
            NGINX, connections=512, CHAIN=authority.chain("many"), KEY=authority.key("many"))
        server.start()
        try:
            compare(binary, directory, authority, server.ports["main"])
        finally:
            server.stop()


NGINX = """
ssl_certificate @CHAIN@; ssl_certificate_key @KEY@;
server { listen 127.0.0.1:@MAIN@ ssl backlog=512; return 204; }
"""


def compare(binary, directory, authority, port):
    environment = {"PATH": os.environ["PATH"], "SDKCTL_HOME": str(directory / "store")}
    url = f"https://h.many.localhost:{port}"
    subprocess.run([binary, "profile", "add", "bench", "--issuer", url, "--resource-url", url,
                    "--ca-file", authority.root], env=environment, check=True)
    names = [f"h{number}.many.localhost:{port}" for number in range(HOSTS)]
    pin = authority.pin("many")
    hosts = directory / "hosts.txt"
    hosts.write_text("".join(f"{name} {pin}\n" for name in names))
    urls = directory / "curl.conf"
    urls.write_text("".join(f'url = "https://{name}/"\n' for name in names))
    commands = {
        "curl -Z": ["curl", "-sS", "--no-progress-meter", "-Z", "--parallel-max", str(PARALLEL),
                    "--parallel-immediate", "-I", "-o", "/dev/null", "--cacert", authority.root,
                    "--pinnedpubkey", measuring.curl_pin(authority, "many"), "-K", urls],
        "pin check": [binary, "-p", "bench", "pin", "check", "-", "--within", "1d", "--parallel",
                      str(PARALLEL)]}
    runs = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            runs[name].append(measure(command, hosts, environment))

    def median(name, column):
        return statistics.median(run[column] for run in runs[name])

    for name in commands:
        peak = max(run[2] for run in runs[name]) / 1024
        print(f"{name:10} {HOSTS} hosts {median(name, 0):6.2f} s  "
              f"processor {median(name, 1):6.2f} s  peak {peak:6.1f} MiB")
    for column, what in enumerate(("wall", "processor")):
        ratio = median("pin check", column) / median("curl -Z", column)
        print(f"pin check / curl -Z, {what} {ratio:5.2f}  budget {BUDGET:4.2f}  "
              f"{measuring.verdict(ratio <= BUDGET)}")


def measure(command, hosts, environment):
    """Wall time, processor time and peak memory in KiB of a command with few descriptors."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    with open(hosts) as source, tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdin=source, stdout=output,
                                   env=environment, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{command[0]} ended with {process.returncode}")
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


if __name__ == "__main__":
    main()
