/// A hash that was taken for a pin, although it is that of the whole certificate: its fingerprint.
public struct PinMistake: Sendable, Hashable {
  /// The hash.
  public let given: Pin
  /// The subject of the certificate.
  public let subject: String
  /// The pin of the certificate's key.
  public let right: Pin

  /// The mistake in words; the subject is safe to show.
  public var text: String {
    "\(given) is not a pin: it is the SHA-256 of the whole certificate \(subject); the pin is \(right)"
  }
}

extension ChainKey {
  /// The pins among these that are the fingerprint of this key's certificate.
  public func mistakes(among pins: [Pin]) -> [PinMistake] {
    pins.filter { $0.sha256 == fingerprint }.map {
      PinMistake(given: $0, subject: subject, right: pin)
    }
  }
}
