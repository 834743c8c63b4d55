import Arguments

/// The group of the users of a profile.
let userPage = CommandInfo(
  name: "user", group: .setup, summary: "Manage the users of a profile",
  description: """
    A profile can have several users, each with tokens, cookies, DPoP key and passcode of their own. \
    `login --user-id ID` adds one; `--user-id` or SDKCTL_USER_ID names the user of one command.
    """,
  examples: [("sdkctl user list", "List the users")],
  seeAlso: ["login", "logout", "profiles"])
