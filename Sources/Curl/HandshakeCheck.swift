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
  /// Whether the server asked for a client certificate.
  private(set) var isIdentityRequested = false
  private(set) var leaf: [UInt8]?
  private var served: [[UInt8]] = []
  private var validated: [[UInt8]] = []

  init(host: String, rule: Rule) {
    self.host = host
    self.rule = rule
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
    return ccurl_tls_guard(context, box, verifyChain, identityRequested, contextFreed) == 1
  }

  fileprivate func noteIdentityRequest() { isIdentityRequested = true }

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
    let last = keys.count - 1
    let chain = keys.enumerated().compactMap { (position, certificate) -> ChainKey? in
      guard let certificate else { return nil }
      let role: PinRole = position == 0 ? .leaf : position == last ? .root : .intermediate
      return ChainKey(
        subject: certificate.subject, pin: Pin(spki: certificate.spki), role: role)
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

private func identityRequested(_ box: UnsafeMutableRawPointer?) {
  guard let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue().noteIdentityRequest()
}

private func contextFreed(_ box: UnsafeMutableRawPointer?) {
  guard let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).release()
}
