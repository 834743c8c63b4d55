import HTTP
import JOSE
import JSON
import OpenSSL
public import Pinning
public import Primitives

/// Signed pin sets: a JWS in compact form over the JSON of `pins.json`.
///
/// The payload has `iat` and `exp` (whole seconds, RFC 7519), perhaps `nbf`, beside `version` and `hosts`, the header
/// `typ` with the value ``type``. An unsigned set, one with an HMAC, and one outside of its times are refused.
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
    if let start = members["nbf"] {
      guard let start = start.time else {
        throw Self.untrusted("'nbf' is not a whole number")
      }
      guard start <= now + Self.tolerance else {
        throw Self.untrusted("it is not valid before \(start)")
      }
    }
    guard !sets.isEmpty else { throw Self.untrusted("it has no pins") }
  }

  /// Signs pin sets.
  ///
  /// The header has the public key (`jwk`), so that it is enough to know its thumbprint.
  ///
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
    guard JWK.isThumbprint(thumbprint) else { return nil }
    keys = []
    self.thumbprint = thumbprint
  }

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

/// The last signed pin set of each signer: its time and the digest of its content, in `pin-updates.json`.
///
/// An older set must not bring back keys that were removed since, nor another one of the same second.
struct PinUpdates: Sendable {
  private let path: StorePath

  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.stateFile("profiles/\(profile)/pin-updates.json")
  }

  /// Refuses a set that is older than the last one of its signer, or differs from it at the same time.
  func refuseReplay(of signed: SignedPinSet) throws(SDKError) {
    if let document = try StoreDocument.read(path, .secret) { try refuse(signed, document) }
  }

  /// Remembers a set; refuses those of ``refuseReplay(of:)``.
  func note(_ signed: SignedPinSet) throws(SDKError) {
    var document = try StoreDocument.existing(path, .secret)
    try refuse(signed, document)
    document.set("signers", signed.signer, to: signed.issued.description)
    document.set("contents", signed.signer, to: signed.digest)
    try document.write()
  }

  private func refuse(
    _ signed: SignedPinSet, _ document: StoreDocument
  ) throws(SDKError) {
    let text = document.members["signers"]?[signed.signer]?.string
    guard let last = text.flatMap({ Timestamp($0) }) else { return }
    guard signed.issued >= last else {
      throw SignedPinSet.untrusted(
        "it was signed on \(signed.issued), and a newer one of \(last) was used before")
    }
    let content = document.members["contents"]?[signed.signer]?.string
    guard signed.issued > last || content == nil || content == signed.digest else {
      throw SignedPinSet.untrusted(
        "it was signed on \(signed.issued), and another one of that time was used before")
    }
  }
}

extension StoreDocument {
  fileprivate mutating func set(_ name: String, _ signer: String, to text: String) {
    var members = members[name]?.object ?? [:]
    members[signer] = .string(text)
    self.members[name] = .object(members)
  }
}

extension PinService {
  /// Fetches a document from a server whose host must be pinned as any other.
  ///
  /// - Throws: ``SDKError`` if the URL is not allowed, or the server does not return it.
  public func fetchPinSet(_ text: String) async throws(SDKError) -> [UInt8] {
    let action = "could not fetch the pin set"
    let url = try attempt(action, as: .invalidRequest) { try HTTPURL(text) }
    let response = try await attempt(action) {
      try await environment.transport.send(
        HTTPRequest(.get, url, timeout: environment.clock.limits.exchange), limit: 1 << 20)
    }
    guard response.status == 200 else {
      throw SDKError(.refused, "\(action): the server returned \(response.status)")
    }
    return response.body
  }

  /// What a signed set changes of the pins of the profile.
  ///
  /// - Throws: ``SDKError/Code/untrusted`` if a newer set of the signer was used before.
  public func differences(
    to signed: SignedPinSet, replaces: Bool, source: String
  ) throws(SDKError) -> [PinDifference] {
    try PinUpdates(environment.location, profile.name).refuseReplay(of: signed)
    let origin = PinOrigin(.update, source)
    return differences(to: signed.sets.map { $0.from(origin) }, replaces: replaces, origin: origin)
  }

  /// Writes the changes of a signed set, all or none, and remembers the set.
  ///
  /// - Throws: ``SDKError``: `untrusted` if a newer set of the signer was used meanwhile, `store` if
  ///   the pins cannot be written or were changed since the differences were found.
  public func apply(
    _ differences: [PinDifference], of signed: SignedPinSet
  ) async throws(SDKError) {
    let updates = PinUpdates(environment.location, profile.name)
    try await apply(differences, before: { () throws(SDKError) in try updates.note(signed) })
  }
}

extension PinSet {
  /// The set with this origin of all keys, whatever they say.
  fileprivate func from(_ origin: PinOrigin) -> PinSet {
    with(
      keys: keys.map { key in
        var key = key
        key.origin = origin
        return key
      })
  }
}
