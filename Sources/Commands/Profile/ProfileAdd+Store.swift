import AppConfigurations
import JSON
import Pinning
import SDKCore
import SharedStore

extension ProfileAdd {
  /// Adds a profile that another machine has moved to a shared store.
  static func join(
    _ address: SharedAddress, _ arguments: Arguments, _ context: Context
  ) async throws {
    let settings = [
      arguments.preset?.name, arguments.issuer, arguments.resourceURL, arguments.clientID,
      arguments.scope, arguments.caFile,
    ]
    guard settings.allSatisfy({ $0 == nil }), !arguments.insecureLoopback, !arguments.pin else {
      throw Failure.usage("a profile of a shared store has its settings there")
    }
    guard let key = try arguments.store.key(context) else {
      throw Failure.usage("--store-key-file is missing")
    }
    let name = try ProfileName(arguments.name)
    let store = try context.store()
    let shared = try await store.profile(
      at: address, as: name, by: try arguments.store.connection(), key: key)
    let changes = SettingChanges(
      try Profile(name: name, settings: .ofProgram).changes(to: shared.profile))
    let pins = PinChanges(
      differences: try shared.pinSets().map { PinDifference(of: PinSets(), to: $0) },
      policy: shared.profile.pinPolicy)
    try await changes.agree(
      with: pins, nil, arguments.consent, isAgreed: arguments.yes,
      refuses: arguments.yes || !context.isInteractive, in: context)
    try await store.join(shared)
    context.note("added the profile '\(name)' of '\(address)'")
    let profile = try store.profile(name)
    context.report((profile, Array(profile.members.keys)), Profile.changes)
  }
}
