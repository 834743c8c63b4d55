package import Pinning

extension Pin {
  /// A pin that other bytes do not have.
  package init(key bytes: [UInt8]) {
    guard let pin = Pin(sha256: Array((bytes + [UInt8](repeating: 0, count: 32)).prefix(32))) else {
      fatalError("a pin has 32 bytes")
    }
    self = pin
  }
}
