import HTTP
import Primitives

/// Which fields a proxy passes on.
enum ProxyFields {
  /// The fields of a request without those that are about the connection to the proxy, that may be a
  /// credential of another server, or that would tell the address of the proxy.
  static func passedOn(ofRequest fields: HTTPFields) -> HTTPFields {
    remaining(fields, without: ofRequests) { !$0.hasPrefix("sec-fetch-") }
  }

  private static let ofRequests = hopByHop.union([
    "authorization", "cookie", "cookie2", "dpop", "expect", "host", "origin", "referer",
    "access-control-request-method", "access-control-request-headers",
    "access-control-request-private-network", "user-agent",
  ])

  /// The fields of a response without those that are about the connection to the server, that a
  /// browser would keep for all servers of this machine, or by which it would send reports elsewhere.
  ///
  /// The address of the proxy does not go to the servers of a page's links and images, and a page of the server
  /// has no part in the origin of the proxy.
  ///
  /// `origin` is the allowed origin of the page that gets the response; it takes the place of what the
  /// server allows to pages.
  static func passedOn(ofResponse fields: HTTPFields, to origin: HTTPField?) -> HTTPFields {
    let passedOn = remaining(fields, without: ofResponses) { !$0.hasPrefix("access-control-") }
    var passed = HTTPFields(passedOn.map(withoutReports))
    if let origin { allow(origin, in: &passed) }
    passed.append(HTTPField(known: "Referrer-Policy", "no-referrer"))
    passed.append(HTTPField(known: "X-Content-Type-Options", "nosniff"))
    // Beside the server's own: a browser obeys all. A page can say that its images get the address.
    passed.append(
      HTTPField(
        known: "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"))
    // Nothing of the above keeps a link of a page from sending the address.
    if fields.values(of: "Content-Type").contains(where: mayHaveLinks),
      passed["Content-Disposition"]?.asciiLowercased.hasPrefix("attachment") != true
    {
      passed.replace(with: HTTPField(known: "Content-Disposition", "attachment"))
    }
    return passed
  }

  /// Whether a browser shows a page of this media type, with links.
  private static func mayHaveLinks(_ type: String) -> Bool {
    let type = type.asciiLowercased
    return ["html", "xml", "multipart/", "pdf"].contains { type.containsText($0) }
  }

  /// The field without the directives of a Content-Security-Policy by which a browser sends the address of the page
  /// to another server.
  private static func withoutReports(_ field: HTTPField) -> HTTPField {
    guard field.name.equalsIgnoringCase("Content-Security-Policy") else { return field }
    let policies = field.value.split(separator: ",").map { policy in
      policy.split(separator: ";").filter {
        let name = $0.trimmingBlanks.prefix { $0 != " " && $0 != "\t" }
        return !["report-uri", "report-to"].contains(name.asciiLowercased)
      }.joined(separator: ";")
    }
    return HTTPField(known: "Content-Security-Policy", policies.joined(separator: ","))
  }

  private static let ofResponses = hopByHop.union([
    "set-cookie", "set-cookie2", "strict-transport-security", "alt-svc", "clear-site-data",
    "referrer-policy", "x-content-type-options", "nel", "report-to", "reporting-endpoints",
    "service-worker-allowed", "public-key-pins", "public-key-pins-report-only",
    "content-security-policy-report-only", "expect-ct",
  ])

  /// The fields of the response to a page that asks whether it may send a request.
  static func preflight(_ asked: HTTPFields, from origin: HTTPField) -> HTTPFields {
    var fields = HTTPFields()
    allow(origin, in: &fields)
    fields.append(
      HTTPField(
        known: "Access-Control-Allow-Methods", ProxyRules.methods.joined(separator: ", ")))
    if let names = asked["Access-Control-Request-Headers"] {
      fields.append(HTTPField(known: "Access-Control-Allow-Headers", names))
    }
    if asked["Access-Control-Request-Private-Network"] == "true" {
      fields.append(HTTPField(known: "Access-Control-Allow-Private-Network", "true"))
    }
    return fields
  }

  private static func allow(_ origin: HTTPField, in fields: inout HTTPFields) {
    fields.append(HTTPField(known: "Access-Control-Allow-Origin", origin.value))
    fields.append(HTTPField(known: "Access-Control-Expose-Headers", "*"))
    fields.append(HTTPField(known: "Vary", "Origin"))
  }

  private static func remaining(
    _ fields: HTTPFields, without names: Set<String>, where passes: (String) -> Bool
  ) -> HTTPFields {
    // The names in Connection are about the connection too (RFC 9110 section 7.6.1).
    let dropped = names.union(fields.members(of: "Connection").map(\.asciiLowercased))
    return HTTPFields(
      fields.filter {
        let name = $0.name.asciiLowercased
        return !dropped.contains(name) && passes(name)
      })
  }

  private static let hopByHop: Set<String> = [
    "connection", "content-length", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
}
