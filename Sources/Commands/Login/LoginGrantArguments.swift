import Arguments
import OAuth
import POSIX
import SDKCore

extension Login.Arguments {
  /// The grants that are asked for by an option, by their names.
  private var grants: [String] {
    [
      ("--username", username != nil), ("--assertion-stdin", assertionStdin),
      ("--assertion-file", assertionFile != nil), ("--assert-subject", assertSubject != nil),
      ("--exchange-stdin", exchangeStdin), ("--exchange-file", exchangeFile != nil),
    ].compactMap { name, isAsked in isAsked ? name : nil }
  }

  /// What speaks against the options of grants; `nil` when they make sense, or there are none.
  var objectionToGrant: String? {
    if passwordStdin, passwordFile != nil {
      return "--password-stdin and --password-file exclude each other"
    }
    if passwordStdin || passwordFile != nil, username == nil {
      return "a password needs --username"
    }
    if subjectTokenType != nil || !audiences.isEmpty, !exchangeStdin, exchangeFile == nil {
      return "--subject-token-type and --audience need --exchange-stdin or --exchange-file"
    }
    guard let grant = grants.first else { return nil }
    if grants.count > 1 { return "\(grant) and \(grants[1]) exclude each other" }
    if way != .here || asksListener || asksPerson {
      return "\(grant) needs no browser, and so takes only --scope, --resource and --dpop "
        + "of the others"
    }
    return nil
  }

  /// What is presented in place of a login by browser; `nil` for one.
  ///
  /// Nobody is asked for a password that the profile would not let pass.
  func grant(
    _ session: ProfileSession, _ context: Context
  ) async throws(Failure) -> LoginGrant? {
    if let username {
      try translating(session.profile.name) { () throws(SDKError) in
        try session.requirePasswordGrant()
      }
      return .password(
        username: username, password: try await password(of: username, context))
    }
    if let assertSubject { return .ownAssertion(subject: assertSubject) }
    if let assertion = try context.secret(
      "assertion", standardInput: assertionStdin, file: assertionFile)
    {
      return .assertion(assertion)
    }
    guard
      let token = try context.secret(
        "token to exchange", standardInput: exchangeStdin, file: exchangeFile)
    else { return nil }
    return .exchange(
      SubjectToken(token, type: subjectTokenType ?? .accessToken), audiences: audiences)
  }

  private func password(of name: String, _ context: Context) async throws(Failure) -> String {
    if let password = try context.secret(
      "password", standardInput: passwordStdin, file: passwordFile)
    {
      return password
    }
    let bytes: [UInt8]
    do throws(TerminalError) {
      bytes = try await context.terminal.readSecret(prompt: "Password of \(Visible.line(name)): ")
    } catch {
      switch error {
      case .cancelled: throw Failure(.declined, "cancelled", "could not log in: cancelled")
      default:
        throw .usage("could not ask for the password: there is no terminal")
      }
    }
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.declined, "declined", "could not log in: no password was typed")
    }
    return text
  }
}
