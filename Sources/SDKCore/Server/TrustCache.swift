import OpenSSL
import Pinning
import Primitives

/// Where documents of servers are kept that cost a request to have again.
///
/// One file for what decided that a document could be trusted: with other pins, another
/// authority or another policy, another file.
struct TrustCache: Sendable {
  private let location: StoreLocation
  private let trust: [String]

  /// Takes the file of the trusted authorities: the profile's or the environment's.
  init(_ location: StoreLocation, _ profile: Profile, _ pins: PinSets, caFile: String?) {
    self.location = location
    let pinned = pins.sets.map { set in
      "\(set.pattern) \(set.policy?.rawValue ?? "-") \(set.expires ?? 0) "
        + "\(set.keys.map(\.pin.description))"
    }
    trust =
      [profile.name.description, caFile ?? "", profile.pinPolicy.rawValue] + pinned
  }

  /// The documents of servers that belong to no profile: only the authorities count.
  init(_ location: StoreLocation, authorities: String?) {
    self.location = location
    trust = ["", authorities ?? ""]
  }

  init(_ environment: SessionEnvironment) {
    let options = environment.options
    self.init(
      environment.location, environment.profile, environment.pins,
      caFile: environment.transportSettings.caFile(options) ?? options.environmentCADirectory)
  }

  /// The file of a document: `issuers/…` or `jwks/…`.
  func path(_ kind: String, _ name: String) -> StorePath {
    let digest = Digest.sha256(Array(([name] + trust).joined(separator: "\n").utf8))
    return location.cacheFile("\(kind)/\(Hex.encode(digest.prefix(16))).json")
  }
}
