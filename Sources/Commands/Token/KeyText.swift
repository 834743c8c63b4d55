import JOSE
import JSON

/// A key with the members that describe it.
struct DescribedKey {
  let publicKey: JWK
  /// The key with its private part; `nil` if only the public part is known.
  let privateKey: PrivateJWK?
  /// The hash of the certificate that the key comes from.
  let certificateHash: String?

  init(_ entry: KeyFile.Entry, _ arguments: TokenJWK.Arguments) throws {
    guard entry.jwk.pem != nil else {
      throw Failure(.configuration, .keyInvalid, "could not use the key: it is a shared secret")
    }
    do throws(JOSEError) {
      var members = entry.jwk.json.object ?? [:]
      try Self.describe(&members, arguments, entry.jwk.thumbprint)
      publicKey = try JWK(json: .object(members))
      if let secret = entry.privateKey?.secretJSON?.object {
        privateKey = try PrivateJWK(
          json: .object(secret.merging(members, uniquingKeysWith: { $1 })))
      } else {
        privateKey = nil
      }
      certificateHash = entry.certificateHash
    } catch {
      throw Failure(.configuration, .keyInvalid, "could not use the key: \(error.message)")
    }
  }

  /// Describes a new key.
  init(_ made: PrivateJWK, _ arguments: TokenJWK.Arguments) throws(JOSEError) {
    var members = made.publicKey.json.object ?? [:]
    try Self.describe(&members, arguments, made.publicKey.thumbprint)
    publicKey = try JWK(json: .object(members))
    let secret = made.secretJSON?.object ?? [:]
    privateKey = try PrivateJWK(json: .object(secret.merging(members, uniquingKeysWith: { $1 })))
    certificateHash = nil
  }

  private static func describe(
    _ members: inout JSONObject, _ arguments: TokenJWK.Arguments, _ thumbprint: String
  ) throws(JOSEError) {
    members["kid"] = .string(arguments.kid ?? members["kid"]?.string ?? thumbprint)
    if let use = arguments.use { members["use"] = .string(use) }
    if let algorithm = arguments.algorithm { members["alg"] = .string(algorithm) }
    guard arguments.use != nil || arguments.algorithm != nil else { return }
    if let contradiction = try JWK(json: .object(members)).contradiction {
      throw JOSEError(.keyUnsuitable, contradiction)
    }
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

  func text(of keys: [DescribedKey]) throws -> String {
    switch arguments.form {
    case .set:
      var documents: [JSON] = []
      for key in keys { documents.append(try document(key)) }
      let set = JSON.object(["keys": .array(documents)])
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
      let hash = key.certificateHash
      let members = JSON.members([
        "kid": key.publicKey.kid.map { .string($0) },
        "thumbprint": .string(key.publicKey.thumbprint),
        "x5t#S256": hash.map { .string($0) },
      ])
      guard case .text = form else { return form.lines(members, text: "") }
      if arguments.form == .thumbprint { return key.publicKey.thumbprint + "\n" }
      guard let hash else {
        throw Failure(
          .configuration, .keyInvalid, "could not hash the certificate: the file has only a key")
      }
      return hash + "\n"
    }
  }

  private func document(_ key: DescribedKey) throws -> JSON {
    guard arguments.isPrivate else { return key.publicKey.json }
    guard let secret = key.privateKey?.secretJSON else { throw Self.notPrivate }
    return secret
  }

  private func pem(_ key: DescribedKey) throws -> String {
    guard arguments.isPrivate else { return key.publicKey.pem ?? "" }
    guard let secret = key.privateKey?.pem else { throw Self.notPrivate }
    return secret
  }

  private static let notPrivate = Failure(
    .configuration, .keyInvalid, "could not use the key: the file has no private key")
}
