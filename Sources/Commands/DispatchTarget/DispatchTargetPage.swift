import Arguments
import FIDO
import JSON
import SDKCore

/// The group of the dispatch targets.
let dispatchTargetPage = CommandInfo(
  name: "dispatch-target", group: .access, summary: "Manage the devices that get FIDO operations",
  description: """
    A dispatch target is where a FIDO server, such as nevisFIDO, sends the token of an operation \
    that begins elsewhere. See {fido}.
    """,
  examples: [
    ("sdkctl dispatch-target create laptop", "Create a target for this installation"),
    ("sdkctl dispatch-target list", "List the targets of the user"),
  ],
  seeAlso: ["fido", "login fido"])

/// A dispatch target, as it is printed.
struct DispatchTargetReport {
  let target: DispatchTarget
  let profile: ProfileName

  static let schema = """
    An object with `profile`, `id`, `externalID`, `name`, `target`, `dispatcher`, `deviceID` (each \
    null if the server does not say it) and `hasKeys` (whether its keys are here).
    """

  var json: JSON {
    func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    return [
      "profile": .string(profile.description), "id": .string(target.id),
      "externalID": text(target.externalID), "name": .string(target.name),
      "target": text(target.target), "dispatcher": text(target.dispatcher),
      "deviceID": text(target.deviceID), "hasKeys": .bool(target.hasKeys),
    ]
  }

  /// Prints the target, or notes what was done with it.
  func print(_ verb: String, _ context: Context) {
    if context.globals.json { return context.print(json) }
    context.note("\(verb) the dispatch target '\(target.name)' of '\(profile)'")
    context.print(target.id)
  }
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
