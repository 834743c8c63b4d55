"""The command surface as the tests know it: every command with arguments that it accepts."""

# path → operands that make the command line complete
COMMANDS = {
    "profile add": ["other", "--issuer", "https://localhost:1/i", "--resource-url",
                    "https://localhost:1"],
    "profile list": [], "profile show": [], "profile use": ["test"],
    "profile set": ["scope=openid"], "profile unset": ["scope"],
    "profile rename": ["test", "other"], "profile remove": ["test"],
    "pin add": ["sha256/" + "A" * 43 + "=", "--host", "localhost"],
    "pin list": [], "pin show": ["localhost"], "pin remove": ["localhost"], "pin check": [],
    "register": [], "login": [], "token": [], "token decode": [], "fetch": ["/public"],
    "logout": [], "completion": ["bash"], "help": [], "version": [],
}

PATHS = [path.split() for path in COMMANDS]

# What the store needs for each of these is nothing: they fail, or succeed, on an empty one.
EXITS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
