/// Decides what a request is about: by path, method, `Host` and size, in that order of trust.
struct LoopbackRoutes {
  enum Route {
    case incomplete
    case refuse(LoopbackReply)
    /// The encoded parameters of an answer to the authorization request.
    case callback(String)
    /// The browser asks how the login ended.
    case outcome
  }

  /// Where the browser learns the outcome; nobody else knows it.
  let outcomePath = "/done/" + Self.secret()
  private let path: String
  private let hosts: Set<String>

  private static let longestBody = 65_536

  init(port: UInt16, path: String) {
    self.path = path
    let names = ["127.0.0.1", "[::1]", "localhost"]
    hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// 128 random bits.
  static func secret() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  func route(_ bytes: [UInt8], allowsPost: Bool) -> Route {
    switch LoopbackHead.read(bytes) {
    case .incomplete: .incomplete
    case .malformed: refuse(400, "This is not a request")
    case .lineTooLong: refuse(414, "The address is too long")
    case .fieldsTooLong: refuse(431, "The request is too long")
    case .complete(let head, let size):
      route(head, body: bytes[size...], allowsPost: allowsPost)
    }
  }

  private func route(_ head: LoopbackHead, body: ArraySlice<UInt8>, allowsPost: Bool) -> Route {
    // Another name for this address is how a foreign site would reach it (DNS rebinding).
    guard let host = head.only("host"), hosts.contains(host.lowercased()) else {
      return refuse(400, "This is not a request for this address")
    }
    let isCallback = head.path == path
    guard isCallback || head.path == outcomePath else { return refuse(404, "Nothing is here") }
    switch head.method {
    case "GET": return isCallback ? .callback(head.query) : .outcome
    case "POST" where isCallback && allowsPost: return posted(head, body)
    default:
      let allowed = isCallback && allowsPost ? "GET, POST" : "GET"
      return .refuse(
        LoopbackReply(405, .refused("This cannot be done here"), fields: [("Allow", allowed)]))
    }
  }

  private func posted(_ head: LoopbackHead, _ body: ArraySlice<UInt8>) -> Route {
    let type = head.only("content-type")?.split(separator: ";").first?.lowercased()
    guard
      type == "application/x-www-form-urlencoded", !head.has("transfer-encoding"),
      let digits = head.only("content-length"), let length = Int(digits), length >= 0
    else { return refuse(400, "This is not a form") }
    if length > Self.longestBody { return refuse(413, "The form is too long") }
    if body.count < length { return .incomplete }
    return .callback(String(decoding: body.prefix(length), as: UTF8.self))
  }

  private func refuse(_ status: Int, _ title: String) -> Route {
    .refuse(LoopbackReply(status, .refused(title)))
  }
}
