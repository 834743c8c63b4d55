import JOSE
import JSON
import OpenSSL
public import Pinning
public import Primitives

/// Signed pin sets: a JWS in compact form over the JSON of `pins.json`.
///
/// The payload has `iat` and `exp` (whole seconds, RFC 7519) beside `version` and `hosts`, the header
/// `typ` with the value ``type``. An unsigned set, one with an HMAC, and one that has expired are
/// refused.
public struct SignedPinSet: Sendable, Hashable {
  /// The type in the header.
  public static let type = "pins+jwt"
  /// By how much the clock of the signer may be ahead.
  static let tolerance: Int64 = 300

  /// The pin sets.
  public let sets: [PinSet]
  /// When they were signed.
  public let issued: Timestamp
  /// The first second at which they must not be used any more.
  public let expires: Timestamp
  /// The thumbprint of the key that signed them (RFC 7638).
  public let signer: String
  /// SHA-256 of the payload in base64, by which another set of the same time is noticed.
  let digest: String

  /// Whether a document has the form of a signed set, and is not another document of pins.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    (try? JWS(compact: String(decoding: bytes.trimmingSpace, as: UTF8.self))) != nil
  }

  /// Verifies a signed set.
  ///
  /// - Parameters:
  ///   - bytes: the JWS; white space around it is ignored.
  ///   - signers: whose signature is accepted.
  ///   - now: the time.
  /// - Throws: ``SDKError``: `untrusted` if the signature, the type or the time is not valid,
  ///   `localData` if the document is malformed.
  public init(
    _ bytes: [UInt8], signedBy signers: PinSigners, at now: Timestamp
  ) throws(SDKError) {
    let jws = try attempt("could not read the pin set", as: .localData) {
      try JWS(compact: String(decoding: bytes.trimmingSpace, as: UTF8.self))
    }
    signer = try signers.verify(jws)
    digest = Base64.encode(try SDKCore.digest(of: jws.payload))
    guard jws.type == Self.type else {
      throw Self.untrusted("the type in its header is not '\(Self.type)'")
    }
    let (members, sets) = try attempt("could not read the pin set", as: .localData) {
      try PinDocument.read(jws.payload)
    }
    self.sets = sets
    guard let issued = members["iat"]?.int, let expires = members["exp"]?.int else {
      throw Self.untrusted("'iat' or 'exp' is missing or not a whole number")
    }
    self.issued = Timestamp(issued)
    self.expires = Timestamp(expires)
    guard now < self.expires else { throw Self.untrusted("it expired on \(self.expires)") }
    guard self.issued <= now + Self.tolerance else {
      throw Self.untrusted("it was signed in the future, on \(self.issued)")
    }
    guard !sets.isEmpty else { throw Self.untrusted("it has no pins") }
  }

  /// Signs pin sets.
  ///
  /// The header has the public key (`jwk`), so that it is enough to know its thumbprint.
  ///
  /// - Parameters:
  ///   - sets: the pin sets.
  ///   - key: a private key as PEM or JWK, not encrypted.
  ///   - issued: the time.
  ///   - expires: until when the set may be used.
  /// - Returns: the JWS.
  /// - Throws: ``SDKError/Code/localData`` if the key cannot be used.
  public static func sign(
    _ sets: [PinSet], with key: [UInt8], issued: Timestamp, expires: Timestamp
  ) throws(SDKError) -> String {
    var members = PinDocument.members(sets)
    members["version"] = 1
    members["iat"] = .int(issued.seconds)
    members["exp"] = .int(expires.seconds)
    return try attempt("could not sign the pins", as: .localData) {
      guard let pem = try KeyFile(key).entries.compactMap({ $0.privateKey?.pem }).first else {
        throw JOSEError(.keyUnsuitable, "it has no private key of a key pair")
      }
      return try SigningKey(pem: pem).sign(
        header: ["typ": .string(type)], payload: Array(JSON.object(members).serialized().utf8),
        embedsKey: true)
    }
  }

  static func untrusted(_ cause: String) -> SDKError {
    SDKError(.untrusted, "could not use the pin set: \(cause)")
  }
}
