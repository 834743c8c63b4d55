import JSON
import SDKCore

/// Accounts by mail: the server is told an address, and writes there.
extension Register {
  static func askByMail(
    _ purpose: Purpose, _ email: EmailAddress, _ session: ProfileSession, _ context: Context
  ) async throws(Failure) {
    let name = session.profile.name
    let errand: AccountErrand = purpose == .account ? .signUp : .passwordReset
    try await translating(name) { () async throws(SDKError) in
      try await session.account.ask(errand, for: email)
    }
    if context.globals.json {
      context.print([
        "profile": .string(name.description), "email": .string(email.text),
        "asked": errand == .signUp ? "account" : "password_reset",
      ])
    } else {
      context.note("the server took it; look for its letter in the mailbox of \(email.text)")
    }
  }
}

extension Register.Arguments {
  /// What speaks against the combination, when it is about a person's account.
  var objectionToPerson: String? {
    if email != nil, purpose != .account, purpose != .passwordReset {
      return "--email needs --account or --reset-password"
    }
    if email != nil, show || update || force || clientID != nil || choosesMetadata || hasInput {
      return "--email is about a person, and so takes no option of a client"
    }
    return nil
  }
}
