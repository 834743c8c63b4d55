public import Pinning

extension ProfileSession {
  /// Changes the pins of the profile on disk; two changes at a time follow one another.
  ///
  /// - Throws: ``SDKError`` when the pins cannot be read or written.
  public func changePins(
    _ change: @Sendable (PinSets) -> PinSets
  ) async throws(SDKError) {
    let pins = PinStore(store.location, profile.name)
    try await locked(.pins) { () throws(SDKError) in try pins.save(change(try pins.load())) }
  }
}
