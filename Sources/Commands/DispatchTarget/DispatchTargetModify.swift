import Arguments
import Primitives
import SDKCore

/// `sdkctl dispatch-target modify` -- change a dispatch target.
enum DispatchTargetModify: Command {
  static let page = CommandInfo(
    name: "modify", summary: "Change a dispatch target",
    description: """
      Changes the name, the address or the dispatcher of a target that was created here: \
      `sdkctl dispatch-target modify ID --name desk`. The change is signed with the key of the target \
      (JWS, RFC 7515) and has an identifier and the time, so that the server accepts it once. No \
      login is needed.
      """,
    examples: [("sdkctl dispatch-target modify ID --name desk", "Change the name")],
    exitCodes: [3, 4, 5, 6, 7, 8, 14], seeAlso: ["dispatch-target list"],
    json: "The object of {dispatch-target create}.", needs: .network)

  struct Arguments: CommandArguments {
    var id = ""
    var settings = DispatchTargetSettings()
  }

  static let options: [Option<Arguments>] = [
    .value("name", nil, "NAME", \.settings.name, "Give the target this name"),
    .target(\.settings.target), .dispatcher(\.settings.dispatcher),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("ID", \.id, "The identifier of the target")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let id = arguments.id
    guard arguments.settings != DispatchTargetSettings() else {
      throw Failure.usage(
        "could not change the dispatch target: nothing to change is given",
        hints: [ShellWord.sdkctl("dispatch-target", "modify", id, "--name", "NAME")])
    }
    let session = try context.session()
    let target = try await session.dispatchTargets.modify(id, arguments.settings)
    DispatchTargetReport(target: target, profile: session.profile.name).print("changed", context)
  }
}
