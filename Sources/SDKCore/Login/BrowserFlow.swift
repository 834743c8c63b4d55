import HTTP
import OAuth

/// One login through a browser, from the bound listener to the checked tokens.
struct BrowserFlow: Sendable {
  private let flow: CodeFlow
  private let listener: LoopbackListener
  private let formPost: Bool

  /// Prepares a flow; from here on the listener is bound.
  init(_ session: ProfileSession, _ options: LoginOptions) async throws(SDKError) {
    formPost = options.responseMode?.isForm ?? false
    let redirect = try session.requiredRegistration().loopbackRedirect
    let port = options.port ?? redirect?.port ?? session.profile.redirectPort ?? 0
    do {
      listener = try LoopbackListener.bind(port: port, path: redirect?.path ?? "/callback")
    } catch {
      throw SDKError(error)
    }
    do {
      flow = try await CodeFlow(
        session, options,
        redirectURI: redirect?.uri(port: listener.port) ?? listener.redirectURI)
    } catch {
      listener.close()
      throw error
    }
  }

  func run(
    within limit: Duration, present: @escaping @Sendable (HTTPURL) async -> Void
  ) async throws(SDKError) -> LoginResult {
    defer { listener.close() }
    let answer = try await answer(within: limit, present: present)
    do {
      let result = try await flow.finish(answer)
      await listener.finish(.signedIn)
      return result
    } catch {
      await listener.finish(LoopbackPage(error, after: CodeFlow.action))
      throw error
    }
  }

  private func answer(
    within limit: Duration, present: @escaping @Sendable (HTTPURL) async -> Void
  ) async throws(SDKError) -> AuthorizationResponse {
    let (request, url) = (flow.request, flow.url)
    let presenting = Task { await present(url) }
    defer { presenting.cancel() }
    do {
      let received = try await listener.wait(
        timeout: limit,
        accept: { AuthorizationResponse(encoded: $0)?.answers(request) ?? false },
        formPost: formPost)
      guard let response = AuthorizationResponse(encoded: received.parameters) else {
        throw SDKError(.malformedAnswer, "\(CodeFlow.action): the browser's answer is unreadable")
      }
      return response
    } catch let error as LoopbackError {
      throw SDKError(error)
    } catch let error as SDKError {
      throw error
    } catch {
      throw SDKError(.cancelled, CodeFlow.action)
    }
  }
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
