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

  package var domain: ResourceError.Domain {
    switch self {
    case .user: .user
    case .implicit: .implicit
    case .anonymous: .anonymous
    case .unauthenticated: .unauthenticated
    }
  }

  var action: String {
    switch self {
    case .user: "could not fetch as user"
    case .implicit: "could not fetch implicitly"
    case .anonymous: "could not fetch anonymously"
    case .unauthenticated: "could not fetch"
    }
  }

  var slot: CredentialSlot? { CredentialSlot(rawValue: rawValue) }
}
