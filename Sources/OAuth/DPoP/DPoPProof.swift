package import HTTP
package import JOSE
import JSON
import OpenSSL
package import Primitives

/// A proof that the sender of one request holds a key (RFC 9449 section 4.2).
package struct DPoPProof: Sendable {
  package let method: HTTPMethod
  package let url: HTTPURL
  /// The last nonce of the server; `nil` before the first.
  package let nonce: String?
  /// The access token of the request, if it has one.
  package let accessToken: String?
  /// When the proof was made.
  package let time: Timestamp

  package init(
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
  package func signed(with key: SigningKey) throws(JOSEError) -> String {
    let hash: [UInt8]?
    do throws(CryptoError) {
      hash = if let accessToken { try Digest.sha256(accessToken) } else { nil }
    } catch {
      throw JOSEError(error)
    }
    let claims = JSON.members([
      "jti": .string(try tokenIdentifier()),
      "htm": .string(method.name),
      // Without query and fragment, as the section has it.
      "htu": .string(url.origin + url.path),
      "iat": .time(time),
      "nonce": nonce.map { .string($0) },
      "ath": hash.map { .string(Base64URL.encode($0)) },
    ])
    return try key.sign(
      header: ["typ": "dpop+jwt"], payload: Array(claims.serialized().utf8), embedsKey: true)
  }
}
