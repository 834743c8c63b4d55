package import HTTP
package import JSON
package import Primitives

/// Keeps the published keys of servers between uses.
package protocol KeyCache: Sendable {
  /// What is kept of that address; `nil` when it is nothing that could be used.
  func keys(of url: HTTPURL) -> CachedKeys?

  /// Keeps keys; that it cannot costs a request, and nothing else.
  func keep(_ keys: CachedKeys, of url: HTTPURL)
}

/// A document of keys, with the times that bound how often a server is asked for it.
package struct CachedKeys: Sendable, Hashable {
  package var document: JSONObject
  /// When it must be fetched again.
  package var expires: Timestamp
  /// When a token that they did not verify last made the server be asked for new ones.
  package var retried: Timestamp?

  package init(document: JSONObject, expires: Timestamp, retried: Timestamp? = nil) {
    self.document = document
    self.expires = expires
    self.retried = retried
  }

  /// How long such a document is kept at most, and at least.
  package static let lifetimes: ClosedRange<Int64> = 300...86400

  /// How long a response is kept: as it says, within limits; an hour if it does not say.
  static func lifetime(of fields: HTTPFields) -> Int64 {
    guard let control = fields["Cache-Control"]?.asciiLowercased else { return 3600 }
    let directives = control.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    if directives.contains("no-store") || directives.contains("no-cache") {
      return lifetimes.lowerBound
    }
    let ages = directives.compactMap { directive in
      directive.hasPrefix("max-age=") ? Int64(directive.dropFirst(8)) : nil
    }
    return ages.first.map { min(max($0, lifetimes.lowerBound), lifetimes.upperBound) } ?? 3600
  }
}

/// No cache: every use asks the server.
package struct NoKeyCache: KeyCache {
  package init() {}

  package func keys(of url: HTTPURL) -> CachedKeys? { nil }

  package func keep(_ keys: CachedKeys, of url: HTTPURL) {}
}
