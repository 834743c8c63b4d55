import JOSE
import Primitives
import Synchronization

/// The user in whose name a request was made, and whether the user's tokens are bound to a key.
///
/// Each credential that the request gets later, by a login or a renewal inside it or from another
/// process, is compared with it: a request of one user is never sent with the credential of another.
package final class RequestOwner: Sendable {
  private let slots: TokenSlots
  private let known: Mutex<AuthorizationProvider?>

  init(_ slots: TokenSlots) async {
    self.slots = slots
    // What cannot be read fails the request when it is needed.
    known = await Mutex((try? slots.provider(in: .user, isRecent: true)) ?? nil)
  }

  /// Refuses a login of another user, and one whose tokens are less protected.
  ///
  /// - Parameter credential: what the request would send; `nil` for what the user's slot has.
  /// - Throws: ``SDKError/Code/untrusted``.
  func confirm(_ credential: AuthorizationProvider?) async throws(SDKError) {
    let content = await credential == nil ? try slots.provider(in: .user) : credential
    guard let current = content else { return }
    if let before = known.withLock({ $0 }) {
      guard current.isOfSameUser(as: before) else {
        throw refusal("another user has logged in since it was made")
      }
      if before.tokens?.isBound == true, current.tokens?.isBound != true {
        throw refusal("the new token is bound to no key")
      }
    }
    known.withLock { $0 = current }
  }

  private func refusal(_ cause: String) -> SDKError {
    SDKError(
      .untrusted, "could not send the request: \(cause)", subject: slots.profile.name.description)
  }
}

extension AuthorizationProvider {
  /// Whether it names the user that another one names; `true` if that names none.
  ///
  /// Compared is a name that both have in the same place: a login may return cookies once and a JWT then.
  fileprivate func isOfSameUser(as other: AuthorizationProvider) -> Bool {
    let names = [\Self.idTokenSubject, \.accessTokenSubject, \.userName]
    for name in names {
      if let own = self[keyPath: name], let user = other[keyPath: name] {
        return sameIdentifier(own, user)
      }
    }
    return names.allSatisfy { other[keyPath: $0] == nil }
  }

  package var user: String? { idTokenSubject ?? accessTokenSubject ?? userName }

  private var idTokenSubject: String? { tokens?.idToken.flatMap { try? JWT($0) }?.subject }

  private var accessTokenSubject: String? { tokens.flatMap { try? JWT($0.accessToken) }?.subject }

  /// The name with which the user logged in, if the login is not OAuth.
  public var userName: String? {
    if case .cookies(let session) = self { session.user } else { tokens?.user }
  }
}
