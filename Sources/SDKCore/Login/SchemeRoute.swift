import JOSE
import OAuth
import POSIX
import Synchronization

/// A browser whose answer the desktop hands to the program of a URL scheme (RFC 8252, 7.1).
///
/// That is another process, which finds this one by a socket of the ``PendingLogins``.
struct SchemeRoute: AnswerRoute {
  let redirectURI: String
  private let directory: String
  private let present: ChallengeHandler
  private let pending = Pending()

  init(
    _ session: ProfileSession, _ options: LoginOptions, _ present: @escaping ChallengeHandler
  ) throws(SDKError) {
    self.present = present
    directory = session.store.location.pending
    guard let redirectURI = try session.requiredRegistration().schemeRedirectURI else {
      let name = session.profile.name
      throw SDKError(
        .invalidConfiguration,
        "\(options.action): no redirect URI with a scheme of its own is registered",
        subject: name.description,
        remedy: "sdkctl -p \(name) register --force "
          + "--redirect-uri sdkctl.\(name.inScheme):/callback")
    }
    self.redirectURI = redirectURI
  }

  func carry(_ challenge: BrowserChallenge) async {
    do {
      try pending.expect(challenge, in: directory)
    } catch {
      return challenge.fail(error)
    }
    await present(challenge)
  }

  func close() { pending.close() }
}

extension SchemeRoute {
  /// The open socket, from the first challenge on.
  private final class Pending: Sendable {
    private let login = Mutex<PendingLogin?>(nil)

    func expect(_ challenge: BrowserChallenge, in directory: String) throws(SDKError) {
      try login.withLock { (login) throws(SDKError) in
        let open: PendingLogin
        if let login { open = login } else { open = try PendingLogin(in: directory, challenge) }
        open.expect(challenge)
        login = open
      }
    }

    func close() {
      login.withLock { login in
        login?.close()
        login = nil
      }
    }
  }
}

extension Registration {
  /// The registered redirect URI with a scheme of our own.
  package var schemeRedirectURI: String? {
    redirectURIs.first { RedirectURI($0)?.isAcceptablePrivateUse ?? false }
  }
}

extension ProfileName {
  /// What of the name a scheme can hold.
  fileprivate var inScheme: String {
    let kept = description.lowercased().map { $0 == "_" ? "-" : $0 }
    let text = String(kept)
    return text.hasSuffix(".") || text.contains("..") ? "app" : text
  }
}
