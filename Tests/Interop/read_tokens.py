"""Reads tokens of a file with joserfc, then with jwcrypto; prints how many each of them could read.

Each row has `alg`, `enc` (of an encrypted token), `key`, `token` and `content`. A token that cannot be
read, or that has another content, ends the program.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True
from Servers.virtual_environment import VirtualEnvironment  # noqa: E402


def by_joserfc(row) -> bytes:
    from joserfc import jwe, jwk, jws
    key = jwk.import_key(row["key"])
    if "enc" in row:
        return jwe.decrypt_compact(row["token"], key, algorithms=[row["alg"], row["enc"]]).plaintext
    return jws.deserialize_compact(row["token"], key, algorithms=[row["alg"]]).payload


def by_jwcrypto(row) -> bytes:
    from jwcrypto import jwe, jwk, jws
    key = jwk.JWK(**row["key"])
    if "enc" in row:
        token = jwe.JWE(algs=[row["alg"], row["enc"]])
    else:
        token = jws.JWS()
        token.allowed_algs = [row["alg"]]
    token.deserialize(row["token"], key)
    return token.payload


def main():
    rows = json.loads(Path(sys.argv[1]).read_text())
    VirtualEnvironment("joserfc").use()
    for name, read in (("joserfc", by_joserfc), ("jwcrypto", by_jwcrypto)):
        for row in rows:
            what = f"{name} {row['alg']} {row.get('enc', '')}"
            try:
                content = read(row)
            except Exception as error:
                sys.exit(f"{what}: {type(error).__name__}: {error}")
            if content != row["content"].encode():
                sys.exit(f"{what}: another content")
        print(name, len(rows))


if __name__ == "__main__":
    main()
