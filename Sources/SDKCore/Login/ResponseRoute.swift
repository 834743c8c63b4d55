import HTTP
import OAuth

/// How a challenge gets to a person, and the answer back.
protocol ResponseRoute: Sendable {
  /// Where the browser is to arrive.
  var redirectURI: String { get }
  var source: ExpectedResponse.Source { get }

  /// Whether strangers can bring addresses too: what is no answer then ends no login.
  var isOpenToStrangers: Bool { get }

  /// What a browser that is started here opens in place of a URL.
  func launchURL(to url: HTTPURL) -> HTTPURL

  /// Shows the challenge and sees to it that it is answered; cancelled when it no longer matters.
  func carry(_ challenge: BrowserChallenge) async

  /// Tells the browser how the flow ended after an answer; `nil` is success.
  func finish(_ error: SDKError?) async

  func close()
}

extension ResponseRoute {
  var source: ExpectedResponse.Source { .browser }
  var isOpenToStrangers: Bool { false }
  func launchURL(to url: HTTPURL) -> HTTPURL { url }
  func finish(_ error: SDKError?) async {}
  func close() {}
}

/// Where the answer to a challenge arrives.
public enum ResponsePlace: Sendable {
  /// At a loopback address on which this process listens (RFC 8252 section 7.3).
  case loopback
  /// At a scheme of our own, whose handler finds this process (RFC 8252 section 7.1).
  case scheme
}

extension Registration {
  /// Where its answers arrive: at a scheme only when there is no other place.
  public var responsePlace: ResponsePlace {
    let hasLoopback = redirectURIs.contains { (try? HTTPURL($0))?.isLoopback ?? false }
    return !hasLoopback && schemeRedirectURI != nil ? .scheme : .loopback
  }
}

extension LoginService {
  func route(
    to place: ResponsePlace?, _ options: LoginOptions, _ present: @escaping ChallengeHandler
  ) throws(SDKError) -> any ResponseRoute {
    let chosen = if let place { place } else { try usualPlace(of: options) }
    switch chosen {
    case .loopback: return try LoopbackRoute(self, options, present)
    case .scheme: return try SchemeRoute(self, options, present)
    }
  }

  /// Where the registered redirect URI leads, unless an option asks for a listener.
  private func usualPlace(of options: LoginOptions) throws(SDKError) -> ResponsePlace {
    if options.port != nil || options.responseMode?.isForm == true { return .loopback }
    return try records.current()?.responsePlace ?? .loopback
  }
}
