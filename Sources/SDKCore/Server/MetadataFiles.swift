import JSON
import OAuth
import Primitives

/// The metadata of authorization servers on disk: `cache/issuers/*.json`, for one hour.
struct MetadataFiles: Sendable {
  let cache: TrustCache
  let now: @Sendable () -> Timestamp

  /// What the server said of itself within the last hour; `nil` if nothing is kept of it.
  func metadata(of issuer: Issuer) -> ServerMetadata? {
    guard let document = try? StoreDocument.read(path(issuer), .shared),
      let expires = document.members["expires"]?.time, expires > now(),
      expires <= now() + Self.freshness,
      let metadata = document.members["document"]?.object
    else { return nil }
    return try? ServerMetadata(metadata, for: issuer)
  }

  /// A cache that cannot be written costs a request, and nothing else.
  func keep(_ metadata: ServerMetadata) {
    let members: JSONObject = [
      "document": .object(metadata.document), "expires": .time(now() + Self.freshness),
    ]
    try? StoreDocument(path: path(metadata.issuer), secrecy: .shared, members: members).write()
  }

  private func path(_ issuer: Issuer) -> StorePath { cache.path("issuers", issuer.text) }

  private static let freshness: Int64 = 3600
}
