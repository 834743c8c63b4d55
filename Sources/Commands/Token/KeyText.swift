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
    if let use = arguments.use { members["use"] = .string(use) }
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

/// Keys as text.
struct KeyText {
  private let arguments: TokenJWK.Arguments
  private let form: BulkForm

  /// `isFile` writes a whole key, whatever `--field` says.
  init(_ arguments: TokenJWK.Arguments, _ context: Context, isFile: Bool = false) {
    self.arguments = arguments
    form = isFile ? .text(colours: false) : BulkForm(context)
  }

  static let setRows = Rows<[JSON]>(.member("keys", "the keys") { JSON.array($0) })

  static let hashRows = Rows<DescribedKey>(
    .member("kid", "the key ID") { $0.publicKey.kid }.orAbsent,
    .member("thumbprint", "RFC 7638") { $0.publicKey.thumbprint },
    .member("x5t#S256", "of a certificate") { $0.certificateHash }.orAbsent)

  func text(of keys: [DescribedKey]) throws -> String {
    switch arguments.form {
    case .set:
      var documents: [JSON] = []
      for key in keys { documents.append(try document(key)) }
      let set = Self.setRows.json(documents)
      return form.lines(set, text: set.serialized(.pretty) + "\n", layout: .pretty)
    case .jwk, .pem, .thumbprint, .certificateHash:
      var text = ""
      for key in keys { text += try self.text(of: key) }
      return text
    }
  }

  private func text(of key: DescribedKey) throws -> String {
    switch arguments.form {
    case .jwk, .set:
      let document = try document(key)
      return form.lines(document, text: document.serialized() + "\n")
    case .pem: return try pem(key)
    case .thumbprint, .certificateHash:
      guard case .text = form else { return form.lines(Self.hashRows.json(key), text: "") }
      if arguments.form == .thumbprint { return key.publicKey.thumbprint + "\n" }
      guard let hash = key.certificateHash else {
        throw Failure(
          .configuration, .keyInvalid, "could not hash the certificate: the file has only a key")
      }
      return hash + "\n"
    }
  }

  private func document(_ key: DescribedKey) throws -> JSON {
    guard arguments.isPrivate else { return key.publicKey.json }
    guard let secret = key.privateKey?.secretJSON else {
      throw Failure.unusableKey("the file has no private key")
    }
    return secret
  }

  private func pem(_ key: DescribedKey) throws -> String {
    guard arguments.isPrivate else { return key.publicKey.pem ?? "" }
    guard let secret = key.privateKey?.pem else {
      throw Failure.unusableKey("the file has no private key")
    }
    return secret
  }
}
