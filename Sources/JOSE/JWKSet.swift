public import JSON
internal import Primitives

/// The keys that an issuer publishes (RFC 7517 section 5).
public struct JWKSet: Sendable, Hashable {
  /// The keys that can be used here, in their order.
  public let keys: [JWK]
  /// The keys of the set that were ignored: unknown types and malformed keys.
  let skipped: [SkippedKey]
  /// How many others were ignored because the issuer publishes their secret half.
  let exposedCount: Int
  private let exposed: [SkippedKey]

  let ignoresKeyIDs: Bool

  /// Reads a set; ignores keys that cannot be used.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed` unless it is an object with an array `keys`.
  public init(json: JSON) throws(JOSEError) {
    guard let elements = json["keys"]?.array else {
      throw JOSEError(.malformed, "the key set is not an object with an array 'keys'")
    }
    (keys, skipped) = Self.read(elements)
    exposedCount = 0
    exposed = []
    ignoresKeyIDs = false
  }

  /// Reads the set that an issuer publishes.
  ///
  /// Ignores shared secrets and keys whose private half is published: anyone can sign with these.
  ///
  /// - Throws: ``JOSEError`` as ``init(json:)`` does.
  public init(published json: JSON) throws(JOSEError) {
    let all = try JWKSet(json: json)
    let elements = json["keys"]?.array ?? []
    (keys, skipped) = Self.read(elements.filter { !PrivateJWK.isPrivate($0) })
    exposedCount = all.keys.count - keys.count
    exposed = elements.filter(PrivateJWK.isPrivate).map {
      SkippedKey(kid: $0["kid"]?.string, reason: "its secret half is published")
    }
    ignoresKeyIDs = false
  }

  /// Collects keys.
  ///
  /// With `ignoringKeyIDs` they are tried with any token, whatever key ID it names: for keys that
  /// a person chose.
  public init(keys: [JWK], ignoringKeyIDs: Bool = false) {
    self.keys = keys
    ignoresKeyIDs = ignoringKeyIDs
    skipped = []
    exposedCount = 0
    exposed = []
  }

  private static func read(_ elements: [JSON]) -> ([JWK], [SkippedKey]) {
    var (keys, skipped): ([JWK], [SkippedKey]) = ([], [])
    for element in elements {
      do throws(JOSEError) { keys.append(try JWK(json: element)) } catch {
        skipped.append(SkippedKey(kid: element["kid"]?.string, reason: error.message))
      }
    }
    return (keys, skipped)
  }

  /// Which keys that may be the one of a token were published but cannot be used, and why; `nil` for none.
  public func reasonForSkipping(kid: String?) -> String? {
    let meant = skipped.filter { kid == nil || $0.kid == nil || sameIdentifier($0.kid, kid) }
    return (meant.first { sameIdentifier($0.kid, kid) } ?? meant.first)?.text
  }

  /// All keys that were published but cannot be used, and why.
  package var reasonsForSkipping: [String] { (skipped + exposed).map(\.text) }

  /// The keys that may have made a signature.
  ///
  /// - Parameters:
  ///   - kid: the key ID of the token's header; without one every key that fits is returned.
  ///   - algorithm: the algorithm of the token.
  /// - Returns: the keys with that ID that fit the algorithm, in the order of the set.
  public func candidates(kid: String?, algorithm: JWSAlgorithm) -> [JWK] {
    keys.filter { key in
      (ignoresKeyIDs || kid == nil || sameIdentifier(key.kid, kid))
        && key.incompatibility(with: algorithm) == nil
    }
  }

  /// Verifies a token with the keys that may have signed it.
  ///
  /// - Parameters:
  ///   - jws: the token.
  ///   - allowed: the algorithms that may have been used, whatever the token says.
  /// - Returns: the key that signed it.
  /// - Throws: ``JOSEError``; the code `noMatchingKey` means that newer keys may help.
  @discardableResult
  public func verify(
    _ jws: JWS, allowed: Set<JWSAlgorithm>
  ) throws(JOSEError) -> JWK {
    let algorithm = try jws.algorithm(from: allowed)
    let candidates = candidates(kid: jws.keyID, algorithm: algorithm)
    guard !candidates.isEmpty else {
      if keys.count == 1, ignoresKeyIDs, let reason = keys[0].incompatibility(with: algorithm) {
        throw JOSEError(.noMatchingKey, reason + (keys[0].note(on: jws, algorithm) ?? ""))
      }
      let name = jws.keyID.map { "the key ID \(quoted($0))" } ?? "no key ID"
      let exposed =
        switch exposedCount {
        case 0: ""
        case 1: "; one key is published with its secret half"
        default: "; \(exposedCount) keys are published with their secret halves"
        }
      throw JOSEError(
        .noMatchingKey,
        "no key of the issuer fits \(algorithm.rawValue) and \(name)\(exposed)"
          + (reasonForSkipping(kid: jws.keyID).map { "; \($0)" } ?? ""))
    }
    let published = candidates.filter { ignoresKeyIDs || $0.isPublished(for: jws) }
    guard !published.isEmpty else {
      throw JOSEError(
        .keyUnsuitable,
        "the key is published for tokens of \(quoted(candidates[0].issuer ?? "")), not of this issuer"
      )
    }
    for key in published.prefix(Self.attempts) where jws.isSigned(by: key, algorithm) {
      return key
    }
    guard published.count <= Self.attempts else {
      throw JOSEError(
        .signatureInvalid,
        "none of the first \(Self.attempts) of \(published.count) keys that fit has signed it")
    }
    throw JOSEError(.signatureInvalid, "the signature is not valid")
  }

  /// Limits the work for a set of thousands of keys.
  ///
  /// It counts keys with this ID that fit the algorithm; real sets have far fewer.
  private static let attempts = 32
}

extension JWK {
  /// Whether a secret that is too short made a signature; `nil` for any other key.
  fileprivate func note(on jws: JWS, _ algorithm: JWSAlgorithm) -> String? {
    guard case .secret = material, algorithm.isSymmetric else { return nil }
    return jws.isSigned(by: self, algorithm)
      ? ", but it made the signature" : ", and it did not make the signature"
  }
}

/// A published key that cannot be used.
struct SkippedKey: Sendable, Hashable {
  let kid: String?
  let reason: String

  var text: String {
    let name = kid.map { "the key \(quoted($0))" } ?? "a key without ID"
    return "\(name) was published, but cannot be used: \(reason)"
  }
}
