/// One response to the browser: not cached, without scripts, other resources and referrer.
struct LoopbackReply {
  let status: Int
  let page: LoopbackText?
  let fields: [(String, String)]

  init(_ status: Int, _ page: LoopbackText?, fields: [(String, String)] = []) {
    self.status = status
    self.page = page
    self.fields = fields
  }

  /// Redirects to another address, because that of the callback contains the code.
  static func seeOther(_ path: String) -> LoopbackReply {
    LoopbackReply(303, nil, fields: [("Location", path)])
  }

  /// Redirects to the authorization server.
  static func found(_ url: String) -> LoopbackReply {
    LoopbackReply(302, nil, fields: [("Location", url)])
  }

  func bytes(nonce: String) -> [UInt8] {
    let body = page?.html(nonce: nonce) ?? ""
    var lines = [
      "HTTP/1.1 \(status) \(Self.reason(status))",
      "Content-Type: text/html; charset=utf-8",
      "Content-Length: \(body.utf8.count)",
      "Cache-Control: no-store",
      "Content-Security-Policy: default-src 'none'; style-src 'nonce-\(nonce)'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Referrer-Policy: no-referrer",
      "X-Content-Type-Options: nosniff",
      "X-Frame-Options: DENY",
      "Cross-Origin-Resource-Policy: same-origin",
      "Connection: close",
    ]
    lines += fields.map { "\($0.0): \($0.1)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 302: "Found"
    case 303: "See Other"
    case 400: "Bad Request"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    default: "Request Header Fields Too Large"
    }
  }
}
