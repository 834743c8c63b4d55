import Arguments
import JSON
import SDKCore

/// `sdkctl profile show` -- show the settings and the state of a profile.
enum ProfileShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Show the settings and the state of a profile",
    description: """
      Prints the settings of a profile, one `KEY=VALUE` per line, as {profile set} takes them. On \
      standard error it prints whether the profile is registered, logged in and pinned. It prints \
      no secrets.
      """,
    examples: [
      ("sdkctl profile show work", "Show a profile"),
      ("sdkctl profile show --json | jq -r .issuer", "Use a setting in a script"),
    ], exitCodes: [3], seeAlso: ["profile set"],
    json: """
      The settings by key, and `state`: an object with `registered`, `clientID`, `certificate` \
      (null or an object with `subject` and `expires`), `user`, `implicit`, `anonymous` (each null \
      or an object with `expires`, `scope` and `refreshable`, and the members of {token} `--json` \
      about its use), `dpopKey` (the thumbprint of the key that tokens are bound to, or null), \
      `pinnedHosts`, `unenforcedHosts` (those of them whose policy is `report`), `authorities` (the file or directory of the trusted authorities, or null for \
      libcurl's own) and `files`.
      """)

  struct Arguments: CommandArguments {
    var name: String?
  }

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.name, "The profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if let named = context.globals.profile, let name = arguments.name, named != name {
      throw Failure.usage("'--profile' and the operand name two profiles")
    }
    let context = context.with(profile: arguments.name)
    let session = try context.session()
    let state = try ProfileState(session)
    if context.globals.json {
      var document = JSON.object(session.profile.members)
      document["name"] = .string(session.profile.name.description)
      document["state"] = state.json
      context.print(document)
      return
    }
    for key in ProfileKey.all {
      if let value = session.profile[key.name] {
        context.print("\(key.name)=\(key.text(of: value))")
      }
    }
    for line in state.lines(at: context.now()) { context.note(line) }
  }
}
