public import HTTP
package import JSON
import OAuth
import POSIX
public import Primitives

/// The cookies that a login set: the session of the user at the provider.
///
/// They are stored as they are, sent explicitly with each request that they are for, and replaced
/// as a whole by the next login. A later `Set-Cookie` does not change them.
public struct SessionCookies: Sendable, Hashable {
  /// The cookies.
  public let cookies: [Cookie]
  /// When they were obtained.
  public let obtained: Timestamp
  /// The name with which the user logged in; `nil` if it is not known.
  public var user: String?

  /// Makes a session that was obtained at a time, or now.
  public init(_ cookies: [Cookie], obtained: Timestamp? = nil) {
    self.cookies = cookies
    self.obtained = obtained ?? SystemClock.now()
  }

  /// When the first cookie expires; `nil` if all last for the session.
  public var expires: Timestamp? { cookies.compactMap(\.expires).min() }

  /// The value of the field `Cookie` of a request; `nil` if no cookie is for that URL.
  public func header(for url: HTTPURL, at now: Timestamp) -> String? {
    cookies.header(for: url, at: now)
  }
}

extension SessionCookies {
  /// The members of a stored document, with `nil` for those that tokens have.
  var stored: [String: JSON?] {
    let none = TokenSet(
      accessToken: "", expires: nil, scope: nil, refreshToken: nil, obtained: 0)
    var members = none.stored.mapValues { _ in JSON?.none }
    members["provider"] = .string("cookies")
    members["cookies"] = .array(cookies.map(\.stored))
    members["obtained"] = .time(obtained)
    // The member of a former login is erased: an assignment of nil would leave it.
    members.updateValue(user.map { .string($0) }, forKey: "user")
    return members
  }

  /// Reads the members of a stored document; `place` names it in errors.
  init(stored members: JSONObject, in place: String) throws(SDKError) {
    guard let list = members["cookies"]?.array, let obtained = members["obtained"]?.time else {
      throw SDKError(
        .invalidConfiguration, "could not read \(place): 'cookies' or 'obtained' is missing")
    }
    var cookies: [Cookie] = []
    for value in list {
      guard let cookie = Cookie(stored: value) else {
        throw SDKError(.invalidConfiguration, "could not read \(place): a cookie is not valid")
      }
      cookies.append(cookie)
    }
    self.init(cookies, obtained: obtained)
    user = members["user"]?.string
  }
}

extension Cookie {
  package var stored: JSON {
    .members([
      "name": .string(name), "value": .string(value), "domain": .string(domain),
      "hostOnly": .bool(isHostOnly), "path": .string(path), "expires": expires.map { .time($0) },
      "secure": .bool(isSecure), "httpOnly": .bool(isHTTPOnly),
    ])
  }

  fileprivate init?(stored value: JSON) {
    guard let name = value["name"]?.string, let text = value["value"]?.string,
      let domain = value["domain"]?.string, let path = value["path"]?.string,
      let isHostOnly = value["hostOnly"]?.bool, let isSecure = value["secure"]?.bool,
      value["expires"] == nil || value["expires"]?.time != nil
    else { return nil }
    self.init(
      name: name, value: text, domain: domain, isHostOnly: isHostOnly, path: path,
      expires: value["expires"]?.time, isSecure: isSecure,
      isHTTPOnly: value["httpOnly"]?.bool ?? true)
  }
}

extension SessionCookies: CustomStringConvertible, CustomDebugStringConvertible {
  /// Redacted: a session may end up in a log.
  public var description: String { "SessionCookies(\(cookies))" }

  /// Redacted, as ``description``.
  public var debugDescription: String { description }
}
