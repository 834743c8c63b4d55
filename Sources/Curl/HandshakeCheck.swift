import CCurl
import OpenSSL
import Pinning

/// TLS checks of one transfer, and their results.
///
/// libcrypto checks the chain first; then the pins are compared with the path
/// that it validated, never with what the server sent. Used on the loop's thread
/// until the transfer has ended.
// Sendable: nothing writes after the end of the transfer.
final class HandshakeCheck: @unchecked Sendable {
  enum Rule {
    /// The chain only: the policy is to report, and there is no pin to report on.
    case chain
    /// A pinned key in the validated path; with a report, a mismatch does not end the handshake.
    case pins(PinSet, report: (@Sendable (PinMismatch) -> Void)?)
    /// The chain, which is kept to be shown.
    case probe
  }

  private let host: String
  private let rule: Rule
  /// Why libcrypto refused the chain.
  private(set) var fault: String?
  /// Whether the chain leads to no trusted authority.
  private(set) var isUntrusted = false
  /// The keys that did not match.
  private(set) var mismatch: PinMismatch?
  /// What the server told when it asked for a client certificate; `nil` if it did not.
  private(set) var identityRequest: IdentityRequest?
  /// The last alert of the server (RFC 8446 section 6), except the end of the connection.
  private(set) var alert: UInt8?
  private(set) var leaf: [UInt8]?
  private var served: [[UInt8]] = []
  private var validated: [[UInt8]] = []

  private let stopsForIdentity: Bool

  /// Makes the checks of a transfer.
  ///
  /// - Parameters:
  ///   - host: the host that the transfer is with.
  ///   - rule: what the chain must fulfil.
  ///   - stopsForIdentity: whether the handshake ends if the server asks for a client
  ///     certificate and there is none.
  init(host: String, rule: Rule, stopsForIdentity: Bool = false) {
    self.host = host
    self.rule = rule
    self.stopsForIdentity = stopsForIdentity
  }

  /// What a probe saw; `nil` when there was no certificate.
  func chain(verificationError: String?) -> ServedChain? {
    guard !served.isEmpty else { return nil }
    return ServedChain(
      served: served.compactMap { try? Certificate(der: $0) },
      validated: verificationError == nil ? validated.compactMap { try? Certificate(der: $0) } : [],
      verificationError: verificationError)
  }

  /// Installs this check in a TLS context.
  func guardContext(_ context: UnsafeMutableRawPointer) -> Bool {
    // The context outlives the transfer when its connection is kept, so it owns the check.
    let box = Unmanaged.passRetained(self).toOpaque()
    return ccurl_tls_guard(
      context, box, verifyChain, identityRequested, alertReceived, contextFreed) == 1
  }

  /// Notes that the server asked; returns whether the handshake goes on.
  fileprivate func noteIdentityRequest(_ connection: TLSConnection) -> Bool {
    // A proxy gets no identity, and what it asks for is not about the host.
    guard connection.isPeer(host) else { return true }
    let stops = stopsForIdentity && !connection.hasCertificate
    identityRequest = IdentityRequest(issuers: connection.issuers, endedHandshake: stops)
    return !stops
  }

  fileprivate func noteAlert(_ alert: UInt8, _ connection: TLSConnection) {
    guard alert != 0, connection.isPeer(host) else { return }
    self.alert = alert
  }

  fileprivate func verify(_ handshake: Handshake) -> Bool {
    fault = nil
    mismatch = nil
    let isValid = handshake.verifiesChain()
    guard handshake.isPeer(host) else { return isValid }
    leaf = handshake.certificates(CCURL_SERVED, limit: 1).first
    if case .probe = rule { served = handshake.certificates(CCURL_SERVED) }
    guard isValid else {
      fault = handshake.fault
      isUntrusted = handshake.isUntrusted
      return false
    }
    switch rule {
    case .chain: return true
    case .probe: validated = handshake.certificates(CCURL_VALIDATED)
    case .pins(let set, let report):
      guard let mismatch = self.mismatch(with: set, handshake) else { return true }
      guard let report else {
        self.mismatch = mismatch
        handshake.refuse()
        return false
      }
      report(mismatch)
    }
    return true
  }

  private func mismatch(with set: PinSet, _ handshake: Handshake) -> PinMismatch? {
    let keys = handshake.certificates(CCURL_VALIDATED).map { try? Certificate(der: $0) }
    let chain = keys.enumerated().compactMap { (position, certificate) -> ChainKey? in
      guard let certificate else { return nil }
      return ChainKey(
        subject: certificate.subject, pin: Pin(spki: certificate.spki),
        role: PinRole(position: position, of: keys.count))
    }
    guard case .failure(let mismatch) = set.evaluate(chain: chain, host: host) else { return nil }
    return mismatch
  }
}

private func verifyChain(
  _ handshake: UnsafeMutableRawPointer?, _ box: UnsafeMutableRawPointer?
) -> Int32 {
  guard let handshake, let box else { return 0 }
  let check = Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue()
  return check.verify(Handshake(raw: handshake)) ? 1 : 0
}

private func identityRequested(
  _ connection: UnsafeMutableRawPointer?, _ box: UnsafeMutableRawPointer?
) -> Int32 {
  guard let connection, let box else { return 0 }
  let check = Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue()
  return check.noteIdentityRequest(TLSConnection(raw: connection)) ? 1 : 0
}

private func alertReceived(
  _ connection: UnsafeMutableRawPointer?, _ alert: Int32, _ box: UnsafeMutableRawPointer?
) {
  guard let connection, let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue()
    .noteAlert(UInt8(truncatingIfNeeded: alert), TLSConnection(raw: connection))
}

private func contextFreed(_ box: UnsafeMutableRawPointer?) {
  guard let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).release()
}
