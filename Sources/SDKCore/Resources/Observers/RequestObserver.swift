public import HTTP
import Synchronization

/// Sees the resource requests of a session, and takes part in them.
///
/// Registered with ``ResourceService/register(_:)``. All methods have an implementation that does
/// nothing. Observers are called in the order in which they were registered.
public protocol RequestObserver: AnyObject, Sendable {
  /// Called before a request is sent: first, after each redirect, and when it is sent again.
  ///
  /// The observer may add header fields and a client certificate.
  ///
  /// - Throws: ``SDKError``, with which the request fails; nothing is sent.
  func willSend(_ request: inout ObservedRequest) async throws(SDKError)

  /// Called if the server asks for a client certificate and there is none, or refuses the one shown.
  ///
  /// Only called if ``ObservedRequest/certificateRule`` was set in ``willSend(_:)``.
  ///
  /// - Returns: what happens next. The first observer that does not return
  ///   ``ChallengeDecision/fail`` decides.
  /// - Throws: ``SDKError``, with which the request fails.
  func didReceive(
    _ challenge: ClientCertificateRefusal, to request: ObservedRequest
  ) async throws(SDKError) -> ChallengeDecision

  /// Called with the head of each response: also of a redirect, and of a 401 before the retry.
  ///
  /// Called on the transport's thread; it must not block.
  func didReceive(_ response: HTTPResponse, to request: ObservedRequest)

  /// Whether this observer gets a new credential if a server refuses that one (401).
  ///
  /// If an observer does, the response is not delivered: ``reauthenticate(after:)`` is called, and
  /// the request is sent once more. Called for each request with a credential; it must not block.
  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool

  /// Called if a server refuses the credential of a request: gets a new one, and stores it.
  ///
  /// Called once for a request, on the observer that was registered last of those whose
  /// ``answersRefusal(of:as:)`` returns `true`. Then the request is sent again with the credential that
  /// the slot has (``LoginService/store(_:in:)``).
  ///
  /// - Throws: ``SDKError``, with which the request fails.
  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError)

  /// Called if a request failed, and is sent again after a wait; it must not block.
  func didFail(_ request: ObservedRequest.ID, with error: SDKError)

  /// Called once after the last response of a request, or its failure.
  func didComplete(
    _ request: ObservedRequest.ID, with result: Result<HTTPResponse, SDKError>
  ) async
}

/// What happens after a server has asked for a client certificate, or has refused one.
public enum ChallengeDecision: Sendable, Hashable {
  /// The request fails, or the response with the refusal is delivered.
  case fail
  /// The request is sent again; ``RequestObserver/willSend(_:)`` is called before.
  case resend
}

extension RequestObserver {
  /// Does nothing.
  public func willSend(_ request: inout ObservedRequest) async {}

  /// Lets the request fail.
  public func didReceive(
    _ challenge: ClientCertificateRefusal, to request: ObservedRequest
  ) async -> ChallengeDecision { .fail }

  /// Does nothing.
  public func didReceive(_ response: HTTPResponse, to request: ObservedRequest) {}

  /// Does nothing.
  public func didFail(_ request: ObservedRequest.ID, with error: SDKError) {}

  /// Does nothing.
  public func didComplete(
    _ request: ObservedRequest.ID, with result: Result<HTTPResponse, SDKError>
  ) async {}
}

/// The refusal of a credential by a server, with 401 or the 419 of servers of the Onegini family.
public struct CredentialRefusal: Sendable {
  /// The resource request.
  public let id: ObservedRequest.ID
  /// How the request was sent.
  public let access: Access
  /// The credential of the request.
  public let provider: AuthorizationProvider
  /// The head of the response; `nil` if what is stored had expired before the request was sent.
  public let response: HTTPResponse?
}

extension RequestObserver {
  /// Leaves the refusal to others.
  public func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    false
  }

  /// Does nothing.
  public func reauthenticate(after refusal: CredentialRefusal) async {}
}

final class RequestObservers: Sendable {
  private let list = Mutex<[any RequestObserver]>([])

  var all: [any RequestObserver] { list.withLock { $0 } }

  /// Adds an observer, once; of observers of identities the last one stays.
  func register(_ observer: any RequestObserver) {
    list.withLock { list in
      guard !list.contains(where: { $0 === observer }) else { return }
      if observer is IdentityObserver { list.removeAll { $0 is IdentityObserver } }
      list.append(observer)
    }
  }

  func unregister(_ observer: any RequestObserver) {
    list.withLock { list in list.removeAll { $0 === observer } }
  }
}

extension ResourceService {
  /// Calls an observer for all requests that begin from now on.
  ///
  /// The session holds the observer until it is removed.
  public func register(_ observer: any RequestObserver) {
    observers.register(observer)
  }

  /// No longer calls an observer, except for requests that are under way.
  public func unregister(_ observer: any RequestObserver) {
    observers.unregister(observer)
  }
}

/// Names the application to SAP's mobile services (`X-SMP-APPID`).
///
/// Only the hosts that may get the profile's token get the name.
final class ApplicationIDObserver: RequestObserver {
  private let applicationID: String
  private let profile: Profile

  init?(_ profile: Profile) {
    guard let applicationID = profile.applicationID else { return nil }
    self.applicationID = applicationID
    self.profile = profile
  }

  func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
    guard profile.allowsCredential(to: request.url),
      !request.http.fields.contains(Profile.applicationIDField)
    else { return }
    try request.set(Profile.applicationIDField, applicationID)
  }
}

/// Gets a new credential after a 401, as the profile says: `reauthenticate`.
final class ReauthenticationObserver: RequestObserver {
  private let tokens: TokenService

  init?(_ tokens: TokenService) {
    guard tokens.profile.reauthentication != Reauthentication.none else { return nil }
    self.tokens = tokens
  }

  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    access != .user || tokens.slots.injected == nil
  }

  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {
    guard let slot = refusal.access.slot else { return }
    _ = try await tokens.credential(in: slot, TokenDemand(refusing: refusal.provider))
  }
}
