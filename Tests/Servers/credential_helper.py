#!/usr/bin/env python3
"""A credential helper in docker's protocol, which keeps everything in one file and can misbehave.

The file `faults` beside it holds one word: `fail-VERB`, `slow-VERB` (0.4 seconds), `hang-VERB`,
`forget` (stores nothing), `silent` (answers with no secret); and a file `calls` gets each verb.
"""

import fcntl
import json
import sys
import time
from pathlib import Path

HERE = Path(sys.argv[0]).resolve().parent


def main(verb):
    fault = (HERE / "faults").read_text().strip() if (HERE / "faults").exists() else ""
    with open(HERE / "calls", "a") as calls:
        calls.write(verb + "\n")
    if fault == f"fail-{verb}":
        print("the keyring is locked")
        return 1
    if fault == f"slow-{verb}":
        time.sleep(0.4)
    if fault == f"hang-{verb}":
        time.sleep(600)
    text = sys.stdin.read()
    with open(HERE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = HERE / "kept.json"
        entries = json.loads(kept.read_text()) if kept.exists() else {}
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
        new = HERE / "new.json"
        new.write_text(json.dumps(entries))
        new.rename(kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
