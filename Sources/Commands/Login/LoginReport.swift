import JSON
import SDKCore

/// What a person or a program is told of a login that succeeded.
struct LoginReport {
  let result: LoginResult
  let slot: CredentialSlot
  let profile: ProfileName

  func print(_ context: Context) {
    let tokens = result.tokens
    if context.globals.json {
      context.print([
        "profile": .string(profile.description), "slot": .string(slot.rawValue),
        "subject": result.subject.map { .string($0) } ?? .null,
        "scope": tokens.scope.map { .string($0) } ?? .null,
        "expires": tokens.expires.map { .string(Timestamp($0).description) } ?? .null,
      ])
      return
    }
    let who =
      slot == .device
      ? "this installation"
      : slot == .implicit ? "the user implicitly" : result.subject ?? "the user"
    let end = tokens.expires.map { "; the token \(Age.text(of: $0, at: context.now()))" } ?? ""
    context.note("logged \(who) in to '\(profile)'\(end)")
  }
}
