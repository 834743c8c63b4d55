import HTTP
import HTTPServer
import JSON
import POSIX
import SDKCore

/// Passes the requests of a proxy on.
struct ProxyHandler: Sendable {
  let resources: @Sendable () throws(SDKError) -> ResourceService
  let options: ProxyOptions
  let rules: ProxyRules
  let listener: ProxyListener
  let thread: TaskThread?
  private let firstRefusal = OneShot<Void>()

  func verdict(on request: ReceivedRequest) -> ServerVerdict {
    switch rules.verdict(on: request) {
    case .pass(let path):
      return .serve { exchange in
        let task = Task(executorPreference: thread) { await pass(exchange, path) }
        exchange.onAbort { task.cancel() }
      }
    case .preflight(let origin):
      return .refuse(ServerReply(204, ProxyFields.preflight(request.fields, from: origin)))
    case .refuse(let status, let cause):
      log(HTTPMethod(request.method)?.name ?? "", status, cause)
      return .refuse(.failure(status, "request_refused", cause))
    }
  }

  func admits(_ client: SocketEnd?) -> Bool {
    if listener.isOwn(client) { return true }
    // Another user could fill the log with more.
    if firstRefusal.set(()) {
      log("", 0, "a connection was closed: no program of this user has made it")
    }
    return false
  }

  private func log(_ method: String, _ status: Int, _ cause: String) {
    options.log?(
      ProxyLogEntry(
        method: method, path: nil, status: status, size: 0, duration: .zero, cause: cause))
  }

  private func pass(_ exchange: ServerExchange, _ path: String) async {
    let start = ContinuousClock.now
    let request = exchange.request
    let response = ProxyResponse(exchange, to: rules.origin(of: request))
    var failure: SDKError?
    do throws(SDKError) {
      _ = try await resources().send(
        resourceRequest(request, path, exchange.body), as: options.access,
        receiving: .sink(response), loggingIn: options.logIn, through: exchange.gate)
      exchange.finish()
    } catch {
      failure = error
      exchange.fail(with: .failure(error))
    }
    let status = response.status ?? failure.map { ServerReply.failure($0).status } ?? 0
    options.log?(
      ProxyLogEntry(
        method: request.method, path: String(path.prefix { $0 != "?" }), status: status,
        size: response.size, duration: start.duration(to: .now), cause: failure?.message))
  }

  private func resourceRequest(
    _ received: ReceivedRequest, _ path: String, _ body: HTTPBody
  ) -> ResourceRequest {
    var request = ResourceRequest(received.method, path)
    request.fields = ProxyFields.passedOn(ofRequest: received.fields)
    // What the client does not send is not added.
    request.omittedHeaders = ["Accept", "Content-Type"].filter { !request.fields.contains($0) }
    if case .none = body {} else { request.body = body }
    return request
  }
}

/// Takes a response to the client, as it arrives.
// Sendable: the transport calls it on one thread, and the task looks at it after the transfer.
private final class ProxyResponse: HTTPBodySink, @unchecked Sendable {
  private let exchange: ServerExchange
  private let origin: HTTPField?
  private(set) var status: Int?
  private(set) var size = 0

  init(_ exchange: ServerExchange, to origin: HTTPField?) {
    self.exchange = exchange
    self.origin = origin
  }

  func begin(_ response: HTTPResponse) -> Bool {
    status = response.status
    exchange.begin(
      ServerReply(
        response.status, ProxyFields.passedOn(ofResponse: response.fields, to: origin)),
      length: response.fields["Content-Length"].flatMap { Int64($0) })
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    size += bytes.count
    return exchange.write(bytes)
  }
}

extension ServerReply {
  /// A response of the proxy itself.
  static func failure(_ status: Int, _ code: String, _ message: String) -> ServerReply {
    let body: JSON = .object(["error": .string(code), "message": .string(message)])
    var reply = ServerReply(
      status, [HTTPField(known: "Content-Type", "application/json")],
      body: Array(body.serialized().utf8))
    if status == 405 {
      reply.fields.append(
        HTTPField(known: "Allow", ProxyRules.methods.joined(separator: ", ")))
    }
    return reply
  }

  /// The response to a request that could not be passed on.
  static func failure(_ error: SDKError) -> ServerReply {
    failure(error.proxyStatus, "\(error.code)", error.message)
  }
}

extension SDKError {
  /// The status of the response to a request that failed so.
  fileprivate var proxyStatus: Int {
    if isTimeout { return 504 }
    switch code {
    case .invalidRequest: return 400
    // A login, or time, helps.
    case .notAuthenticated, .sessionExpired, .stepUpRequired, .notRegistered, .clientExpired, .busy:
      return 503
    default: return 502
    }
  }
}
