package import HTTP
package import OAuth
import Primitives

extension SDKError {
  /// The error of a failed request; `action` is "could not VERB the NOUN".
  package init(_ error: TransportError, _ action: String) {
    self = SDKError(cause: error).during(action)
  }

  /// The error of a failed OAuth exchange.
  package init(_ error: OAuthError, _ action: String, resource: ResourceError? = nil) {
    self = SDKError(cause: error, resource: resource).during(action)
  }

  /// The error of a failed request, with its cause only.
  init(cause error: TransportError) {
    self.init(
      Code(error.code), cause: error.message, details: error.details, subject: error.host)
    isAboutHost = true
    metrics = error.metrics
  }

  /// The error of a failed OAuth exchange, with its cause only.
  init(cause error: OAuthError, resource: ResourceError? = nil) {
    if let transport = error.transport {
      self.init(cause: transport)
      return
    }
    self.init(
      Code(error.code), cause: error.message,
      resource: error.sentNumber ?? resource ?? error.resource,
      serverError: error.server.flatMap { $0.error.isEmpty ? nil : $0.error })
    reason = error.reason
  }

  /// The error of an HTTP status that is not a success, with its cause only; 5xx may pass by itself.
  init(status: Int, cause: String, subject: String? = nil) {
    let isUnavailable = status >= 500
    self.init(
      isUnavailable ? .network : .refused, cause: cause,
      resource: isUnavailable ? .serverNotReachable : nil, subject: subject)
  }

  /// The error of an action, "could not VERB the NOUN", that failed for this cause.
  ///
  /// An error that names its action stays as it is. The host of a connection is named, if neither
  /// the action nor the cause does.
  func during(_ action: String) -> SDKError {
    guard isCause else { return self }
    var cause = message
    if isAboutHost, let subject, !action.containsText(subject), !cause.containsText(subject) {
      cause = "\(subject): \(cause)"
    }
    return naming(action, cause)
  }
}

/// Runs what a public function does; an error with its cause only gets the action.
func doing<Value>(
  _ action: String, _ body: () async throws(SDKError) -> Value
) async throws(SDKError) -> Value {
  do { return try await body() } catch { throw error.during(action) }
}

/// Runs an exchange; its errors become errors of the library with their cause only.
func exchanging<Value>(
  _ body: () async throws(OAuthError) -> Value
) async throws(SDKError) -> Value {
  do { return try await body() } catch { throw SDKError(cause: error) }
}

/// Runs an exchange; its errors become errors of the library with the action before them.
func exchanging<Value>(
  _ action: String, _ body: () async throws(OAuthError) -> Value
) async throws(SDKError) -> Value {
  do { return try await body() } catch { throw SDKError(error, action) }
}

extension SDKError.Code {
  fileprivate init(_ code: TransportError.Code) {
    switch code {
    case .nameNotResolved, .connection, .timeout: self = .network
    case .tls: self = .tls
    case .pinMismatch, .notPinned, .pinsExpired: self = .pin
    case .clientCertificateRequired: self = .identity
    case .refused: self = .policy
    case .responseBodyRefused, .requestBodyFailed: self = .localData
    case .cancelled: self = .cancelled
    case .notEncrypted: self = .untrusted
    case .caFile: self = .invalidConfiguration
    case .unavailable: self = .unavailable
    default: self = .malformedResponse
    }
  }

  fileprivate init(_ code: OAuthError.Code) {
    switch code {
    case .transport, .unavailable: self = .network
    case .refused: self = .refused
    case .denied: self = .denied
    case .malformed: self = .malformedResponse
    case .untrusted: self = .untrusted
    case .unsupported: self = .unsupported
    }
  }
}

extension OAuthError {
  /// The number that the server sent.
  fileprivate var sentNumber: ResourceError? { (server?.number).map(ResourceError.init(sent:)) }

  /// The number of what the server said, where its kind alone would have another or none.
  fileprivate var resource: ResourceError? {
    if code == .unavailable { return .serverNotReachable }
    return server?.error == "invalid_client" ? .deviceDeregistered : nil
  }
}
