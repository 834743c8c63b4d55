import JSON
import SDKCore

/// Accounts by mail: the server is told an address, and writes there.
extension Register.Arguments {
  /// The call that `--email` is for; `nil` for everything else.
  var accountCall: AccountService.Call? {
    guard email != nil else { return nil }
    return account ? .register : .resetPassword
  }

  /// What speaks against the combination, when it is about a person's account.
  var objectionToAccount: String? {
    if account, resetPassword { return "--account and --reset-password exclude each other" }
    guard account || resetPassword else {
      return "--email needs --account or --reset-password"
    }
    let option = account ? "--account" : "--reset-password"
    if email == nil { return "\(option) needs --email" }
    if show || update || force || clientID != nil || choosesMetadata || hasInput {
      return "\(option) is about a person, and so takes no option but --email"
    }
    return nil
  }

  func ask(
    _ call: AccountService.Call, _ session: ProfileSession, _ context: Context
  ) async throws(Failure) {
    guard let email else { return }
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
