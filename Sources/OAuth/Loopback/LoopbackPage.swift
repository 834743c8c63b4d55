import Primitives

/// The outcome of a login, for the browser.
package enum LoopbackPage: Sendable, Hashable {
  /// For the profile of that name, at that server.
  case signedIn(profile: String, server: String)
  case cancelled
  /// A short reason; any text is allowed.
  case failed(String)

  var text: LoopbackText {
    switch self {
    case .signedIn(let profile, let server):
      LoopbackText(
        "You are signed in", "Profile \(profile), at \(server).",
        "You can close this page and return to the terminal.", mark: .done)
    case .cancelled:
      LoopbackText(
        "The login was cancelled",
        "Nothing was shared. You can close this page and return to the terminal.", mark: .failed)
    case .failed(let reason):
      LoopbackText(
        "The login failed", "Reason: \(reason)",
        "Return to the terminal to see what can be done.", mark: .failed)
    }
  }
}

struct LoopbackText {
  /// The symbol above the title.
  enum Mark: String {
    case done = "✓"
    case failed = "✗"
    case waiting = "…"
    case unexpected = "?"
  }

  let title: String
  let paragraphs: [String]
  let mark: Mark
  let refreshes: Bool

  init(_ title: String, _ paragraphs: String..., mark: Mark, refreshes: Bool = false) {
    self.title = title
    self.paragraphs = paragraphs.filter { !$0.isEmpty }
    self.mark = mark
    self.refreshes = refreshes
  }

  static func received(by program: String) -> LoopbackText {
    LoopbackText(
      "Authorization received",
      "Please return to the terminal, where \(program) completes the login.",
      mark: .waiting, refreshes: true)
  }
  static func foreign(to program: String) -> LoopbackText {
    LoopbackText(
      "This is not the expected response",
      "The login in the terminal continues. Use the page that \(program) opened.", mark: .unexpected
    )
  }
  static var repeated: LoopbackText {
    LoopbackText(
      "This response was already used", "Return to the terminal to see how the login ended.",
      mark: .unexpected)
  }
  static func used(by program: String) -> LoopbackText {
    LoopbackText(
      "This address was already used",
      "If that was not you, another user of this machine may have opened it: cancel the login in "
        + "the terminal and start again. Otherwise use the address that \(program) printed.",
      mark: .unexpected)
  }
  static func refused(_ title: String) -> LoopbackText { LoopbackText(title, mark: .unexpected) }
  static func refused(_ title: String, _ refusal: LoopbackRefusal) -> LoopbackText {
    LoopbackText(
      title, "The response was refused: \(refusal.cause).",
      refusal.advice.map { "To go on: \($0)." } ?? "",
      "The login in the terminal still waits.", mark: .unexpected)
  }

  func html(nonce: String) -> String {
    let refresh = refreshes ? "\n<meta http-equiv=\"refresh\" content=\"1\">" : ""
    let body = paragraphs.map { "<p>\(Self.escaped($0))</p>" }.joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">\(refresh)
      <title>\(Self.escaped(title))</title>
      <style nonce="\(nonce)">\(Self.style)</style>
      </head>
      <body>
      <main>
      <p class="mark \(mark)" aria-hidden="true">\(mark.rawValue)</p>
      <h1>\(Self.escaped(title))</h1>
      \(body)
      </main>
      </body>
      </html>

      """
  }

  /// Untrusted text for a page: escaped, without control characters, shortened.
  private static func escaped(_ text: String) -> String {
    VisibleText.of(text, .space, limit: 400).escapedForMarkup(apostrophes: true)
  }

  private static let style = """
    :root{color-scheme:light dark}\
    body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f6f7f9;\
    color:#1c2430;font:1.05rem/1.5 system-ui,sans-serif}\
    main{max-width:28rem;margin:1rem;padding:2.5rem;border-radius:.8rem;background:#fff;\
    box-shadow:0 1px 6px rgba(0,0,0,.15);text-align:center}\
    h1{font-size:1.4rem;line-height:1.3;margin:.5rem 0 1rem;text-wrap:balance}\
    p{margin:.5rem 0;text-wrap:balance;overflow-wrap:anywhere}main>:last-child{margin-bottom:0}\
    .mark{font-size:2.5rem;line-height:1}.done{color:#0f6b63}.failed{color:#b3261e}\
    @media(prefers-color-scheme:dark){body{background:#14181f;color:#e6e9ee}\
    main{background:#1f2530;box-shadow:none}.done{color:#5eead4}.failed{color:#ffb4ab}}
    """
}

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

/// Why the listener refused a request that is most likely the response that is waited for.
package enum LoopbackRefusal: Sendable, Hashable {
  /// Its header fields are too long: browsers send the cookies of all programs of this machine.
  case longFields
  case longAddress
  case longForm
  case otherHost(String)
  /// Any page can send such an error, so it does not end the login.
  case statelessError(String)

  /// The cause, for people: what the request is or has.
  package var cause: String {
    switch self {
    case .longFields: "its header fields are longer than \(LoopbackHead.limit >> 10) KiB"
    case .longAddress: "its address is longer than \(LoopbackHead.limit >> 10) KiB"
    case .longForm: "its form is longer than \(AuthorizationResponse.maximumByteCount >> 10) KiB"
    case .otherHost(let name): "it is for the host \(VisibleText.quoted(name)), not for 127.0.0.1"
    case .statelessError(let error):
      "it is the error \(VisibleText.quoted(error)), without the state of this login"
    }
  }

  /// What a person can do in the browser; `nil` if nothing is known to help.
  package var advice: String? {
    switch self {
    case .longFields:
      "delete the cookies of 127.0.0.1 and localhost in the browser and load the page again, or use a private "
        + "window"
    case .otherHost:
      "use no proxy for 127.0.0.1 in the browser, or replace the host in the address of the page by 127.0.0.1"
    case .longAddress, .longForm, .statelessError: nil
    }
  }

  /// Whether it is of the same kind, so that a person need not be told again.
  func isLike(_ other: LoopbackRefusal) -> Bool {
    switch (self, other) {
    case (.otherHost, .otherHost), (.statelessError, .statelessError): true
    default: self == other
    }
  }

  var reply: LoopbackReply {
    switch self {
    case .longFields: LoopbackReply(431, .refused("The request is too long", self))
    case .longAddress: LoopbackReply(414, .refused("The address is too long", self))
    case .longForm: LoopbackReply(413, .refused("The form is too long", self))
    case .otherHost: LoopbackReply(400, .refused("This is not a request for this address", self))
    case .statelessError: LoopbackReply(400, .refused("This is not the expected response", self))
    }
  }
}
