package import HTTP
import Pinning
package import Primitives

/// The cookies of one login, while it runs: the rules of a browser (RFC 6265), in memory only.
package struct CookieJar: Sendable {
  package private(set) var cookies: [Cookie]

  package init(_ cookies: [Cookie] = []) { self.cookies = cookies }

  /// Takes the cookies of a response; those that it must not set are ignored.
  package mutating func store(from response: HTTPResponse, at now: Timestamp) {
    for field in response.fields.values(of: "Set-Cookie") {
      guard
        let cookie = Cookie(
          setCookie: field, from: response.url, at: now,
          isPublicSuffix: PublicSuffix.contains)
      else { continue }
      cookies.removeAll { $0.isReplaced(by: cookie) }
      if !cookie.isExpired(at: now), cookies.count < Self.maximumCount { cookies.append(cookie) }
    }
  }

  private static let maximumCount = 64
}
