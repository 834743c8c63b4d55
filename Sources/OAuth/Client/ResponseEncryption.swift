package import JOSE
package import JSON
import Primitives

/// The registered metadata of signed and encrypted responses (OpenID Connect Registration 1.0
/// section 2), and the key that decrypts them.
package struct ResponseEncryption: Sendable {
  /// The responses that a server may encrypt, by the prefix of their metadata members.
  package enum Kind: String, Sendable, CaseIterable {
    case idToken = "id_token"
    case userInfo = "userinfo"
    case authorization

    var noun: String {
      switch self {
      case .idToken: "the ID token"
      case .userInfo: "the userinfo response"
      case .authorization: "the authorization response"
      }
    }
  }

  package let key: DecryptionKey?
  package let client: JSONObject

  package init(key: DecryptionKey?, client: JSONObject) {
    self.key = key
    self.client = client
  }

  package func isNegotiated(_ kind: Kind) -> Bool {
    key != nil && client["\(kind.rawValue)_encrypted_response_alg"]?.string != nil
  }

  /// The signature algorithm that the client registered for a response.
  func signature(of kind: Kind) -> JWSAlgorithm? {
    client["\(kind.rawValue)_signed_response_alg"]?.string
      .flatMap(JWSAlgorithm.init(identifier:))
  }

  /// The allowed signature algorithms of a response: what the client registered, else what the
  /// server announces.
  ///
  /// Never a shared secret: such a registration is refused.
  package func signatures(of kind: Kind, from server: ServerMetadata) -> Set<JWSAlgorithm> {
    if let registered = signature(of: kind) { return registered.isSymmetric ? [] : [registered] }
    guard let announced = server.words("\(kind.rawValue)_signing_alg_values_supported") else {
      return server.signatureAlgorithms
    }
    return Set(announced.compactMap(JWSAlgorithm.init(identifier:)))
      .intersection(JWSAlgorithm.asymmetric)
  }

  func isToken(_ kind: Kind) -> Bool { isNegotiated(kind) || signature(of: kind) != nil }

  /// The content of an encrypted response; an unencrypted response as it is.
  ///
  /// - Throws: ``OAuthError`` `untrusted` if it cannot be decrypted, or is not encrypted
  ///   though the client registered encryption (OpenID Connect Core 3.1.3.7, item 1: a client
  ///   should refuse that).
  package func decrypted(_ text: String, _ kind: Kind) throws(OAuthError) -> String {
    guard JWE.isEncrypted(text) else {
      guard !isNegotiated(kind) else {
        throw .untrusted(kind.noun, "it is not encrypted, though the client registered that it is")
      }
      return text
    }
    guard let key else { throw .untrusted(kind.noun, "it is encrypted, but not for this client") }
    let content: [UInt8]
    do {
      content = try JWE(compact: text).decrypt(with: key, allowed: encryptions(of: kind))
    } catch {
      throw .untrusted(kind.noun, error.message)
    }
    guard let opened = String(validating: content, as: UTF8.self) else {
      throw .untrusted(kind.noun, "its content is not text")
    }
    return opened
  }

  /// The registered encryption; A128CBC-HS256 if the client registered none.
  private func encryptions(of kind: Kind) -> Set<JWEEncryption> {
    let name = client["\(kind.rawValue)_encrypted_response_enc"]?.string
    guard let name else {
      return isNegotiated(kind) ? [.a128CBCHS256] : Set(JWEEncryption.allCases)
    }
    return Set([JWEEncryption(identifier: name)].compactMap { $0 })
  }
}

extension ResponseEncryption {
  /// The algorithm for a new key; elliptic curves first, because their keys are made fast.
  package static func algorithm(for server: ServerMetadata) throws(OAuthError) -> JWEAlgorithm {
    let member = "id_token_encryption_alg_values_supported"
    let algorithm = server.first(
      of: [
        JWEAlgorithm.ecdhES, .ecdhESA256KW, .ecdhESA192KW, .ecdhESA128KW, .rsaOAEP256, .rsaOAEP,
      ], in: member)
    guard let algorithm else {
      throw OAuthError(
        .unsupported,
        "\(server.issuer) encrypts no ID tokens"
          + (server.words(member)?.isEmpty ?? true ? "" : " with an algorithm that is used here"))
    }
    return algorithm
  }

  /// The members that request encrypted responses, as far as the server supports them.
  package static func metadata(
    for key: DecryptionKey, at server: ServerMetadata
  ) -> JSONObject {
    var members: JSONObject = [:]
    for kind in Kind.allCases {
      let offered = server.words("\(kind.rawValue)_encryption_alg_values_supported") ?? []
      guard offered.contains(key.algorithm.rawValue) else { continue }
      let encryption = encryption(of: kind, at: server)
      members["\(kind.rawValue)_encrypted_response_alg"] = .string(key.algorithm.rawValue)
      members["\(kind.rawValue)_encrypted_response_enc"] = .string(encryption.rawValue)
    }
    let signature = server.first(
      of: [JWSAlgorithm.rs256, .es256, .ps256, .edDSA, .ed25519],
      in: "userinfo_signing_alg_values_supported")
    members["userinfo_signed_response_alg"] = signature.map { .string($0.rawValue) }
    return members
  }

  private static func encryption(of kind: Kind, at server: ServerMetadata) -> JWEEncryption {
    server.first(
      of: [.a256GCM, .a128GCM, .a256CBCHS512, .a128CBCHS256, .a192GCM, .a192CBCHS384],
      in: "\(kind.rawValue)_encryption_enc_values_supported") ?? .a128CBCHS256
  }
}
