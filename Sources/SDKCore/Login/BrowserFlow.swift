import HTTP
import OAuth

/// One authorization code flow, from the bound listener to the checked tokens.
struct BrowserFlow: Sendable {
  private let session: ProfileSession
  private let server: ServerMetadata
  private let tokenEndpoint: TokenEndpoint
  private let request: AuthorizationRequest
  private let listener: LoopbackListener

  /// Prepares a flow; from here on the listener is bound.
  init(_ session: ProfileSession, _ options: LoginOptions) async throws(SDKError) {
    self.session = session
    let registration = try session.requiredRegistration()
    server = try await session.metadata()
    tokenEndpoint = try await session.tokenEndpoint(Self.action)
    let redirect = registration.loopbackRedirect
    let port = options.port ?? redirect?.port ?? session.profile.redirectPort ?? 0
    do {
      listener = try LoopbackListener.bind(port: port, path: redirect?.path ?? "/callback")
    } catch {
      throw SDKError(error)
    }
    do {
      request = try AuthorizationRequest(
        endpoint: try server.required(.authorization), clientID: registration.clientID,
        redirectURI: redirect?.uri(port: listener.port) ?? listener.redirectURI,
        scope: options.scope ?? session.profile.scope ?? registration.scope,
        parameters: options.parameters)
    } catch {
      listener.close()
      throw SDKError(error, Self.action)
    }
  }

  func run(
    within limit: Duration, present: @escaping @Sendable (HTTPURL) async -> Void
  ) async throws(SDKError) -> LoginResult {
    defer { listener.close() }
    let answer = try await answer(within: limit, present: present)
    do {
      let result = try await exchange(answer)
      await listener.finish(.signedIn)
      return result
    } catch {
      await listener.finish(LoopbackPage(error, after: Self.action))
      throw error
    }
  }

  private func answer(
    within limit: Duration, present: @escaping @Sendable (HTTPURL) async -> Void
  ) async throws(SDKError) -> AuthorizationResponse {
    let presenting = Task { await present(request.url) }
    defer { presenting.cancel() }
    do {
      let received = try await listener.wait(
        timeout: limit,
        accept: { AuthorizationResponse(encoded: $0)?.answers(request) ?? false }, formPost: false)
      guard let response = AuthorizationResponse(encoded: received.parameters) else {
        throw SDKError(.malformedAnswer, "\(Self.action): the browser's answer is unreadable")
      }
      return response
    } catch let error as LoopbackError {
      throw SDKError(error)
    } catch let error as SDKError {
      throw error
    } catch {
      throw SDKError(.cancelled, Self.action)
    }
  }

  private func exchange(_ answer: AuthorizationResponse) async throws(SDKError) -> LoginResult {
    let tokens: TokenSet
    let subject: String?
    do {
      let code = try answer.code(for: request, from: server)
      let response = try await tokenEndpoint.exchange(code: code, of: request)
      subject = try await verifiedSubject(of: response)
      tokens = TokenSet(response, requestedScope: request.scope, at: session.now())
    } catch {
      throw SDKError(error, Self.action)
    }
    try await session.keep(tokens)
    return LoginResult(tokens: tokens, subject: subject, isShared: false)
  }

  private func verifiedSubject(of response: TokenResponse) async throws(OAuthError) -> String? {
    guard let idToken = response.idToken else {
      guard request.nonce == nil else {
        throw OAuthError(
          .malformed, "the token answer has no ID token, though openid was asked for")
      }
      return nil
    }
    let check = IDTokenCheck(
      server: server, clientID: request.clientID, nonce: request.nonce,
      accessToken: response.accessToken)
    return try await check.subject(of: idToken, at: session.now(), over: session.exchange())
  }

  private static let action = "could not log in"
}

extension SDKError {
  fileprivate init(_ error: LoopbackError) {
    let action = "could not log in"
    switch error {
    case .portInUse(let port):
      self.init(.localData, "\(action): port \(port) is in use", subject: String(port))
    case .timedOut: self.init(.network, "\(action): no answer came from the browser in time")
    case .cancelled: self.init(.cancelled, "\(action): cancelled")
    case .system(let error): self.init(.localData, "\(action): \(error)")
    }
  }
}

extension LoopbackPage {
  /// What the browser is told of a login that ended so; it knows already that it did.
  fileprivate init(_ error: SDKError, after action: String) {
    if error.code == .denied {
      self = .cancelled
      return
    }
    let preface = action + ": "
    let isPrefaced = error.message.hasPrefix(preface)
    self = .failed(String(error.message.dropFirst(isPrefaced ? preface.count : 0)))
  }
}

extension Registration {
  /// The registered loopback redirect URI.
  fileprivate var loopbackRedirect: LoopbackRedirect? {
    for text in redirectURIs {
      guard let url = try? HTTPURL(text), url.scheme == .http, url.isLoopback else { continue }
      return LoopbackRedirect(url: url)
    }
    return nil
  }
}

/// A loopback redirect URI; servers compare its host as it is spelled.
private struct LoopbackRedirect {
  let url: HTTPURL

  /// The port, when the URI names one.
  var port: UInt16? { url.port == url.scheme.defaultPort ? nil : url.port }

  var path: String { url.path }

  func uri(port: UInt16) -> String {
    let host = url.host.contains(":") ? "[\(url.host)]" : url.host
    return "http://\(host):\(port)\(url.path)"
  }
}
