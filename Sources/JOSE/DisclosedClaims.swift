public import JSON
import OpenSSL
import Primitives

/// The claims of an SD-JWT with the disclosed values in place of their digests (RFC 9901 section 7.1).
public struct DisclosedClaims: Sendable, Hashable {
  /// A disclosure, and where its value belongs.
  public struct Value: Sendable, Hashable {
    /// What was disclosed.
    public let disclosure: Disclosure
    /// The place in the claims, such as `address.country` or `nationalities[0]`.
    public let path: String
    /// The digest that the token has of it.
    public let digest: String
  }

  /// The claims: an object without digests.
  public let claims: JSON
  /// The disclosures, in the order of the token.
  public let values: [Value]
  /// How many digests have no disclosure: values that were not disclosed, or decoys.
  public let undisclosedCount: Int

  /// Puts every disclosure in the place of its digest.
  ///
  /// - Throws: ``JOSEError`` with the code `disclosureInvalid` if a disclosure does not belong to exactly
  ///   one digest or repeats a claim, `malformed` for digests that are not text, or `unsupported` for an
  ///   unknown hash algorithm.
  public init(_ token: SDJWT) throws(JOSEError) {
    let payload = try token.payload()
    let algorithm = try Disclosure.algorithm(of: payload)
    var resolver = Resolver()
    for (index, disclosure) in token.disclosures.enumerated() {
      let digest = try disclosure.digest(algorithm)
      guard resolver.indexes.updateValue(index, forKey: Array(digest.utf8)) == nil else {
        throw JOSEError(.disclosureInvalid, "a disclosure is given twice")
      }
      resolver.disclosures.append((disclosure, digest))
    }
    var members = try resolver.resolved(payload, at: "", depth: 0).object ?? [:]
    members["_sd_alg"] = nil
    claims = .object(members)
    var values: [Value] = []
    for (index, (disclosure, digest)) in resolver.disclosures.enumerated() {
      guard let path = resolver.paths[index] else {
        let what = disclosure.name.map { "the claim \(quoted($0))" } ?? "an element of an array"
        throw JOSEError(
          .disclosureInvalid, "the token has no digest of a disclosure (\(what))")
      }
      values.append(Value(disclosure: disclosure, path: path, digest: digest))
    }
    self.values = values
    undisclosedCount = resolver.undisclosedCount
  }
}

/// Replaces digests by values; a digest is text of a remote source, so it is compared as bytes.
private struct Resolver {
  var disclosures: [(Disclosure, String)] = []
  var indexes: [[UInt8]: Int] = [:]
  /// Where the value of a disclosure belongs.
  var paths: [Int: String] = [:]
  var undisclosedCount = 0
  private var seen: Set<[UInt8]> = []

  mutating func resolved(_ value: JSON, at path: String, depth: Int) throws(JOSEError) -> JSON {
    guard depth <= Self.maximumDepth else {
      throw JOSEError(.disclosureInvalid, "the disclosures are nested too deeply")
    }
    if let elements = value.array {
      return .array(try resolved(elements, at: path, depth: depth))
    }
    guard let object = value.object else { return value }
    var members: JSONObject = [:]
    for (name, member) in object where name != "_sd" {
      guard name != "..." else {
        throw JOSEError(.disclosureInvalid, "the name '...' is only for digests in arrays")
      }
      members[name] = try resolved(member, at: JSON.path(path, name), depth: depth + 1)
    }
    for digest in try Self.digests(object["_sd"]) {
      guard let (index, disclosure) = try disclosure(of: digest) else { continue }
      guard let name = disclosure.name else {
        throw JOSEError(.disclosureInvalid, "the disclosure of a claim has no name")
      }
      guard name != "_sd", name != "..." else {
        throw JOSEError(.disclosureInvalid, "a disclosure has the reserved name '\(name)'")
      }
      guard members[name] == nil else {
        throw JOSEError(.disclosureInvalid, "the claim \(quoted(name)) is there twice")
      }
      let place = JSON.path(path, name)
      paths[index] = place
      members[name] = try resolved(disclosure.value, at: place, depth: depth + 1)
    }
    return .object(members)
  }

