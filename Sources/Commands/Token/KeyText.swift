import JOSE
import JSON

/// A key with the members that describe it.
struct DescribedKey {
  let publicKey: JWK
  /// The key with its private part; `nil` if only the public part is known.
  let privateKey: PrivateJWK?
  /// The hash of the certificate that the key comes from.
  let certificateHash: String?

  init(
    _ key: JWK, _ secret: PrivateJWK?, certificateHash: String? = nil,
    _ arguments: TokenJWK.Arguments
  ) throws(JOSEError) {
    var members = key.json.object ?? [:]
    members["kid"] = .string(arguments.kid ?? key.kid ?? key.thumbprint)
    if let use = arguments.use { members["use"] = .string(use.rawValue) }
    if let algorithm = arguments.algorithm { members["alg"] = .string(algorithm) }
    publicKey = try JWK(json: .object(members))
    if arguments.use != nil || arguments.algorithm != nil,
      let contradiction = publicKey.contradiction
    {
      throw JOSEError(.keyUnsuitable, contradiction)
    }
    if let secret = secret?.secretJSON?.object {
      privateKey = try PrivateJWK(json: .object(secret.merging(members) { $1 }))
    } else {
      privateKey = nil
    }
    self.certificateHash = certificateHash
  }
}

struct KeyText {
  let form: TokenJWK.Form
  /// Whether with their private parts.
  let isPrivate: Bool

  static let setRows = Rows<[JSON]>(.member("keys", "the keys") { JSON.array($0) })

  static let hashRows = Rows<DescribedKey>(
    .member("kid", "the key ID") { $0.publicKey.kid }.orAbsent,
    .member("thumbprint", "RFC 7638") { $0.publicKey.thumbprint },
    .member("x5t#S256", "of a certificate") { $0.certificateHash }.orAbsent)

  /// The documents of `--json`; `nil` for PEM.
  func documents(of keys: [DescribedKey]) throws -> [JSON]? {
    switch form {
    case .pem: nil
    case .jwk: try keys.map(document)
    case .set: [Self.setRows.json(try keys.map(document))]
    case .thumbprint: keys.map(Self.hashRows.json)
    }
  }

  func text(of keys: [DescribedKey]) throws -> String {
    let texts =
      switch form {
      case .jwk: try keys.map { try document($0).serialized() + "\n" }
      case .set: [Self.setRows.json(try keys.map(document)).serialized(.pretty) + "\n"]
      case .pem: try keys.map(pem)
      case .thumbprint: keys.map { $0.publicKey.thumbprint + "\n" }
      }
    return texts.joined()
  }

  private func document(_ key: DescribedKey) throws -> JSON {
    guard isPrivate else { return key.publicKey.json }
    guard let secret = key.privateKey?.secretJSON else { throw Self.notPrivate }
    return secret
  }

  private func pem(_ key: DescribedKey) throws -> String {
    guard isPrivate else { return key.publicKey.pem ?? "" }
    guard let secret = key.privateKey?.pem else { throw Self.notPrivate }
    return secret
  }

  private static var notPrivate: Failure { .unusableKey("the file has no private key") }
}
