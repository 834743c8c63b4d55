/// What makes a signed proof good only once: server nonces and the identifiers seen.
struct ProofLedger: Sendable {
  private var nonce = Secret.make()
  private var formerNonce: String?
  private var nonceSince = 0
  private var seen: [String: Int] = [:]

  /// How long a nonce is handed out; it is accepted for twice as long.
  static let nonceLifetime = 120

  /// The nonce to send with the next answer (RFC 9449 section 8).
  mutating func currentNonce(now: Int) -> String {
    if now - nonceSince >= Self.nonceLifetime {
      formerNonce = nonceSince == 0 ? nil : nonce
      nonce = Secret.make()
      nonceSince = now
    }
    return nonce
  }

  mutating func accepts(nonce text: String, now: Int) -> Bool {
    let current = currentNonce(now: now)
    return text == current || text == formerNonce
  }

  /// Notes an identifier; false when it was noted before and is not forgotten yet.
  mutating func isFirst(_ identifier: String, until expiry: Int, now: Int) -> Bool {
    if seen.count > 10_000 { seen = seen.filter { $0.value > now } }
    guard seen[identifier].map({ $0 <= now }) ?? true else { return false }
    seen[identifier] = expiry
    return true
  }
}
