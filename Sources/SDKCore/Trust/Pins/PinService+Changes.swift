public import Pinning

extension PinService {
  /// Writes several changes at once, or none of them.
  ///
  /// - Throws: ``SDKError``: `store` if the pins cannot be read or written, or were changed since
  ///   the differences were found.
  public func apply(_ differences: [PinDifference]) async throws(SDKError) {
    try await apply(differences, before: { () throws(SDKError) in })
  }

  /// Writes several changes at once; `before` runs first, under the lock of the pins.
  func apply(
    _ differences: [PinDifference], before: @Sendable () throws(SDKError) -> Void
  ) async throws(SDKError) {
    let file = PinStore(environment.location, profile.name)
    try await environment.locked(.pins) { () throws(SDKError) in
      let pins = try file.load()
      for difference in differences where difference != PinDifference(of: pins, to: difference.new)
      {
        throw SDKError(
          .store,
          "could not update the pins of \(difference.old.host): they were changed meanwhile")
      }
      try before()
      if !differences.isEmpty {
        try file.save(differences.reduce(into: pins) { $0.add($1.new) })
      }
    }
  }

  /// What the sets of a document change of the pins of the profile.
  public func differences(
    to sets: [PinSet], replaces: Bool, origin: PinOrigin
  ) -> [PinDifference] {
    pins.differences(to: sets, replaces: replaces, origin: origin, at: environment.now())
  }
}
