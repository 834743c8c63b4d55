#!/usr/bin/env python3
"""A credential helper in docker's protocol, which keeps everything in one file and can misbehave.

The file `faults` beside it holds one word: `fail-VERB`, `slow-VERB` (0.4 seconds), `hang-VERB`,
`forget` (stores nothing), `silent` (answers with no secret); and a file `calls` gets each verb.
"""

import fcntl
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.realpath(sys.argv[0]))


def read(name):
    """What a file here has; nothing if it is not there."""
    try:
        with open(f"{HERE}/{name}") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def main(verb):
    fault = read("faults").strip()
    with open(f"{HERE}/calls", "a") as calls:
        calls.write(verb + "\n")
    if fault == f"fail-{verb}":
        print("the keyring is locked")
        return 1
    if fault == f"slow-{verb}":
        time.sleep(0.4)
    if fault == f"hang-{verb}":
        time.sleep(600)
    text = sys.stdin.read()
    with open(f"{HERE}/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        entries = json.loads(read("kept.json") or "{}")
        if verb == "get":
            if text.strip() not in entries:
                print("credentials not found in native keychain")
                return 1
            entry = entries[text.strip()]
            print(json.dumps({"ServerURL": entry["ServerURL"]} if fault == "silent" else entry))
        elif verb == "store":
            entry = json.loads(text)
            if fault != "forget":
                entries[entry["ServerURL"]] = entry
        elif verb == "erase":
            if text.strip() not in entries:
                print("credentials not found in native keychain")
                return 1
            del entries[text.strip()]
        with open(f"{HERE}/new.json", "w") as new:
            json.dump(entries, new)
        os.rename(f"{HERE}/new.json", f"{HERE}/kept.json")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
