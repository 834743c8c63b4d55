import JOSE
import JSON
import Primitives

/// The keys whose signatures on pin sets are accepted.
public struct PinSigners: Sendable {
  private let keys: [JWK]
  private let thumbprint: String?

  /// Takes the keys of a file: PEM, DER, JWK or JWK Set, of keys or certificates.
  ///
  /// - Throws: ``SDKError/Code/localData`` if it has no public key.
  public init(keys bytes: [UInt8]) throws(SDKError) {
    keys = try attempt("could not read the key", as: .localData) {
      try KeyFile(bytes).keys.keys.filter { $0.kty != "oct" }
    }
    guard !keys.isEmpty else {
      throw SDKError(.localData, "could not read the key: a shared secret cannot sign pins")
    }
    thumbprint = nil
  }

  /// Takes a thumbprint (RFC 7638, SHA-256 as base64url); `nil` for anything else.
  ///
  /// A set that is verified with it must carry its key in the header (`jwk`).
  public init?(thumbprint: String) {
    guard Base64.decode(Array(thumbprint.utf8), alphabet: .url)?.count == 32 else { return nil }
    keys = []
    self.thumbprint = thumbprint
  }

  /// Verifies a signature.
  ///
  /// - Returns: the thumbprint of the key.
  /// - Throws: ``SDKError/Code/untrusted``.
  func verify(_ jws: JWS) throws(SDKError) -> String {
    var cause = "it is not signed by this key"
    for key in try candidates(for: jws) {
      do {
        try jws.verify(with: key, allowed: JWSAlgorithm.asymmetric)
        return key.thumbprint
      } catch {
        cause = error.message
      }
    }
    throw SignedPinSet.untrusted(cause)
  }

  private func candidates(for jws: JWS) throws(SDKError) -> [JWK] {
    guard let thumbprint else { return keys }
    guard let member = jws.header["jwk"] else {
      throw SignedPinSet.untrusted(
        "it does not carry its key ('jwk'), so that the file of the key is needed")
    }
    guard let key = try? JWK(json: member), key.kty != "oct" else {
      throw SignedPinSet.untrusted("the key in its header is malformed")
    }
    guard sameIdentifier(key.thumbprint, thumbprint) else {
      throw SignedPinSet.untrusted("it is signed by another key, \(key.thumbprint)")
    }
    return [key]
  }
}
