public import Primitives

/// A key that an endpoint has shown in a validated chain, and when.
public struct PinObservation: Sendable, Hashable {
  /// Where the key was seen.
  public let endpoint: PinEndpoint
  /// The pin of the key.
  public let pin: Pin
  /// Its place in the chain.
  public let role: PinRole
  /// The subject of its certificate when it was last seen.
  public let subject: String
  /// The end of that certificate.
  public let certificateExpires: Timestamp
  /// When it was first seen.
  public let first: Timestamp
  /// When it was last seen.
  public let last: Timestamp

  package init(
    endpoint: PinEndpoint, pin: Pin, role: PinRole, subject: String, certificateExpires: Timestamp,
    first: Timestamp, last: Timestamp
  ) {
    (self.endpoint, self.pin, self.role, self.subject) = (endpoint, pin, role, subject)
    (self.certificateExpires, self.first, self.last) = (certificateExpires, first, last)
  }
}

extension PinnedKey {
  /// When the last known certificate of the key ends, until which a server can return to it.
  ///
  /// - Parameter observations: what the servers of its set have shown.
  /// - Returns: the end of the last certificate that was seen, else of that with which it was pinned; `nil` if none
  ///   is known.
  public func certificateEnd(in observations: [PinObservation]) -> Timestamp? {
    observations.filter { $0.pin == pin }.map(\.certificateExpires).max() ?? notAfter
  }
}

extension PinObservation {
  /// What an endpoint has shown, after another chain of it.
  package static func merging(
    _ old: [PinObservation], with chain: PresentedChain, of endpoint: PinEndpoint,
    at now: Timestamp
  ) -> [PinObservation] {
    let fresh = zip(chain.validated, chain.keys).map { certificate, key in
      PinObservation(
        endpoint: endpoint, pin: key.pin, role: key.role, subject: key.subject,
        certificateExpires: certificate.notAfter,
        first: old.first { $0.pin == key.pin }?.first ?? now, last: now)
    }
    let pins = Set(fresh.map(\.pin))
    return fresh + old.filter { !pins.contains($0.pin) }.sorted { $0.last > $1.last }
  }
}
