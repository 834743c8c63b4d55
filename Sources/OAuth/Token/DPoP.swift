package import HTTP
package import JOSE
import JSON
import OpenSSL
package import Primitives

/// Proves possession of one key with the requests of a client (RFC 9449).
package struct DPoP: Sendable {
  /// The type of tokens that are bound to a key, and their authorization scheme.
  package static let tokenType = "DPoP"
  /// The member of a registration that requests such tokens (RFC 9449 section 5.2).
  package static let bindsTokens = "dpop_bound_access_tokens"

  package let key: SigningKey
  /// Whether a token that is not bound to a key is refused.
  package var isRequired = false
  /// The last nonce of each origin (sections 8 and 9), which is not secret.
  private let nonces: any ServerCache<String>
  private let now: @Sendable () -> Timestamp

  package init(
    key: SigningKey, nonces: any ServerCache<String>, now: @escaping @Sendable () -> Timestamp
  ) {
    self.key = key
    self.nonces = nonces
    self.now = now
  }

  package var thumbprint: String { key.publicKey.thumbprint }

  /// The nonce for the next proof to the origin of a URL.
  package func nonce(for url: HTTPURL) -> String? { nonces.value(of: url.origin) }

  /// A fresh proof for one request.
  package func proof(
    _ method: HTTPMethod, _ url: HTTPURL, accessToken: String? = nil
  ) throws(OAuthError) -> String {
    let proof = DPoPProof(
      method, url, nonce: nonce(for: url), accessToken: accessToken, at: now())
    do {
      return try proof.signed(with: key)
    } catch {
      throw OAuthError(.unsupported, "no proof of possession could be made: \(error.message)")
    }
  }

  /// Adds a fresh proof to a request, in place of an older one.
  package func prove(
    _ request: inout HTTPRequest, accessToken: String? = nil
  ) throws(OAuthError) {
    let proof = try proof(request.method, request.url, accessToken: accessToken)
    request.fields.replace(with: HTTPField(known: "DPoP", proof))
  }

  /// Stores the nonce of a response for its origin (section 8.2).
  package func learn(from response: HTTPResponse) {
    guard let nonce = Self.nonce(in: response) else { return }
    nonces.store(nonce, of: response.url.origin)
  }

  /// Whether the nonce that a resource asks for is another one than the last (section 9).
  package static func isAsked(again response: HTTPResponse, after nonce: String?) -> Bool {
    Self.nonce(in: response).map { !sameIdentifier($0, nonce) } ?? false
  }

  private static func nonce(in response: HTTPResponse) -> String? {
    let told = response.fields.values(of: "DPoP-Nonce")
    return told.count == 1 && isNonce(told[0]) ? told[0] : nil
  }

  /// Section 8.1: visible ASCII without quotation mark and backslash.
  private static func isNonce(_ text: String) -> Bool {
    isVisible(text) && text.utf8.count <= 1024
      && !text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
  }

  /// The algorithm to make a key for: ES256 unless the server announces others only.
  package static func algorithm(for server: ServerMetadata) throws(OAuthError) -> JWSAlgorithm {
    let algorithm = server.first(
      of: [JWSAlgorithm.es256, .edDSA, .ed25519, .es384, .es512, .ps256, .rs256],
      in: "dpop_signing_alg_values_supported", unannounced: .es256)
    guard let algorithm else {
      throw OAuthError(
        .unsupported, "\(server.issuer) takes no proof of possession that can be made here")
    }
    return algorithm
  }
}

/// A proof that the sender of one request holds a key (RFC 9449 section 4.2).
struct DPoPProof: Sendable {
  let method: HTTPMethod
  let url: HTTPURL
  /// The last nonce of the server; `nil` before the first.
  let nonce: String?
  let accessToken: String?
  let time: Timestamp

  init(
    _ method: HTTPMethod, _ url: HTTPURL, nonce: String? = nil, accessToken: String? = nil,
    at time: Timestamp
  ) {
    self.method = method
    self.url = url
    self.nonce = nonce
    self.accessToken = accessToken
    self.time = time
  }

  /// The proof as a token, with an identifier that no other proof has.
  func signed(with key: SigningKey) throws(JOSEError) -> String {
    let hash: [UInt8]?
    do throws(CryptoError) {
      hash = if let accessToken { try Digest.sha256(accessToken) } else { nil }
    } catch {
      throw JOSEError(error)
    }
    let claims = JSON.members([
      "jti": .string(try tokenIdentifier()),
      "htm": .string(method.name),
      // The section leaves out query and fragment.
      "htu": .string(url.origin + url.path),
      "iat": .time(time),
      "nonce": nonce.map { .string($0) },
      "ath": hash.map { .string(Base64URL.encode($0)) },
    ])
    return try key.sign(
      header: ["typ": "dpop+jwt"], payload: Array(claims.serialized().utf8), embedsKey: true)
  }
}
