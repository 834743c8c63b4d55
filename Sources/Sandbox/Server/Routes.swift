import HTTP

/// Where handlers are put in: every request through here is counted, logged and may be faulted.
struct Routes {
  typealias Handler = @Sendable (Exchange) async throws -> Response

  let sandbox: Sandbox
  let log: AccessLog
  /// Whether these routes serve the port for mutual TLS.
  var isMutual = false
  private(set) var router = Router()

  init(sandbox: Sandbox, log: AccessLog, isMutual: Bool = false) {
    (self.sandbox, self.log, self.isMutual) = (sandbox, log, isMutual)
  }

  /// Where every request to the server goes.
  static func all(of sandbox: Sandbox, log: AccessLog, isMutual: Bool) -> Router {
    var routes = Routes(sandbox: sandbox, log: log, isMutual: isMutual)
    routes.addDiscovery()
    routes.addRegistration()
    routes.addAuthorization()
    routes.addTokenEndpoint()
    routes.addDeviceAuthorization()
    routes.addIntrospection()
    routes.addUserInfo()
    routes.addEndSession()
    routes.addSignIn()
    routes.addSecondFactor()
    routes.addAccounts()
    routes.addDevicePages()
    routes.addLooks()
    routes.addGateway()
    routes.addProbes()
    routes.addBytes()
    routes.addStepUp()
    routes.addSessionResources()
    routes.addFormLogin()
    routes.addEST()
    routes.addIdentity()
    routes.addCertificateService()
    routes.addSecureLogin()
    routes.addPasswordLogin()
    routes.addUAFServer()
    routes.addDispatchTargets()
    return routes.router
  }

  mutating func get(_ path: String, _ endpoint: Endpoint, _ handler: @escaping Handler) {
    on(.get, path, endpoint, handler)
  }

  mutating func post(_ path: String, _ endpoint: Endpoint, _ handler: @escaping Handler) {
    on(.post, path, endpoint, handler)
  }

  mutating func on(
    _ method: HTTPMethod, _ path: String, _ endpoint: Endpoint, _ handler: @escaping Handler
  ) {
    router.on(path, method: method) { [sandbox, log, isMutual] request, parameters, certificate in
      let start = ContinuousClock.now
      let connection = Connection(
        base: isMutual ? sandbox.mutualURL : sandbox.issuer,
        certificate: isMutual ? certificate : nil)
      let answer = await Answering(sandbox: sandbox, endpoint: endpoint, handler: handler)
        .answer(to: request, parameters, over: connection)
      log.note(request, answer.status, since: start)
      return answer
    }
  }
}

/// A handler's work with what goes around it: the counters and the faults of answers.
private struct Answering {
  let sandbox: Sandbox
  let endpoint: Endpoint
  let handler: Routes.Handler

  func answer(
    to request: Request, _ parameters: Parameters, over connection: Connection
  ) async -> Response {
    do {
      let exchange = try Exchange(
        request, parameters: parameters, connection: connection, sandbox: sandbox,
        endpoint: endpoint)
      sandbox.change { $0.counters.count(endpoint: endpoint) }
      if exchange.fault == .certificateSwapped {
        sandbox.change { $0.faults.arm(.certificateSwapped, times: 1) }
      }
      return try await faulted(exchange)
    } catch let refusal as OAuthError {
      return refusal.answer
    } catch let refusal as HTTPError {
      return .json(OAuthError.invalidRequest("the body is too large").json, status: refusal.status)
    } catch {
      return .json(
        OAuthError("server_error", "the sandbox failed", status: 500).json,
        status: .internalServerError)
    }
  }

  private func faulted(_ exchange: Exchange) async throws -> Response {
    guard let fault = exchange.takeFault(.answer) else { return try await handled(exchange) }
    switch fault {
    case .internalError:
      return .json(
        OAuthError("server_error", "a fault was asked for").json, status: .internalServerError)
    case .unavailable:
      return .json(
        OAuthError("temporarily_unavailable", "a fault was asked for").json,
        status: .serviceUnavailable
      ).with(.retryAfter, "1")
    case .latency:
      try await Task.sleep(for: exchange.sandbox.change { $0.faults.delay })
      return try await handled(exchange)
    default:
      return fault.spoil(try await handled(exchange), now: exchange.now)
    }
  }

  /// An OAuth refusal is an answer too, and can be spoilt like any other.
  private func handled(_ exchange: Exchange) async throws -> Response {
    do { return try await handler(exchange) } catch let refusal as OAuthError {
      return refusal.answer
    }
  }
}
