import Arguments
import FIDO
import SDKCore

/// `sdkctl dispatch-target create` -- create a dispatch target for this installation.
enum DispatchTargetCreate: Command {
  static let page = CommandInfo(
    name: "create", summary: "Create a dispatch target for this installation",
    description: """
      Makes two key pairs, and registers them with NAME at the FIDO server: \
      `sdkctl dispatch-target create laptop`. The keys stay here, and the identifier is printed.

      The server requires a login with a key: run {login fido} before. NAME must be unique among \
      the targets of the user. The address of `--target` is the identifier of this installation if you \
      give none.
      """,
    examples: [
      ("sdkctl dispatch-target create laptop", "Create a target for this installation"),
      (
        "sdkctl dispatch-target create laptop --dispatcher link",
        "Create one that gets links"
      ),
    ],
    seeAlso: ["dispatch-target list", "dispatch-target delete", "login fido"],
    json: DispatchTargetReport.schema, needs: .session)

  struct Arguments: CommandArguments {
    var settings = DispatchTargetSettings(name: "")
    var account: String?
  }

  static let options: [Option<Arguments>] = [
    .target(\.settings.target), .dispatcher(\.settings.dispatcher), .account(\.account),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.settings.name, "The name of the target")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let target = try await session.dispatchTargets.create(
      arguments.settings, for: arguments.account)
    DispatchTargetReport(target: target, profile: session.profile.name).print("created", context)
  }
}
