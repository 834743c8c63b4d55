import Pinning
import Primitives
import SDKCore

extension PinReview {
  /// Pins all servers that the profile needs and that have no pins; asks once.
  ///
  /// Those that only the metadata of the issuer names are warned of if they cannot be reached: what needs them
  /// says so before it begins.
  mutating func pinProfile() async throws {
    func unpinned(_ places: [PinEndpoint]) -> [PinEndpoint] {
      let pins = addition.applied(to: session.pins)
      return places.filter { pins.set(for: $0.host, port: $0.port) == nil }
    }
    let own = unpinned(session.profile.pinEndpoints)
    var failures = ListFailures()
    for error in await show(own) { failures.add(error, of: own.count, in: context) }
    try failures.requireNone(of: own.count, to: "pin", "hosts of the profile")
    let needed = await session.neededEndpoints(trusting: addition.applied(to: session.pins))
    if let error = needed.error { context.warning(error.message) }
    for error in await show(unpinned(needed.endpoints)) {
      context.warning(context.failure(error).message)
    }
    guard !addition.keys.isEmpty else {
      let profile = session.profile
      let isOpen = profile.issuer == nil && profile["resourceURL"] == nil
      guard isOpen, profile.pinEndpoints.isEmpty else {
        return context.note("each host of the profile has pins")
      }
      let command = ShellWord.sdkctl(of: profile.name, "pin", "add")
      return context.note("the profile names no host; name one: `\(command) HOST`")
    }
    try await confirm()
    try await add(mayLackBackup: true)
  }
}
