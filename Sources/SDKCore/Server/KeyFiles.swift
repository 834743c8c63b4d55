import HTTP
import JSON
import OAuth
import Primitives

/// The published keys of servers on disk: `cache/jwks/*.json`.
struct KeyFiles: KeyCache {
  private let cache: TrustCache

  init(_ cache: TrustCache) { self.cache = cache }

  func keys(of url: HTTPURL) -> CachedKeys? {
    guard let document = try? StoreDocument.read(path(url), .shared),
      let keys = document.members["document"]?.object,
      let expires = document.members["expires"]?.time, expires >= 0
    else { return nil }
    return CachedKeys(
      document: keys, expires: expires, retried: document.members["retried"]?.time)
  }

  func keep(_ keys: CachedKeys, of url: HTTPURL) {
    var members: JSONObject = [
      "document": .object(keys.document), "expires": .time(keys.expires),
    ]
    members["retried"] = keys.retried.map { .time($0) }
    try? StoreDocument(path: path(url), secrecy: .shared, members: members).write()
  }

  private func path(_ url: HTTPURL) -> StorePath { cache.path("jwks", url.description) }
}
