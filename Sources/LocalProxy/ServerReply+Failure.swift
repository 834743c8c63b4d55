import HTTP
import HTTPServer
import JSON
import SDKCore

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
