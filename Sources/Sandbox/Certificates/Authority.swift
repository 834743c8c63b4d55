import CGnuTLS

/// The sandbox's own certificate authority: a root, an intermediate, and leaves for loopback.
struct Authority: Sendable {
  /// Ninety days, as a public authority has it: a check of pins does not warn of its end from the start.
  static let lifetime = 90 * 24 * 3600

  let root: Certificate
  let intermediate: Certificate
  let intermediateKey: PrivateKey

  /// Makes root and intermediate with fresh keys; the root's key is not kept.
  init(name: String, now: Int) throws {
    let rootKey = try PrivateKey()
    let validity = Self.validity(now: now)
    root = try CertificateTemplate(
      subject: "\(name) root", key: rootKey.publicKey, validity: validity, use: .authority(1)
    ).issue(by: nil, rootKey)
    intermediateKey = try PrivateKey()
    intermediate = try CertificateTemplate(
      subject: "\(name) intermediate", key: intermediateKey.publicKey, validity: validity,
      use: .authority(0)
    ).issue(by: root, rootKey)
  }

  /// An authority of an earlier start.
  init(rootPEM: String, intermediatePEM: String, keyPEM: String) throws {
    root = try Certificate(pem: rootPEM)
    intermediate = try Certificate(pem: intermediatePEM)
    intermediateKey = try PrivateKey(pem: keyPEM)
  }

  /// A server certificate for `localhost`, 127.0.0.1 and ::1, with its chain and key.
  func serverChain(now: Int) throws -> ServerChain {
    let key = try PrivateKey()
    let leaf = try CertificateTemplate(
      subject: "localhost", key: key.publicKey, validity: Self.validity(now: now), use: .server,
      names: [
        .dns("localhost"), .address([127, 0, 0, 1]),
        .address([UInt8](repeating: 0, count: 15) + [1]),
      ]
    ).issue(by: intermediate, intermediateKey)
    return ServerChain(
      leafPEM: try leaf.pem(), intermediatePEM: try intermediate.pem(), rootPEM: try root.pem(),
      keyPEM: try key.pem())
  }

  /// Begins a day ago, for clients whose clock is slow.
  static func validity(now: Int) -> Range<Int> { now - 86_400..<now + lifetime }
}
