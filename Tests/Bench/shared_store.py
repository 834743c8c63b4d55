#!/usr/bin/env python3
"""Measures what a login costs that machines share, in a cluster of etcd, against one in files.

usage: Tests/Bench/shared_store.py [SDKCTL]

Three nodes and the sandbox run on this machine. A valid token (`token`) and a refresh (`token --fresh`) are
measured in turns, with files and with etcd; the times are medians. Then BENCH_STORES (10) machines with
BENCH_PROCESSES (10) processes each find the token expired: how often it is refreshed, and how many requests
the cluster gets. BENCH_RUNS (20) changes the number of runs. Exit status 1 if a valid token costs a request, or
the token is refreshed more than once. $SDKCTL_SANDBOX names the sandbox, by default the one that is built here.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True
import measuring  # noqa: E402

os.environ["SDKCTL"] = str(measuring.binary())
from Servers.etcd import Cluster  # noqa: E402
from Servers.sandbox import Sandbox, SandboxHome  # noqa: E402

RUNS = int(os.environ.get("BENCH_RUNS", "20"))
STORES = int(os.environ.get("BENCH_STORES", "10"))
PROCESSES = int(os.environ.get("BENCH_PROCESSES", "10"))
WARM = ("token",)
REFRESH = ("token", "--fresh")


def main():
    sandbox, cluster, homes = Sandbox.shared(), Cluster.shared(), []
    try:
        files, shared = (logged_in(sandbox, homes) for _ in range(2))
        share(shared, cluster, "team/costs")
        is_free = costs(cluster, files, shared)
        first = logged_in(sandbox, homes)
        first.expire()
        options = share(first, cluster, "team/crowd")
        machines = [first]
        for _ in range(STORES - 1):
            homes.append(SandboxHome())
            ok(homes[-1], "profile", "add", "work", "--store", cluster.place("team/crowd"),
               "--allow-weaker", "--allow", "caFile", *options)
            machines.append(homes[-1])
        is_one = crowd(sandbox, cluster, machines)
    finally:
        for home in homes:
            home.remove()
    sys.exit(0 if is_free and is_one else 1)


def logged_in(sandbox, homes) -> SandboxHome:
    home = SandboxHome()
    homes.append(home)
    shutil.copytree(sandbox.home.store / "config", home.store / "config")
    home.store.chmod(0o700)
    ok(home, "profile", "set", "passwordGrant=true")
    ok(home, "register")
    ok(home, "login", "password", "alice", "--password-file", "-", input="wonderland\n")
    return home


def share(home, cluster, prefix) -> list:
    """Moves the login to the cluster; returns the options with which another machine finds it."""
    key = home.directory / "work.key"
    ok(home, "profile", "store", "key", "export", "--new", "--output", key)
    ok(home, "pin", "add", "--host", "127.0.0.1", cluster.authority.pin("node"), "--yes")
    options = ["--store-key-file", key, "--store-ca-file", cluster.ca_file, "--store-certificate-file",
               cluster.certificate()]
    ok(home, "profile", "store", "move", cluster.place(prefix), *options)
    return options


def ok(home, *words, **keywords):
    result = home.run(*map(str, words), **keywords)
    if result.exit != 0:
        sys.exit(str(result))
    return result


def costs(cluster, files, shared) -> bool:
    times, requests = {}, {}
    for words in (WARM, REFRESH):
        for name, home in (("files", files), ("etcd", shared)):
            ok(home, *words)
        for _ in range(RUNS):
            for name, home in (("files", files), ("etcd", shared)):
                seen = cluster.requests()
                began = time.monotonic()
                ok(home, *words)
                times.setdefault((words, name), []).append(time.monotonic() - began)
                requests.setdefault((words, name), []).append(cluster.requests() - seen)
    for words in (WARM, REFRESH):
        of_files, of_etcd = (statistics.median(times[words, name]) for name in ("files", "etcd"))
        print(f"{' '.join(words):20} files {1000 * of_files:7.1f} ms   etcd {1000 * of_etcd:7.1f} ms   ratio "
              f"{of_etcd / of_files:5.2f}   requests to etcd {statistics.median(requests[words, 'etcd']):g}")
    is_free = sum(requests[WARM, "etcd"]) == 0
    print(f"a valid token asks no cluster: {measuring.verdict(is_free)}")
    return is_free


def crowd(sandbox, cluster, machines) -> bool:
    # The refresh is late, so that all come while it runs.
    sandbox.fault("latency", "--on", "token")
    grants, requests, began = sandbox.grants("refresh_token"), cluster.requests(), time.monotonic()
    processes = [home.start(*WARM, stdin=subprocess.DEVNULL) for _ in range(PROCESSES) for home in machines]
    successes = sum(process.wait() == 0 for process in processes)
    seconds = time.monotonic() - began
    for process in processes:
        process.communicate()
    grants, requests = sandbox.grants("refresh_token") - grants, cluster.requests() - requests
    count = len(processes)
    is_one = grants == 1 and successes == count
    print(f"{count} processes of {len(machines)} machines: {successes} successes, {grants} refreshes, {requests} requests "
          f"to etcd ({requests / count:.2f} a process) in {seconds:.1f} s: {measuring.verdict(is_one)}")
    return is_one


if __name__ == "__main__":
    main()
