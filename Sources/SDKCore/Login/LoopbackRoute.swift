import HTTP
import OAuth
import Primitives

/// A browser on this machine, whose response arrives at a listener.
struct LoopbackRoute: ResponseRoute {
  let redirectURI: String
  private let listener: LoopbackListener
  private let formPost: Bool
  private let action: String
  private let present: ChallengeHandler
  private let success: LoopbackPage

  init(
    _ login: LoginService, _ options: LoginOptions, _ present: @escaping ChallengeHandler
  ) async throws(SDKError) {
    self.present = present
    formPost = login.profile.responseMode?.isForm ?? false
    action = options.action
    success = .signedIn(
      profile: login.profile.name.description,
      server: login.profile.issuer?.description ?? "the server")
    let bound = try await Self.bind(login, options)
    listener = bound.listener
    redirectURI = bound.redirect?.uri(port: listener.port) ?? listener.redirectURI
  }

  private typealias Bound = (listener: LoopbackListener, redirect: LoopbackRedirect?)

  /// How long a port may be in use: another login there may be about to end.
  private static let portTimeout = Duration.seconds(2)

  /// Listens at the port of the options, else at the first registered one that is free in time.
  private static func bind(
    _ login: LoginService, _ options: LoginOptions
  ) async throws(SDKError) -> Bound {
    let registered = try await login.records.required().loopbackRedirects
    let redirects: [LoopbackRedirect?] =
      if let port = options.port {
        [registered.first { $0.port == port } ?? registered.first]
      } else {
        registered.isEmpty ? [nil] : registered
      }
    let end = ContinuousClock.now + portTimeout
    while true {
      do throws(SDKError) {
        return try firstFree(of: redirects, login, options)
      } catch {
        guard case .freePort = error.remedy, ContinuousClock.now < end else { throw error }
      }
      try await attempt(options.action) { try await Task.sleep(for: .milliseconds(50)) }
    }
  }

  private static func firstFree(
    of redirects: [LoopbackRedirect?], _ login: LoginService, _ options: LoginOptions
  ) throws(SDKError) -> Bound {
    var failure: SDKError?
    for redirect in redirects {
      let port = options.port ?? redirect?.port ?? login.profile.redirectPort ?? 0
      do {
        let listener = try LoopbackListener.bind(
          port: port, path: redirect?.path ?? "/callback",
          program: login.programName ?? "the program",
          refused: { [notice = login.tokens.slots.notice] refusal in
            notice?(.responseRefused(cause: refusal.cause, advice: refusal.advice))
          })
        return (listener, redirect)
      } catch {
        let trouble = SDKError(cause: error).during(options.action)
        guard case .portInUse(let port) = error else { throw trouble }
        failure = failure ?? trouble.with(remedy: .freePort(port))
      }
    }
    throw failure ?? SDKError(.localData, cause: "no port can be used").during(options.action)
  }

  func launchURL(to url: HTTPURL) -> HTTPURL { listener.launchURL(to: url) }

  func carry(_ challenge: BrowserChallenge) async {
    async let shown: Void = challenge.show(by: present)
    do {
      let received = try await listener.wait(
        timeout: .seconds(86_400), accept: { challenge.isAnswered(byParameters: $0) },
        formPost: formPost)
      challenge.respond(with: "\(redirectURI)?\(received.parameters)")
    } catch {
      challenge.fail(SDKError(cause: error).during(action))
    }
    await shown
  }

  func finish(_ error: SDKError?) async {
    await listener.finish(error.map { LoopbackPage($0, after: action) } ?? success)
  }

  func close() { listener.close() }
}

extension BrowserChallenge {
  /// Whether a request to the redirect URI is the response: only its `state` decides.
  fileprivate func isAnswered(byParameters text: String) -> Bool {
    AuthorizationResponse(encoded: text)?.matches(expected.request) ?? false
  }
}

extension SDKError {
  fileprivate init(cause error: LoopbackError) {
    switch error {
    case .portInUse(let port):
      self.init(.localData, cause: "port \(port) is in use", subject: String(port))
    case .timedOut: self.init(.network, cause: "no response came from the browser in time")
    case .cancelled: self.init(.cancelled, cause: "cancelled", resource: .actionCancelled)
    case .system(let error): self.init(.localData, cause: "\(error)")
    }
  }
}

extension LoopbackPage {
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
  /// The ports of the registered loopback redirect URIs, of those that name one.
  public var loopbackPorts: [UInt16] { loopbackRedirects.compactMap(\.port) }

  fileprivate var loopbackRedirects: [LoopbackRedirect] {
    redirectURIs.compactMap { text in
      guard let url = try? HTTPURL(text), url.scheme == .http, url.isLoopback else { return nil }
      return LoopbackRedirect(
        url: url, hasPath: text.utf8.dropFirst("http://".utf8.count).contains(UInt8(ascii: "/")))
    }
  }
}

/// A loopback redirect URI; servers compare its host as it is spelled.
private struct LoopbackRedirect {
  let url: HTTPURL
  /// Whether a path is written, be it only a slash.
  let hasPath: Bool

  var port: UInt16? { url.port == url.scheme.defaultPort ? nil : url.port }

  var path: String { url.path }

  func uri(port: UInt16) -> String {
    "http://\(HostName.bracketed(url.host)):\(port)\(hasPath ? url.path : "")"
  }
}
