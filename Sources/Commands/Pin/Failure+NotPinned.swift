import Pinning
import SDKCore

extension Failure {
  /// A pattern that has no pins, or does not have this one; the hint lists the pins.
  static func notPinned(
    _ pattern: PinPattern, _ profile: ProfileName, _ pin: Pin? = nil
  ) -> Failure {
    let wanted = pin.map { "the pin \($0) of \(pattern)" } ?? "pins for \(pattern)"
    return Failure(
      .pin, "not_pinned", "could not find \(wanted)", hints: ["sdkctl -p \(profile) pin list"])
  }
}

extension ProfileSession {
  /// The set of exactly that pattern, which is to be changed; that of a wider one must be named.
  func set(of pattern: PinPattern) throws -> PinSet {
    guard let set = pins[pattern] else {
      var failure = Failure.notPinned(pattern, profile.name)
      let wide = pins.meant(pattern)
      if wide != pattern { failure.details = ["only '\(wide)' has pins"] }
      throw failure
    }
    return set
  }
}
