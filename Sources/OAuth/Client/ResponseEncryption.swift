package import JOSE
package import JSON
import Primitives

/// What a client registered about signed and encrypted answers (OpenID Connect Registration 1.0
/// section 2), and the key that opens them.
package struct ResponseEncryption: Sendable {
  /// The answers that a server may encrypt, by the beginning of their members.
  package enum Answer: String, Sendable, CaseIterable {
    case idToken = "id_token"
    case userInfo = "userinfo"
    case authorization

    /// What it is called in messages.
    var noun: String {
      switch self {
      case .idToken: "the ID token"
      case .userInfo: "the userinfo answer"
      case .authorization: "the authorization response"
      }
    }
  }

  package let key: DecryptionKey?
  /// The registered metadata of the client.
  package let client: JSONObject

  package init(key: DecryptionKey?, client: JSONObject) {
    self.key = key
    self.client = client
  }

  /// Whether the client registered that an answer is encrypted.
  package func isNegotiated(_ answer: Answer) -> Bool {
    key != nil && client["\(answer.rawValue)_encrypted_response_alg"]?.string != nil
  }

  /// The algorithm with which the client registered an answer to be signed.
  func signature(of answer: Answer) -> JWSAlgorithm? {
    client["\(answer.rawValue)_signed_response_alg"]?.string
      .flatMap(JWSAlgorithm.init(identifier:))
  }

  /// The algorithms of the signature of an answer: what the client registered, else what the
  /// server announces.
  ///
  /// Never a shared secret: what the client registered so is refused.
  package func signatures(of answer: Answer, from server: ServerMetadata) -> Set<JWSAlgorithm> {
    if let registered = signature(of: answer) { return registered.isSymmetric ? [] : [registered] }
    guard let announced = server.words("\(answer.rawValue)_signing_alg_values_supported") else {
      return server.signatureAlgorithms
    }
    return Set(announced.compactMap(JWSAlgorithm.init(identifier:))).filter { !$0.isSymmetric }
  }

  /// Whether the client registered that an answer is a token.
  func isToken(_ answer: Answer) -> Bool { isNegotiated(answer) || signature(of: answer) != nil }

  /// What an encrypted answer holds; an answer in clear as it is.
  ///
  /// - Throws: ``OAuthError`` `untrusted` when it cannot be decrypted, and when it is in clear
  ///   though the client registered encryption (OpenID Connect Core 3.1.3.7, item 1: a client
  ///   should refuse that).
  package func opened(_ text: String, _ answer: Answer) throws(OAuthError) -> String {
    guard JWE.isEncrypted(text) else {
      guard !isNegotiated(answer) else {
        throw untrusted(answer, "it is not encrypted, though the client registered that it is")
      }
      return text
    }
    guard let key else { throw untrusted(answer, "it is encrypted, but not to a key of ours") }
    let content: [UInt8]
    do {
      content = try JWE(compact: text).decrypt(with: key, allowed: encryptions(of: answer))
    } catch {
      throw untrusted(answer, error.message)
    }
    guard let opened = String(validating: content, as: UTF8.self) else {
      throw untrusted(answer, "what it holds is no text")
    }
    return opened
  }

  /// The registered encryption, which is A128CBC-HS256 where the client named none.
  private func encryptions(of answer: Answer) -> Set<JWEEncryption> {
    let name = client["\(answer.rawValue)_encrypted_response_enc"]?.string
    guard let name else {
      return isNegotiated(answer) ? [.a128CBCHS256] : Set(JWEEncryption.allCases)
    }
    return Set([JWEEncryption(identifier: name)].compactMap { $0 })
  }

  private func untrusted(_ answer: Answer, _ cause: String) -> OAuthError {
    OAuthError(.untrusted, "\(answer.noun) must not be trusted: \(cause)")
  }
}

extension ResponseEncryption {
  /// The algorithm to make a key for; curves first, for their keys are made at once.
  ///
  /// - Throws: ``OAuthError`` `unsupported` when the server encrypts no ID tokens, or only in
  ///   ways that are not known or not safe.
  package static func algorithm(for server: ServerMetadata) throws(OAuthError) -> JWEAlgorithm {
    let offered = server.words("id_token_encryption_alg_values_supported") ?? []
    let order: [JWEAlgorithm] = [
      .ecdhES, .ecdhESA256KW, .ecdhESA192KW, .ecdhESA128KW, .rsaOAEP256, .rsaOAEP,
    ]
    guard let algorithm = order.first(where: { offered.contains($0.rawValue) }) else {
      throw OAuthError(
        .unsupported,
        "\(server.issuer) encrypts no ID tokens"
          + (offered.isEmpty ? "" : " with an algorithm that is used here"))
    }
    return algorithm
  }

  /// The members by which a client asks for encrypted answers, of which the server offers each.
  package static func metadata(
    for key: DecryptionKey, at server: ServerMetadata
  ) -> JSONObject {
    var members: JSONObject = [:]
    for answer in Answer.allCases {
      let offered = server.words("\(answer.rawValue)_encryption_alg_values_supported") ?? []
      guard offered.contains(key.algorithm.rawValue) else { continue }
      let encryption = encryption(of: answer, at: server)
      members["\(answer.rawValue)_encrypted_response_alg"] = .string(key.algorithm.rawValue)
      members["\(answer.rawValue)_encrypted_response_enc"] = .string(encryption.rawValue)
    }
    let signatures = server.words("userinfo_signing_alg_values_supported") ?? []
    let order: [JWSAlgorithm] = [.rs256, .es256, .ps256, .edDSA]
    members["userinfo_signed_response_alg"] = order.first { signatures.contains($0.rawValue) }
      .map { .string($0.rawValue) }
    return members
  }

  private static func encryption(of answer: Answer, at server: ServerMetadata) -> JWEEncryption {
    let offered = server.words("\(answer.rawValue)_encryption_enc_values_supported")
    let order: [JWEEncryption] = [
      .a256GCM, .a128GCM, .a256CBCHS512, .a128CBCHS256, .a192GCM, .a192CBCHS384,
    ]
    return order.first { offered?.contains($0.rawValue) ?? false } ?? .a128CBCHS256
  }
}
