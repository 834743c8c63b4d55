public import HTTP
import OAuth
import POSIX

/// Something that a person does in a browser: open ``url``, sign in, come back with an address.
///
/// A flow hands it to its handler. The handler, or whatever it passes the challenge to, opens ``url``, waits for the
/// browser to arrive at the redirect URI, and calls ``respond(with:)`` with the whole address. An address that is not
/// the response does not end the flow: the handler gets a new challenge with the same ``url`` and an ``error``, a
/// bounded number of times.
///
/// Apps of the vendors' SDKs recognise the response by the beginning of its address. That is
/// unsafe: `https://app.test/cb` is also the beginning of `https://app.test/cbx`. Here an
/// address counts only if scheme, host and path are those of the redirect URI as a whole,
/// and if its `state` is that of the challenge, compared in constant time.
public final class BrowserChallenge: Sendable {
  /// What the browser is to open.
  public let url: HTTPURL
  /// The requested identity provider, if there was one.
  public let identityProvider: String?
  /// The user of the profile who logs in.
  public let userID: UserID
  /// Where the response arrives; ``isResponse(_:)`` tells whether an address is the response.
  public var redirectURI: String { expected.request.redirectURI }
  /// Why the previous address was not the response.
  ///
  /// `nil` at first. A wrong state is 10002.
  public let error: SDKError?
  /// The cause of ``error`` alone, to be shown while the browser is still waited for.
  public let flaw: String?
  /// What a browser that is started by this process opens, in place of ``url``.
  public let launchURL: HTTPURL

  let expected: ExpectedResponse
  private let ending = OneShot<Ending>()

  enum Ending: Sendable {
    case answered(String)
    case failed(SDKError)
  }

  init(
    _ url: HTTPURL, launchURL: HTTPURL, expected: ExpectedResponse, flaw: ResponseFlaw?
  ) {
    self.url = url
    self.launchURL = launchURL
    self.expected = expected
    userID = expected.userID
    identityProvider = expected.request.parameters["idp"]
    self.flaw = flaw?.text
    error = flaw.map {
      expected.error($0, "the address is not the response to this request: \($0.text)")
    }
  }

  /// Whether an address is the response to this challenge, with success or with an error.
  ///
  /// A program with a web view asks before it calls ``respond(with:)``: an address that is not the response costs
  /// one of the attempts of the login.
  public func isResponse(_ address: String) -> Bool { (try? expected.read(address)) != nil }

  /// Gives the address at which the browser arrived.
  ///
  /// - Returns: whether the challenge was still open; only one response to it counts.
  @discardableResult
  public func respond(with address: String) -> Bool { ending.set(.answered(address)) }

  var isOpen: Bool { ending.value == nil }

  /// Gives up: the flow ends with 9006 *ActionCancelled*.
  public func cancel() { fail(.actionCancelled(expected.action)) }

  /// Ends the challenge because nobody can open the address: the flow ends with the code `unavailable`.
  public func giveUp(_ cause: String, remedy: Remedy?) {
    fail(SDKError(.unavailable, "\(expected.action): \(cause)", remedy: remedy))
  }

  func fail(_ error: SDKError) { ending.set(.failed(error)) }

  /// Calls a handler, and returns when the challenge has ended, whether or not the handler has.
  func show(by handler: @escaping ChallengeHandler) async {
    let showing = Task.immediate { await handler(self) }
    _ = await ending(within: nil)
    showing.cancel()
  }

  /// How it ended; `nil` when the task was cancelled or the time is up first.
  func ending(within time: Duration?) async -> Ending? { await ending.wait(timeout: time) }
}

/// Shows a challenge to a user; the response arrives by ``BrowserChallenge/respond(with:)``.
///
/// Its task is cancelled when the challenge has ended. A login does not wait for the handler to return.
public typealias ChallengeHandler = @Sendable (BrowserChallenge) async -> Void

extension SDKError {
  /// The person, or who acts for one, gave up.
  static func actionCancelled(_ action: String) -> SDKError {
    SDKError(.cancelled, "\(action): cancelled", resource: .actionCancelled)
  }
}