  private mutating func resolved(
    _ elements: [JSON], at path: String, depth: Int
  ) throws(JOSEError) -> [JSON] {
    var kept: [JSON] = []
    for element in elements {
      let place = "\(path)[\(kept.count)]"
      guard let digest = element["..."] else {
        kept.append(try resolved(element, at: place, depth: depth + 1))
        continue
      }
      guard element.object?.count == 1, let digest = digest.string else {
        throw JOSEError(.malformed, "the member '...' of an array is not a digest alone")
      }
      guard let (index, disclosure) = try disclosure(of: digest) else { continue }
      guard disclosure.name == nil else {
        throw JOSEError(.disclosureInvalid, "the disclosure of an element of an array has a name")
      }
      paths[index] = place
      kept.append(try resolved(disclosure.value, at: place, depth: depth + 1))
    }
    return kept
  }

  /// The disclosure of a digest, which may occur only once; `nil` if the value was not disclosed.
  private mutating func disclosure(
    of digest: String
  ) throws(JOSEError) -> (Int, Disclosure)? {
    let key = Array(digest.utf8)
    guard seen.insert(key).inserted else {
      throw JOSEError(.disclosureInvalid, "the token has the same digest twice")
    }
    guard let index = indexes[key] else {
      undisclosedCount += 1
      return nil
    }
    return (index, disclosures[index].0)
  }

  private static func digests(_ value: JSON?) throws(JOSEError) -> [String] {
    guard let value else { return [] }
    guard let digests = value.strings else {
      throw JOSEError(.malformed, "the member '_sd' is not a list of digests")
    }
    return digests
  }

  /// As deep as JSON itself may be.
  private static let maximumDepth = 64
}

/// One disclosure of an SD-JWT: a claim, or an element of an array (RFC 9901 section 4.2).
public struct Disclosure: Sendable, Hashable {
  /// The disclosure as it was sent, which the digest is computed of.
  public let text: String
  /// The random text that hides the value of a digest.
  public let salt: String
  /// The name of the claim; `nil` for an element of an array.
  public let name: String?
  /// The value, which may contain digests itself.
  public let value: JSON

  init(_ text: String) throws(JOSEError) {
    let bytes = try tokenPart("disclosure", Array(text.utf8)[...])
    let document = try parsed("a disclosure", bytes)
    guard let elements = document.array, [2, 3].contains(elements.count),
      let salt = elements.first?.string, let value = elements.last
    else {
      throw JOSEError(
        .malformed,
        "a disclosure is not an array of a salt, a name and a value, or a salt and a value")
    }
    if elements.count == 3 {
      guard let name = elements[1].string else {
        throw JOSEError(.malformed, "the name in a disclosure is \(elements[1].kind), not a string")
      }
      self.name = name
    } else {
      name = nil
    }
    self.text = text
    self.salt = salt
    self.value = value
  }

  /// The digest, which the token has in place of the value.
  func digest(_ algorithm: DigestAlgorithm) throws(JOSEError) -> String {
    try Self.digest(of: Array(text.utf8), algorithm)
  }

  /// A digest as base64url (RFC 9901 section 4.2.3).
  static func digest(
    of bytes: [UInt8], _ algorithm: DigestAlgorithm
  ) throws(JOSEError) -> String {
    Base64URL.encode(
      try joseError { () throws(CryptoError) in try Digest.hash(bytes, with: algorithm) })
  }

  /// The hash algorithm that a payload names (RFC 9901 section 4.1.1).
  static func algorithm(of payload: JSON) throws(JOSEError) -> DigestAlgorithm {
    let name = try JOSE.text(payload["_sd_alg"], "the claim '_sd_alg'")
    switch name ?? "sha-256" {
    case "sha-256": return .sha256
    case "sha-384": return .sha384
    case "sha-512": return .sha512
    default:
      throw JOSEError(
        .unsupported, "the hash algorithm \(quoted(name ?? "")) (_sd_alg) is not supported")
    }
  }
}
