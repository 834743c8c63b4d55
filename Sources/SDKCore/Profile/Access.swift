/// The credential with which a resource is fetched.
public enum Access: String, Sendable, CaseIterable {
  /// As the user who is logged in.
  case user
  /// As the user, with the limited scope of an implicit token, without a login.
  case implicit
  /// As this installation.
  case anonymous
  /// Without a credential.
  case unauthenticated = "unauth"

  /// The domain of its error numbers.
  var domain: ResourceError.Domain {
    switch self {
    case .user: .user
    case .implicit: .implicit
    case .anonymous: .anonymous
    case .unauthenticated: .unauthenticated
    }
  }

  /// The first part of the error message if its slot cannot be used.
  var action: String {
    switch self {
    case .user: "could not fetch as user"
    case .implicit: "could not fetch implicitly"
    case .anonymous: "could not fetch anonymously"
    case .unauthenticated: "could not fetch"
    }
  }

  /// The slot of its credential.
  var slot: CredentialSlot? {
    switch self {
    case .user: .user
    case .implicit: .implicit
    case .anonymous: .anonymous
    case .unauthenticated: nil
    }
  }
}
