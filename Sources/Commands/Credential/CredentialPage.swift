import Arguments

/// The group of the credential helpers.
let credentialPage = CommandInfo(
  name: "credential", group: .access, summary: "Give tokens to git, docker, kubectl or aws",
  description: """
    Credential helpers: another program runs the command when it needs a credential, and gets a \
    valid access token in its own protocol. Each of them prints the configuration that \
    the program needs: `sdkctl credential git install`.

    A token is handed out only for a server that the profile allows: that of `resourceURL` and \
    those of `allowedHosts`. Questions go to the terminal, never to standard error; with \
    SDKCTL_PROMPT=never there are none.
    """,
  examples: [
    ("sdkctl credential git install | sh", "Make git use tokens of the profile"),
    ("sdkctl credential kubectl install", "Show what kubectl needs"),
  ],
  seeAlso: ["token", "exec"])
