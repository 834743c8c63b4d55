import POSIX
import SDKCore

extension Context {
  /// The file with the passphrase of sealed identities, or the PIN of a token.
  private var passphraseFile: String? {
    globals.passphraseFile
      ?? environment["SDKCTL_PASSPHRASE_FILE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens a sealed identity with the passphrase of the file, or of a person.
  var identityUnlock: IdentityStore.Unlock {
    let (file, terminal) = (passphraseFile, ports.terminal)
    return { (identity) async throws(SDKError) in
      if let file { return try SecretFile.line(of: file, "passphrase") }
      return try await Self.secret(
        "Passphrase of the identity '\(identity.name)': ", terminal,
        for: "passphrase of the identity '\(identity.name)'")
    }
  }

  /// Lets a session ask a person, on the terminal, for what identities need.
  func askForIdentities(_ options: inout SessionOptions) {
    let (file, terminal) = (passphraseFile, ports.terminal)
    options.identityUnlock = identityUnlock
    options.identityPIN = { [self] (device) async throws(SDKError) in
      if let file { return try device.pin(inFile: file) }
      if device.isLastAttempt { warn("warning: one more wrong PIN locks the token") }
      let name = Visible.line(device.label)
      return try await Self.secret(
        "PIN of the token '\(name)': ", terminal, for: "PIN of the token '\(name)'")
    }
    options.identityPassword = { (user) async throws(SDKError) in
      let name = Visible.line(user)
      let bytes = try await Self.secret(
        "Password of '\(name)' at the enrolment service: ", terminal)
      return String(decoding: bytes, as: UTF8.self)
    }
    options.identityInput = { [self] (input) async throws(SDKError) in
      for text in [input.disclaimer, input.message] { if let text { note(Visible.line(text)) } }
      var values: [String: String] = [:]
      for field in input.fields {
        let prompt = "\(Visible.line(field.prompt)): "
        if field.isSecret {
          let bytes = try await Self.secret(prompt, terminal)
          values[field.name] = String(decoding: bytes, as: UTF8.self)
        } else {
          values[field.name] = try await Self.asking { () async throws(TerminalError) in
            try await terminal.readLine(prompt: prompt)
          }
        }
      }
      return values
    }
  }

  /// Lets a session log the user in by browser if an enrolment service needs a token.
  func logInForIdentities(_ options: inout SessionOptions) {
    options.identityLogin = { [self] (session, login) async throws(SDKError) in
      var wanted = LoginOptions(self)
      wanted.scope = login.scope
      try await InteractiveLogin(session: session, context: self, isAllowed: true).logIn(wanted)
    }
  }

  private static func secret(
    _ prompt: String, _ terminal: any TerminalPort, for secret: String? = nil
  ) async throws(SDKError) -> [UInt8] {
    try await asking(for: secret) { () async throws(TerminalError) in
      try await terminal.readSecret(prompt: prompt)
    }
  }

  private static func asking<Value>(
    for secret: String? = nil, _ body: () async throws(TerminalError) -> Value
  ) async throws(SDKError) -> Value {
    do {
      return try await body()
    } catch {
      guard let secret else { throw error.error("could not ask", withoutTerminal: .identity) }
      throw error.error(
        "could not ask for the \(secret)", withoutTerminal: .identity, option: "--passphrase-file")
    }
  }
}
