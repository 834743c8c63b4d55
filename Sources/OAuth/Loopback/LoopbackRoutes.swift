import Primitives

/// Decides how to respond to a request: checks size, syntax, `Host`, path, method and expectation.
struct LoopbackRoutes {
  enum Route {
    case incomplete
    case refuse(LoopbackReply)
    /// It is most likely the expected request, but cannot be accepted.
    case refuseResponse(LoopbackRefusal)
    /// It may be the expected request, but the login does not wait yet.
    case early
    /// The encoded parameters of the expected request.
    case accepted(String)
    /// The browser asks how the login ended.
    case outcome
    /// The browser that was started asks for the login's address.
    case launch
  }

  /// The path where the browser gets the outcome; a secret.
  let outcomePath = "/done/" + Self.secret()
  private let path: String
  private let program: String
  private let hosts: Set<String>

  init(port: UInt16, path: String, program: String) {
    self.program = program
    self.path = path
    let names = ["127.0.0.1", "[::1]", "localhost"]
    hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// 128 random bits.
  static func secret() -> String {
    Hex.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
  }

  func route(_ bytes: [UInt8], _ values: LoopbackState.Values) -> Route {
    switch LoopbackHead.read(bytes) {
    case .incomplete: .incomplete
    case .malformed: refuse(400, "This is not a request")
    case .lineTooLong: .refuseResponse(.longAddress)
    case .fieldsTooLong: .refuseResponse(.longFields)
    case .complete(let head, let size): route(head, body: bytes[size...], values)
    }
  }

  private func route(
    _ head: LoopbackHead, body: ArraySlice<UInt8>, _ values: LoopbackState.Values
  ) -> Route {
    // A foreign site could use another name for this address (DNS rebinding).
    guard let host = head.only("host"), hosts.contains(host.asciiLowercased) else {
      let name = head.only("host") ?? ""
      return head.path == path
        ? .refuseResponse(.otherHost(name)) : .refuse(LoopbackRefusal.otherHost(name).reply)
    }
    switch (head.path, head.method) {
    case (outcomePath, "GET"): return .outcome
    case (outcomePath, _): return notAllowed("GET")
    case (values.launch?.path, let method): return method == "GET" ? .launch : notAllowed("GET")
    case (path, let method):
      guard let expectation = values.expectation else { return .early }
      if method == "GET" { return checked(head.query, expectation) }
      if method == "POST", expectation.allowsPost { return posted(head, body, expectation) }
      return notAllowed(expectation.allowsPost ? "GET, POST" : "GET")
    default: return refuse(404, "Not found")
    }
  }

  private func checked(_ parameters: String, _ expectation: LoopbackExpectation) -> Route {
    if expectation.accept(parameters) { return .accepted(parameters) }
    if let error = AuthorizationResponse(encoded: parameters)?.statelessError {
      return .refuseResponse(.statelessError(error))
    }
    return .refuse(LoopbackReply(400, .foreign(to: program)))
  }

  private func posted(
    _ head: LoopbackHead, _ body: ArraySlice<UInt8>, _ expectation: LoopbackExpectation
  ) -> Route {
    let type = head.only("content-type")?.split(separator: ";").first?.asciiLowercased
    guard
      type == "application/x-www-form-urlencoded", !head.has("transfer-encoding"),
      let digits = head.only("content-length"), let length = Int(digits), length >= 0
    else { return refuse(400, "This is not a form") }
    if length > AuthorizationResponse.maximumByteCount { return .refuseResponse(.longForm) }
    if body.count < length { return .incomplete }
    return checked(String(decoding: body.prefix(length), as: UTF8.self), expectation)
  }

  private func notAllowed(_ allowed: String) -> Route {
    .refuse(LoopbackReply(405, .refused("Method not allowed"), fields: [("Allow", allowed)]))
  }

  private func refuse(_ status: Int, _ title: String) -> Route {
    .refuse(LoopbackReply(status, .refused(title)))
  }
}
