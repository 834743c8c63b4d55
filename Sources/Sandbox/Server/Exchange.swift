import JSON

/// The connection that a request came over: which port, and what the client showed there.
struct Connection: Sendable {
  /// Scheme, host and port.
  let base: String
  let certificate: ShownCertificate?
}

/// One request on its way through the sandbox, with what its handler may need.
struct Exchange: Sendable {
  let sandbox: Sandbox
  let endpoint: Endpoint
  let request: Request
  let parameters: Parameters
  let connection: Connection
  let query: Form
  /// The fault that this very request asked for.
  let fault: Fault?
  let now: Int

  static let mostFormBytes = 64 * 1024
  static let mostJSONBytes = 256 * 1024
  static let mostUploadBytes = 16 * 1024 * 1024

  init(
    _ request: Request, parameters: Parameters, connection: Connection, sandbox: Sandbox,
    endpoint: Endpoint
  ) throws {
    self.sandbox = sandbox
    self.endpoint = endpoint
    self.request = request
    self.parameters = parameters
    self.connection = connection
    query = Form(decoding: request.query ?? "")
    now = sandbox.clock()
    let wanted = query["fault"] ?? request.headers[.sandboxFault]
    fault = wanted.flatMap(Fault.init(rawValue:))
    if wanted != nil, fault == nil {
      throw OAuthError.invalidRequest("there is no such fault; see 'sdkctl-sandbox fault list'")
    }
  }

  /// The fields of a form body; a repeated field is refused (RFC 6749 section 3.2).
  func form() async throws -> Form {
    let type = request.headers[.contentType] ?? ""
    guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
      throw OAuthError.invalidRequest("the body must be application/x-www-form-urlencoded")
    }
    let form = Form(decoding: String(decoding: try body(Self.mostFormBytes), as: UTF8.self))
    guard form.repeated() == nil else {
      throw OAuthError.invalidRequest("a parameter appears more than once")
    }
    return form
  }

  func jsonObject() async throws -> JSONObject {
    let bytes = try body(Self.mostJSONBytes)
    guard let object = (try? JSON(parsing: bytes))?.object else {
      throw OAuthError.invalidMetadata("the body must be a JSON object")
    }
    return object
  }

  func body(_ most: Int) throws(HTTPError) -> [UInt8] {
    guard let body = request.body, body.count <= most else {
      throw HTTPError(status: .contentTooLarge)
    }
    return body
  }

  /// A cookie of the request.
  func cookie(_ name: String) -> String? { request.cookie(name) }

  /// The credential after a scheme in Authorization; the scheme in any case.
  func authorization(_ scheme: String) -> String? {
    guard let value = request.headers[.authorization] else { return nil }
    let halves = value.split(separator: " ", maxSplits: 1)
    guard halves.count == 2, halves[0].lowercased() == scheme.lowercased() else { return nil }
    return String(halves[1].drop { $0 == " " })
  }

  /// The fault of a place that strikes now: the request's own, or the next one armed.
  func takeFault(_ place: Fault.Place) -> Fault? {
    if let fault, fault.place == place {
      sandbox.change { $0.counters.count(fault: fault) }
      return fault
    }
    return sandbox.change { world in
      guard let fault = world.faults.take(place, at: endpoint) else { return nil }
      world.counters.count(fault: fault)
      return fault
    }
  }

  /// The address of this request as a proof names it: without query.
  var targetURI: String { connection.base + request.path }
}
