"""The command surface as the tests know it."""

COMMANDS = [
    "user list", "user use", "user remove",
    "profile add", "profile list", "profile show", "profile use", "profile set", "profile unset",
    "profile copy", "profile remove", "profile metadata", "status", "pin add", "pin list", "pin show", "pin remove",
    "pin hash", "pin check", "pin lint", "pin plan", "pin update", "pin backup", "pin history", "register", "register show", "register update",
    "account create", "account reset-password", "login", "login password", "login form", "fido login", "fido register",
    "fido deregister", "fido passcode", "profile passcode", "profile import", "profile export",
    "profile seal", "profile unseal", "profile store show", "profile store move", "fido metadata", "fido target list",
    "fido target add", "fido target remove",
    "login assertion", "login exchange", "login token", "login respond", "login install-handler", "token", "token decode", "token sign", "fetch", "credential mcp",
    "logout", "deregister",
    "config list", "config get", "config set", "config unset", "completion", "doctor", "help", "version",
]

PATHS = [command.split() for command in COMMANDS]

# Every exit code that is documented, short of those for signals.
EXITS = set(range(15))
