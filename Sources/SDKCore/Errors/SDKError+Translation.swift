package import HTTP
import OAuth
import OpenSSL
import POSIX
import Primitives

/// Runs a step of an action; its errors become errors of the library, as ``SDKError`` makes them.
///
/// `action` is "could not VERB the NOUN", or `nil` if a caller adds it with ``SDKError/during(_:)``.
package func attempt<Value>(
  _ action: String? = nil, as code: SDKError.Code = .unavailable, resource: ResourceError? = nil,
  _ body: () throws -> Value
) throws(SDKError) -> Value {
  do { return try body() } catch { throw SDKError(error, action, as: code, resource: resource) }
}

package func attempt<Value>(
  _ action: String? = nil, as code: SDKError.Code = .unavailable, resource: ResourceError? = nil,
  _ body: () async throws -> Value
) async throws(SDKError) -> Value {
  do { return try await body() } catch {
    throw SDKError(error, action, as: code, resource: resource)
  }
}

extension SDKError {
  /// The library's error for any error: with the action before its cause, or with its cause only.
  package init(
    _ error: any Error, _ action: String? = nil, as code: Code = .unavailable,
    resource: ResourceError? = nil
  ) {
    switch error {
    case let error as SDKError: self = error
    case let error as TransportError: self.init(cause: error)
    case let error as OAuthError: self.init(cause: error, resource: resource)
    case let error as CryptoError: self.init(cause: error, as: code)
    case let error as SecurityTokenError: self.init(cause: error)
    case let error as any DetailedError: self = error.libraryError
    case let error as SystemError:
      let namesPath = error.path.map { action?.containsText($0) ?? false } ?? true
      self.init(
        error.isUnsafe ? .storePermissions : code, cause: namesPath ? error.message : "\(error)",
        remedy: Remedy(error))
    case is CancellationError: self.init(.cancelled, cause: "cancelled")
    default: self.init(code, cause: "\(error)")
    }
    if let action { self = during(action) }
  }

  private init(cause error: TransportError) {
    self.init(
      Code(error.code), cause: error.message, details: error.details, subject: error.host)
    members.isAboutHost = true
    members.isTimeout = error.code == .timeout
    members.localCause = LocalCause(error)
    members.metrics = error.metrics
  }

  private init(cause error: OAuthError, resource: ResourceError?) {
    if let transport = error.transport {
      self.init(cause: transport)
      return
    }
    let asksUser = error.code == .refused && error.server?.asksUser == true
    self.init(
      asksUser ? .notAuthenticated : Code(error.code), cause: error.message,
      resource: error.sentNumber ?? resource ?? error.resource,
      serverError: error.server.flatMap { $0.error.isEmpty ? nil : $0.error })
    members.reason = error.reason
    members.pause = error.pause
  }

  private init(cause error: CryptoError, as code: Code) {
    let code =
      switch error.kind {
      case .encryptedKey, .wrongPassword: Code.wrongPassword
      case .legacyAlgorithm: Code.legacyAlgorithm
      case .malformed, .javaKeyStore, .costly, .other: code
      }
    let reasons = error.reasons.joined(separator: ", ")
    self.init(
      code, cause: reasons.isEmpty ? "\(error)" : reasons,
      remedy: error.kind == .javaKeyStore ? .convertKeyStore(nil) : nil)
  }

  /// The error of a response whose status is not a success, with its cause only; `text` follows the status.
  package init(_ response: HTTPResponse, _ text: String = "", subject: String? = nil) {
    self.init(
      response, cause: "\(response.url.host) \(response.returned)\(text)", subject: subject)
  }

  package init(_ response: HTTPResponse, cause: String, subject: String? = nil) {
    let mayPass = response.asksForLater
    self.init(
      mayPass ? .network : .refused, cause: cause, resource: mayPass ? .serverNotReachable : nil,
      subject: subject)
    members.pause = response.pause
  }
}

extension SDKError.Code {
  fileprivate init(_ code: TransportError.Code) {
    switch code {
    case .nameNotResolved, .connection, .timeout, .proxy: self = .network
    case .tls: self = .tls
    case .pinMismatch, .notPinned, .pinsExpired: self = .pin
    case .clientCertificateRequired: self = .identity
    case .refused: self = .policy
    case .responseBodyRefused, .requestBodyFailed: self = .localData
    case .cancelled: self = .cancelled
    case .notEncrypted: self = .untrusted
    case .caFile, .proxyUnusable: self = .invalidConfiguration
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
  fileprivate var sentNumber: ResourceError? { (server?.number).map(ResourceError.init(sent:)) }

  /// The number of what the server said, where its kind alone would have another or none.
  fileprivate var resource: ResourceError? {
    if code == .unavailable { return .serverNotReachable }
    return server?.error == "invalid_client" ? .deviceDeregistered : nil
  }
}

extension SDKError {
  /// Why a key in a security token cannot be used; ``during(_:)`` says what for.
  init(cause error: SecurityTokenError) {
    let cause: String
    var code = Code.identity
    switch error {
    case .noModule(let module):
      code = .unavailable
      cause =
        "the PKCS #11 module '\(module)' cannot be opened; Debian has p11-kit-modules, which finds "
        + "the others, opensc-pkcs11 and softhsm2"
    case .noEngine:
      code = .unavailable
      cause =
        "OpenSSL has no provider or engine for PKCS #11; Debian has pkcs11-provider and "
        + "libengine-pkcs11-openssl"
    case .absent: cause = "no security token is like that of the PKCS #11 URI"
    case .severalTokens:
      cause =
        "there are several security tokens: the PKCS #11 URI must name one, with token= or serial="
    case .needsPIN(let info):
      cause = "the security token '\(info.name)' needs a PIN, and there is none"
    case .wrongPIN(let info): cause = "the PIN of the security token '\(info.name)' is wrong"
    case .locked(let info): cause = "the security token '\(info.name)' is locked after wrong PINs"
    case .cancelled: (code, cause) = (.denied, "the login at the security token was cancelled")
    case .noObject(let info):
      cause = "the security token '\(info.name)' has no private key like that of the PKCS #11 URI"
    case .severalObjects(let info):
      cause =
        "the security token '\(info.name)' has several private keys: the PKCS #11 URI must name "
        + "one, with object= or id="
    case .failed(let reason):
      cause =
        reason.isEmpty ? "the security token failed" : "the security token failed: \(reason)"
    }
    self.init(code, cause: cause)
  }
}

extension SecurityTokenInfo {
  fileprivate var name: String { VisibleText.of(label.isEmpty ? serial : label) }
}

/// What has failed more exactly than the code of an error says: a name; modules add theirs.
package struct DetailCode: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static let noPasscode = DetailCode("noPasscode")
  package static let lockedOut = DetailCode("lockedOut")
  package static let coolingDown = DetailCode("coolingDown")
}

/// An error of a module that knows which error of the library it is.
package protocol DetailedError: Error {
  /// The error of the library, with its cause only.
  var libraryError: SDKError { get }
}

extension SDKError {
  package init(_ code: Code, _ detailCode: DetailCode, cause: String) {
    self.init(code, cause: cause)
    members.detailCode = detailCode
  }
}
