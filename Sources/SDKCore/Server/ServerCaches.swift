import JSON
package import OAuth
import OpenSSL
import Pinning
import Primitives
import Synchronization

/// The form of a client's credential that its server accepted: `clients/PROFILE.json`.
///
/// Without it, each request would first be sent in a form that the server refuses.
struct CredentialFormFile: ServerCache {
  let location: StoreLocation
  let profile: ProfileName
  let issuer: Issuer

  func value(of client: String) -> CredentialForm? {
    file.read()?["forms"]?[client]?.string.flatMap(CredentialForm.init(identifier:))
  }

  func store(_ form: CredentialForm, of client: String) {
    var forms = file.read()?["forms"]?.object ?? [:]
    forms[client] = .string(form.rawValue)
    file.write(["forms": .object(forms)])
  }

  private var file: CachedDocument {
    CachedDocument(
      path: location.cacheFile("clients/\(profile).json"), owner: ["issuer": issuer.text])
  }
}

/// The last nonce of each server of a profile: `nonces/PROFILE.json`.
///
/// Read once and written when one changes, without a lock: two processes may write over each
/// other's nonce, and one of them then sends a request twice.
final class NonceFile: ServerCache {
  private let file: CachedDocument
  private let known = Mutex<JSONObject?>(nil)

  init(_ location: StoreLocation, _ profile: ProfileName) {
    file = CachedDocument(path: location.cacheFile("nonces/\(profile).json"))
  }

  func value(of origin: String) -> String? {
    known.withLock { known in
      let nonces = known ?? stored()
      known = nonces
      return nonces[origin]?.string
    }
  }

  func store(_ nonce: String, of origin: String) {
    guard !sameIdentifier(value(of: origin), nonce) else { return }
    known.withLock { $0?[origin] = .string(nonce) }
    var nonces = stored()
    // A server whose nonce is gone asks for one again, which takes one more request.
    if nonces.count >= Self.maximumCount { nonces = [:] }
    nonces[origin] = .string(nonce)
    file.write(["nonces": .object(nonces)])
  }

  private func stored() -> JSONObject { file.read()?["nonces"]?.object ?? [:] }

  private static let maximumCount = 64
}

/// The cached documents of servers.
///
/// One file for what decided that a document could be trusted: with other pins, another
/// authority or another policy, another file.
package struct TrustCache: Sendable {
  private let location: StoreLocation
  private let authorities: [String]
  private let pins: PinSets
  /// Whether what servers say is only read here.
  var isReadOnly = false

  /// Takes the file of the trusted authorities: the profile's or the environment's.
  init(_ location: StoreLocation, _ profile: Profile, _ pins: PinSets, caFile: String?) {
    self.location = location
    self.pins = pins
    authorities = [profile.name.description, caFile ?? "", profile.pinPolicy.rawValue]
  }

  /// The documents of servers that belong to no profile: only the authorities count.
  init(_ location: StoreLocation, authorities: String?) {
    self.location = location
    pins = PinSets()
    self.authorities = ["", authorities ?? ""]
  }

  /// The file of a document: `issuers/…` or `jwks/…` of the cache; `nil` if it cannot be named.
  package func file(_ kind: String, _ name: String) -> CachedDocument? {
    let pinned = pins.sets.map { set in
      "\(set.pattern) \(set.policy?.rawValue ?? "-") \(set.expires ?? 0) "
        + "\(set.keys.map(\.pin.description))"
    }
    guard let digest = try? digest(of: ([name] + authorities + pinned).joined(separator: "\n").utf8)
    else { return nil }
    return CachedDocument(
      path: location.cacheFile("\(kind)/\(Hex.encode(digest.prefix(16))).json"), secrecy: .shared,
      isReadOnly: isReadOnly)
  }
}

extension TrustCache {
  func metadata(of issuer: Issuer, at now: Timestamp) -> ServerMetadata? {
    guard let members = file("issuers", issuer.text)?.read(),
      let expires = members["expires"]?.time, expires > now, expires <= now + Self.freshness,
      let metadata = members["document"]?.object
    else { return nil }
    return try? ServerMetadata(metadata, for: issuer)
  }

  func store(_ metadata: ServerMetadata, at now: Timestamp) {
    file("issuers", metadata.issuer.text)?.write([
      "document": .object(metadata.document), "expires": .time(now + Self.freshness),
    ])
  }

  private static let freshness: Int64 = 3600
}

/// The published keys of servers, by their URL.
extension TrustCache: ServerCache {
  package func value(of url: String) -> CachedKeys? {
    file("jwks", url)?.read().flatMap { try? CachedKeys(StoredFields($0, in: url)) }
  }

  package func store(_ keys: CachedKeys, of url: String) { file("jwks", url)?.write(keys.stored) }
}

extension CachedKeys: StoredValue {
  package init(_ fields: StoredFields, _ value: CachedKeys?) throws(SDKError) {
    self.init(
      document: try fields.required("document", value?.document, .members),
      expires: try fields.required("expires", value?.expires, .seconds),
      retried: try fields.optional("retried", value?.retried, .seconds))
  }
}
