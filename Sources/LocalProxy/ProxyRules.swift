import HTTP
import HTTPServer
import OpenSSL
import Primitives

/// Which requests a proxy passes on: those of programs that were given its address, in one reading only.
struct ProxyRules: Sendable {
  /// The values of `Host` that name the proxy, in lower case.
  let hosts: Set<String>
  /// The first segment of every path; `nil` where the file of a socket protects it.
  let secret: String?
  /// The origins of other pages that may use the proxy, in lower case.
  let allowedOrigins: Set<String>

  /// What is done with a request.
  enum Verdict: Sendable, Hashable {
    /// It is passed on, with this path and query.
    case pass(String)
    /// A browser asks whether a page of this allowed origin may send a request.
    case preflight(from: HTTPField)
    case refuse(Int, String)
  }

  func verdict(on request: ReceivedRequest) -> Verdict {
    if let refusal = Self.ambiguity(of: request) { return refusal }
    if ["CONNECT", "TRACE"].contains(request.method) {
      return .refuse(405, "the method \(request.method) is not passed on")
    }
    guard let target = localTarget(of: request) else {
      return .refuse(421, "the address or the field Host is not the proxy's")
    }
    if wantsOtherProtocol(request.fields) {
      return .refuse(501, "a connection cannot be upgraded to another protocol")
    }
    guard let path = path(of: target) else {
      return .refuse(404, "the address is not the one that the proxy has printed")
    }
    guard mayUse(request.fields) else {
      return .refuse(403, "pages of other origins must not use the proxy")
    }
    if request.method == "OPTIONS", let origin = origin(of: request),
      request.fields.contains("Access-Control-Request-Method")
    {
      return .preflight(from: origin)
    }
    guard Self.methods.contains(request.method) else {
      return .refuse(405, "this method is not passed on")
    }
    return .pass(path)
  }

  static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

  static let fieldLimit = 100

  /// The allowed origin of another page that has sent a request; `nil` if none has.
  func origin(of request: ReceivedRequest) -> HTTPField? {
    request.fields.first("Origin").flatMap {
      allowedOrigins.contains($0.value.asciiLowercased) ? $0 : nil
    }
  }

  /// Whether a client can go on in another protocol only: who offers HTTP/2 takes HTTP/1.1 too.
  private func wantsOtherProtocol(_ fields: HTTPFields) -> Bool {
    fields.members(of: "Upgrade").contains { $0.asciiLowercased != "h2c" }
  }

  /// Refuses what two programs could read in two ways (RFC 9112 sections 2.2, 5.2 and 6.3).
  private static func ambiguity(of request: ReceivedRequest) -> Verdict? {
    guard request.isPlain else { return .refuse(400, "the lines of the head are not plain") }
    guard ["HTTP/1.1", "HTTP/1.0"].contains(request.version) else {
      return .refuse(505, "the version is not HTTP/1.1")
    }
    guard request.fields.count <= fieldLimit else { return .refuse(431, "too many fields") }
    let lengths = request.fields.values(of: "Content-Length")
    let codings = request.fields.values(of: "Transfer-Encoding")
    guard lengths.count + codings.count <= 1 else {
      return .refuse(400, "the length of the body is given more than once")
    }
    if let length = lengths.first, !length.utf8.allSatisfy(\.isDigit) || Int64(length) == nil {
      return .refuse(400, "the length of the body is not a number")
    }
    if let coding = codings.first,
      coding.asciiLowercased != "chunked" || request.version != "HTTP/1.1"
    {
      return .refuse(400, "the transfer coding is not chunked")
    }
    return nil
  }

  /// The target without the authority of its absolute form; `nil` if it or `Host` names another server.
  private func localTarget(of request: ReceivedRequest) -> Substring? {
    let named = request.fields.values(of: "Host")
    guard named.count == 1, let host = named.first, isOurs(host) else { return nil }
    let scheme = "http://"
    guard request.target.asciiLowercased.hasPrefix(scheme) else { return request.target[...] }
    let rest = request.target.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard isOurs(String(Substring(authority))) else { return nil }
    return Substring(rest[authority.endIndex...])
  }

  private func isOurs(_ host: String) -> Bool { hosts.contains(host.asciiLowercased) }

  /// The path behind the secret, with the query.
  private func path(of target: Substring) -> String? {
    guard target.utf8.first == UInt8(ascii: "/"),
      target.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    guard let secret else { return String(target) }
    let rest = target.utf8.dropFirst()
    let given = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard ConstantTime.equal(String(Substring(given)), secret) else { return nil }
    let path = String(Substring(rest[given.endIndex...]))
    return path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
  }

  /// Whether the request comes from no page, from one of the proxy, or from an allowed one.
  private func mayUse(_ fields: HTTPFields) -> Bool {
    let origins = fields.values(of: "Origin")
    if !origins.isEmpty {
      return origins.count == 1
        && origins.allSatisfy {
          let origin = $0.asciiLowercased
          return allowedOrigins.contains(origin) || hosts.contains { origin == "http://\($0)" }
        }
    }
    // A browser that sends no Origin says so here.
    return fields.values(of: "Sec-Fetch-Site").allSatisfy { ["none", "same-origin"].contains($0) }
  }
}
