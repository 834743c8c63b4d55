import JSON
import SDKCore

/// Accounts by mail: the server is told an address, and writes there.
extension Register.Arguments {
  /// What the server is asked for; `nil` when it is about the client, not about a person.
  var accountCall: AccountService.Call? {
    account ? .register : resetPassword ? .resetPassword : nil
  }

  /// What speaks against the combination, when it is about a person's account.
  var objectionToAccount: String? {
    if account, resetPassword { return "--account and --reset-password exclude each other" }
    guard account || resetPassword else {
      return "--email needs --account or --reset-password"
    }
    let option = account ? "--account" : "--reset-password"
    if show || update || force || clientID != nil || choosesMetadata || hasInput {
      return "\(option) is about a person, and so takes no option but --email"
    }
    return nil
  }

  func ask(
    _ call: AccountService.Call, _ session: ProfileSession, _ context: Context
  ) async throws(Failure) {
    guard let email else {
      throw .usage("\(account ? "--account" : "--reset-password") needs --email")
    }
    let name = session.profile.name
    try await translating(name) { () async throws(SDKError) in
      try await session.ask(call, for: email)
    }
    if context.globals.json {
      context.print([
        "profile": .string(name.description), "email": .string(email.text),
        "asked": call == .register ? "account" : "password_reset",
      ])
    } else {
      context.note("the server took it; look for its letter in the mailbox of \(email.text)")
    }
  }
}
