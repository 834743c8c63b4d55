import JOSE
import OAuth
import POSIX
import Primitives
import Synchronization

/// A browser whose response the desktop passes to the program of a URL scheme (RFC 8252 section 7.1).
struct SchemeRoute: ResponseRoute {
  let redirectURI: String
  private let directory: String
  private let present: ChallengeHandler
  private let pending = Pending()

  init(
    _ login: LoginService, _ options: LoginOptions, _ present: @escaping ChallengeHandler
  ) async throws(SDKError) {
    self.present = present
    directory = login.environment.location.pending
    guard let redirectURI = try await login.records.required().schemeRedirectURI else {
      let name = login.profile.name
      throw SDKError(
        .invalidConfiguration,
        "\(options.action): no redirect URI with a scheme of its own is registered",
        subject: name.description,
        remedy: .register(.init(.replacing, redirectURI: .ownScheme)))
    }
    self.redirectURI = redirectURI
  }

  /// Any page can open an address of the scheme; the state identifies the login.
  var isOpenToStrangers: Bool { true }

  func carry(_ challenge: BrowserChallenge) async {
    do {
      guard try pending.expect(challenge, in: directory) else { return }
    } catch {
      return challenge.fail(error.during(challenge.expected.action))
    }
    await challenge.show(by: present)
  }

  func close() { pending.close() }
}

extension SchemeRoute {
  private final class Pending: Sendable {
    private struct State {
      var login: PendingLogin?
      var wrongAddresses = 0
    }

    private let state = Mutex(State())

    /// Whether the challenge is shown: only the first wrong addresses are reported.
    func expect(_ challenge: BrowserChallenge, in directory: String) throws(SDKError) -> Bool {
      try state.withLock { (state) throws(SDKError) in
        let open: PendingLogin
        if let login = state.login {
          open = login
        } else {
          open = try PendingLogin(in: directory, challenge)
        }
        open.expect(challenge)
        state.login = open
        guard challenge.flaw != nil else { return true }
        state.wrongAddresses += 1
        return state.wrongAddresses <= 3
      }
    }

    func close() {
      state.withLock { state in
        state.login?.close()
        state.login = nil
      }
    }
  }
}

extension Registration {
  /// The registered redirect URI with a scheme of its own (RFC 8252 section 7.1).
  public var schemeRedirectURI: String? {
    redirectURIs.first { RedirectURI($0)?.kind?.usesScheme ?? false }
  }
}
