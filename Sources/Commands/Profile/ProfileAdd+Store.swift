import JSON
import SDKCore

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
    guard let key = try await arguments.store.key() else {
      throw Failure.usage("--store-key-file is missing")
    }
    let name = try ProfileName(arguments.name)
    let store = try context.store()
    try await store.join(name, address, by: try arguments.store.connection(), key: key)
    context.note("added the profile '\(name)' of '\(address)'")
    if context.globals.json {
      var document = JSON.object(try store.profile(name).members)
      document["name"] = .string(name.description)
      context.print(document)
    }
  }
}
