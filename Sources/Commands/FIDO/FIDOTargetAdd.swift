import Arguments
import FIDO
import JSON
import SDKCore

enum FIDOTargetAdd: Command {
  static let page = CommandInfo(
    name: "target add", summary: "Add a dispatch target for this installation",
    description: """
      Makes two key pairs, and registers them with NAME at the FIDO server: \
      `sdkctl fido target add laptop`. The keys stay here, and the identifier is printed.

      The server requires a login with a key: run {fido login} before. NAME must be unique among \
      the targets of the user. The address of `--target` is the identifier of this installation if you \
      give none.
      """,
    examples: [
      ("sdkctl fido target add laptop", "Add a target for this installation"),
      (
        "sdkctl fido target add laptop --dispatcher link",
        "Add one that gets links"
      ),
    ],
    seeAlso: ["fido target list", "fido target remove", "fido login"],
    output: FIDOTargetReport.rows.document, needs: .session)

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
    let target = try await session.dispatchTargets.add(
      arguments.settings, for: arguments.account)
    let name = session.profile.name
    context.report(
      FIDOTargetReport(target: target, profile: name), FIDOTargetReport.rows,
      "added the dispatch target '\(target.name)' of '\(name)'")
    if !context.globals.json { context.print(target.id) }
  }
}

/// A dispatch target, as it is printed.
struct FIDOTargetReport {
  let target: DispatchTarget
  let profile: ProfileName

  static let rows = Rows<FIDOTargetReport>(
    .member("profile", "the profile") { $0.profile.description },
    .column("id", "ID", "the identifier") { $0.target.id },
    .column("name", "NAME", "the name") { $0.target.name },
    .column("dispatcher", "DISPATCHER", "the dispatcher of the server") { $0.target.dispatcher },
    .member("target", "the address for the dispatcher") { $0.target.target },
    .member("externalID", "its identifier at the dispatcher") { $0.target.externalID },
    .member("deviceID", "the device") { $0.target.deviceID },
    .column("here", "KEYS", "whether its keys are here") { $0.target.hasKeys })
}

extension Option {
  /// `--target`.
  static func target(_ path: any Path<String?>) -> Self {
    .value("target", "ADDRESS", path, "Send tokens to this address of the dispatcher")
  }

  /// `--dispatcher`.
  static func dispatcher(_ path: any Path<String?>) -> Self {
    .value("dispatcher", "NAME", path, "Send tokens by this dispatcher of the server")
  }

  /// `--account`.
  static func account(_ path: any Path<String?>) -> Self {
    .value("account", "NAME", path, "The user at the server; fido.user without it")
  }
}
