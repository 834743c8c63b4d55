import HTTP
public import OAuth

/// What a login without a browser sends to the token endpoint.
public enum LoginGrant: Sendable {
  /// A person's name and password (RFC 6749 section 4.3).
  case password(username: String, password: String)
  /// An assertion about a user (RFC 7523 section 2.1).
  case assertion(String)
  /// An assertion about the user of that name, signed by this client.
  case ownAssertion(subject: String)
  /// A token of another server (RFC 8693), and names of whom the new one is for.
  case exchange(SubjectToken, audiences: [String])
}

extension LoginGrant {
  var audiences: [String] {
    if case .exchange(_, let audiences) = self { audiences } else { [] }
  }
}
