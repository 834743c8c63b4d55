"""HAR 1.2 as a JSON schema, and what its text requires beyond the types of members.

No member is allowed that the format does not have, so that a wrong name is noticed too.
"""

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
# -1 stands for what is not known, or for a phase that did not take place.
COUNT_OR_NONE = {"type": "integer", "minimum": -1}
TIME = {"type": "number", "minimum": 0}
TIME_OR_NONE = {"anyOf": [TIME, {"const": -1}]}
DATE = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
URL = {"type": "string", "pattern": r"^https?://[^#]+$"}


def members(required: dict, optional=()) -> dict:
    """An object with these members, all of which may have a comment."""
    return {"type": "object", "required": list(required), "additionalProperties": False,
            "properties": {**required, **dict(optional), "comment": TEXT}}


def items(member: dict) -> dict:
    return {"type": "array", "items": member}


PAIR = members({"name": TEXT, "value": TEXT})
COOKIE = members({"name": TEXT, "value": TEXT},
                 {"path": TEXT, "domain": TEXT, "expires": DATE, "httpOnly": {"type": "boolean"},
                  "secure": {"type": "boolean"}})
PARAMETER = members({"name": TEXT}, {"value": TEXT, "fileName": TEXT, "contentType": TEXT})
# The text and the parameters exclude each other.
POST_DATA = members({"mimeType": TEXT}, {"text": TEXT, "params": items(PARAMETER)}) | {
    "oneOf": [{"required": ["text"]}, {"required": ["params"]}]}
REQUEST = members(
    {"method": {"type": "string", "pattern": "^[A-Z]+$"}, "url": URL, "httpVersion": TEXT,
     "cookies": items(COOKIE), "headers": items(PAIR), "queryString": items(PAIR),
     "headersSize": COUNT_OR_NONE, "bodySize": COUNT_OR_NONE}, {"postData": POST_DATA})
CONTENT = members({"size": COUNT, "mimeType": TEXT},
                  {"compression": {"type": "integer"}, "text": TEXT, "encoding": {"const": "base64"}})
RESPONSE = members(
    {"status": {"type": "integer", "minimum": 0, "maximum": 599}, "statusText": TEXT, "httpVersion": TEXT,
     "cookies": items(COOKIE), "headers": items(PAIR), "content": CONTENT, "redirectURL": TEXT,
     "headersSize": COUNT_OR_NONE, "bodySize": COUNT_OR_NONE})
CACHED = members({"lastAccess": DATE, "eTag": TEXT, "hitCount": COUNT}, {"expires": DATE})
CACHE = members({}, {"beforeRequest": {"anyOf": [CACHED, {"type": "null"}]},
                     "afterRequest": {"anyOf": [CACHED, {"type": "null"}]}})
TIMINGS = members({"send": TIME, "wait": TIME, "receive": TIME},
                  {"blocked": TIME_OR_NONE, "dns": TIME_OR_NONE, "connect": TIME_OR_NONE, "ssl": TIME_OR_NONE})
ENTRY = members(
    {"startedDateTime": DATE, "time": TIME, "request": REQUEST, "response": RESPONSE, "cache": CACHE,
     "timings": TIMINGS},
    {"pageref": TEXT, "serverIPAddress": TEXT, "connection": TEXT})
PROGRAM = members({"name": TEXT, "version": TEXT})
LOG = members({"version": {"const": "1.2"}, "creator": PROGRAM, "entries": items(ENTRY)}, {"browser": PROGRAM})

SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["log"],
          "additionalProperties": False, "properties": {"log": LOG}}


def contradictions(archive: dict) -> list:
    """What a schema cannot say: times that do not add up."""
    found = []
    for number, entry in enumerate(archive["log"]["entries"]):
        phases = {name: time for name, time in entry["timings"].items() if name != "comment"}
        # The time of the handshake is part of that to connect.
        whole = sum(time for name, time in phases.items() if time >= 0 and name != "ssl")
        if whole != entry["time"]:
            found.append(f"entry {number} took {entry['time']}, but its phases {whole}")
        if phases.get("ssl", -1) > phases.get("connect", -1):
            found.append(f"entry {number}: the handshake took longer than to connect")
    return found
