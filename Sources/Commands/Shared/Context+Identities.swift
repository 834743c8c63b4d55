import Enrolment
import POSIX
import SDKCore

extension Context {
  var passcodeVariable: String? {
    environment["SDKCTL_PASSCODE_FILE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Lets a session ask a person, on the terminal, for what identities need.
  ///
  /// The file has the passphrase of sealed identities, or the PIN of a security token; standard input is read at once.
  func askForIdentities(_ options: inout SessionOptions) throws {
    let file = globals.passphraseFile
    let given = file == "-" ? try secret("passphrase", file: file).map { Array($0.utf8) } : nil
    options.identityUnlock = { [self] (identity) async throws(SDKError) in
      if let given { return given }
      if let file { return Array(try await SecretFile.line(of: file, "passphrase").utf8) }
      let secret = try await typedSecret(
        "Passphrase of the identity '\(identity.name)': ", "passphrase",
        question: "the passphrase of the identity '\(identity.name)'",
        withoutTerminal: .identity, options: ["--passphrase-file"])
      return Array(secret.utf8)
    }
    options.identityPIN = { [self] (token) async throws(SDKError) in
      if let given { return try token.untried(given) }
      if let file { return try await token.pin(inFile: file) }
      if token.isLastAttempt { warning("one more wrong PIN locks the security token") }
      let name = Visible.line(token.label)
      let pin = try await typedSecret(
        "PIN of the security token '\(name)': ", "PIN",
        question: "the PIN of the security token '\(name)'",
        withoutTerminal: .identity, options: ["--passphrase-file"])
      return Array(pin.utf8)
    }
  }

  /// Asks a person, on the terminal, for what an enrolment service wants.
  var enrolmentQuestions: EnrolmentQuestions {
    EnrolmentQuestions(
      password: { [self] (user) async throws(SDKError) in
        try await typedSecret(
          "Password of '\(Visible.line(user))' at the enrolment service: ", "password",
          withoutTerminal: .identity, options: ["identity.passwordFile"])
      },
      input: { [self] (input) async throws(SDKError) in
        for text in [input.disclaimer, input.message] { if let text { note(Visible.line(text)) } }
        var values: [String: String] = [:]
        for field in input.fields {
          values[field.name] = try await typed(
            "\(Visible.line(field.prompt)): ", isSecret: field.isSecret,
            "'\(Visible.line(field.prompt))'", withoutTerminal: .identity, options: input.settings)
        }
        return values
      })
  }

  /// Lets a session log the user in by browser if an enrolment service needs a token.
  func logInForIdentities(_ options: inout SessionOptions) {
    options.identityLogin = { [self] (session, login) async throws(SDKError) in
      try await InteractiveLogin(session: session, context: self, isAllowed: true)
        .logIn(LoginOptions(self, for: login))
    }
  }

  /// A line of text, or a secret, that a person types.
  func typed(
    _ prompt: String, isSecret: Bool, _ question: String,
    withoutTerminal code: SDKError.Code, options: [String] = []
  ) async throws(SDKError) -> String {
    guard !isSecret else {
      return try await typedSecret(
        prompt, "secret", question: question, withoutTerminal: code, options: options)
    }
    do throws(TerminalError) {
      return try await terminal.readLine(prompt)
    } catch {
      throw error.error("could not ask for \(question)", withoutTerminal: code, options: options)
    }
  }
}
