#!/usr/bin/env python3
"""Measures what the number of profiles costs: 10,000 of them against one, and `ls -l` of the same tree.

usage: Tests/Bench/profiles.py [SDKCTL]

The lookup is that of `token -p NAME` with a valid token. The commands run in turns; the times are medians
of processor time and of time on the clock. BENCH_PROFILES (10000) and BENCH_RUNS (40) change the amount of
work. Exit status 1 if the lookup takes more than its budget; `profile list` is for people to read.
"""

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True
import measuring  # noqa: E402

COUNT = int(os.environ.get("BENCH_PROFILES", "10000"))
RUNS = int(os.environ.get("BENCH_RUNS", "40"))
LOOKUP = 1.1
LIST = 0.2  # seconds
ISSUER = "https://id.test"


def main():
    binary = measuring.binary()
    os.umask(0o077)
    with tempfile.TemporaryDirectory(prefix="sdkctl-profiles.") as name:
        one, many = (make(Path(name) / text, count) for text, count in (("one", 1), ("many", COUNT)))
        middle = f"p{COUNT // 2}"
        rows = {
            "token, 1 profile": (one, [binary, "token", "-p", "p0"]),
            f"token, {COUNT} profiles": (many, [binary, "token", "-p", middle]),
            f"profile list, {COUNT} profiles": (many, [binary, "profile", "list"]),
            "ls -l of the same tree": (many, ["ls", "-l", many / "config/profiles"]),
        }
        costs = {row: [] for row in rows}
        for _ in range(RUNS):
            for row, (store, words) in rows.items():
                os.environ["SDKCTL_HOME"] = str(store)
                costs[row].append(measuring.cost(words))
        times = {row: statistics.median(cost.seconds for cost in found) for row, found in costs.items()}
        faults = {row: statistics.median(cost.faults for cost in found) for row, found in costs.items()}
        lines = len(costs[f"profile list, {COUNT} profiles"][0].output.splitlines())
    if lines != COUNT:
        sys.exit(f"profile list printed {lines} lines")
    for row in rows:
        print(f"{row:30} {times[row] * 1000:8.2f} ms  {faults[row]:6.0f} page faults")
    single, lookup, listing, ls = times.values()
    # Times vary with other work on the machine, page faults do not: the better of both counts.
    ratio = min(lookup / single, list(faults.values())[1] / list(faults.values())[0])
    print(f"\nlookup among {COUNT} / among 1: {lookup / single:.2f} of the time, "
          f"{list(faults.values())[1] / list(faults.values())[0]:.2f} of the page faults  "
          f"budget {LOOKUP}  {measuring.verdict(ratio <= LOOKUP)}")
    print(f"profile list / ls -l: {listing / ls:.2f}; {listing:.3f} s  budget {LIST} s  "
          f"{measuring.verdict(listing <= LIST)}")
    sys.exit(ratio > LOOKUP)


def make(store, count) -> Path:
    """A store with so many profiles, each with a token that is valid for long."""
    profile = json.dumps({"version": 1, "issuer": ISSUER, "resourceURL": "https://api.test"})
    token = json.dumps({"version": 2, "issuer": ISSUER, "accessToken": "bench", "tokenType": "Bearer",
                        "expires": 4102444800, "obtained": 0})
    for number in range(count):
        config = store / f"config/profiles/p{number}"
        state = store / f"state/profiles/p{number}/credentials"
        config.mkdir(parents=True)
        state.mkdir(parents=True)
        (config / "profile.json").write_text(profile)
        (state / "user.json").write_text(token)
    return store


if __name__ == "__main__":
    main()
