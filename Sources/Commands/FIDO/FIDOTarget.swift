import Arguments
import FIDO
import JSON
import SDKCore

/// A dispatch target, as it is printed.
struct FIDOTargetReport {
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

  /// Prints the target that was added.
  func print(_ context: Context) {
    if context.globals.json { return context.print(json) }
    context.note("added the dispatch target '\(target.name)' of '\(profile)'")
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
