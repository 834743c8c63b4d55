import HTTP
import JOSE
import JSON
import OpenSSL
import Primitives

/// A proof that the sender of one request holds a key (RFC 9449 section 4.2).
struct DPoPProof: Sendable {
  let method: HTTPMethod
  let url: HTTPURL
  /// The last nonce of the server; `nil` before the first.
  let nonce: String?
  /// The access token of the request, if it has one.
  let accessToken: String?
  /// When the proof was made.
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
