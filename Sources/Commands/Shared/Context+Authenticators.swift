import Arguments
import FIDO
import POSIX
import Primitives
import SDKCore
import UAF

/// Asks on the terminal for a passcode, and what else an authenticator needs of a person.
struct TerminalAuthenticator: PasscodeEntry {
  let context: Context
  /// The code of the error if there is no terminal.
  let code: SDKError.Code
  /// The option that replaces the question for the passcode; `nil` if there is none.
  let option: String?

  func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation { context.warn("\(violation)") }
    let first = try await typed("New passcode of \(enrolment.owner.newWords): ")
    guard first == (try await typed("The same again: ")) else {
      throw SDKError(.denied, "could not set the passcode: the two differ")
    }
    return first
  }

  func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    if case .lastAttemptFailed(let count, _) = verification.status {
      context.warn("the last passcode was wrong; \(count) more \(count == 1 ? "try" : "tries")")
    }
    return try await typed("Passcode of \(verification.owner.words): ")
  }

  private func typed(_ prompt: String) async throws(SDKError) -> [UInt8] {
    Array(
      try await context.typedSecret(
        prompt, "passcode",
        question: code == .notAuthenticated && option == nil ? "the passcode for a new login" : nil,
        withoutTerminal: code, options: option.map { [$0] } ?? []
      ).utf8)
  }

  /// Shows a text, or saves an image and names it, and asks.
  func isConfirmed(
    _ transaction: UAFTransaction, with key: AuthenticatorKey
  ) async throws(SDKError) -> Bool {
    let content =
      switch transaction.content {
      case .text(let text): Visible.text(text)
      case .png(let bytes): "the image \(try context.save(image: bytes))"
      }
    let text = "The server asks \(Visible.line(key.username)) to confirm:\n\(content)\n"
    if let output = context.terminal.openOutput() {
      output.write(text)
      try? output.flush()
    } else {
      context.errors.write(text)
    }
    do throws(TerminalError) {
      return try await context.terminal.confirm("Confirm this?")
    } catch {
      throw error.error("could not confirm the transaction", withoutTerminal: code)
    }
  }
}

extension PasscodeOwner {
  fileprivate var words: String {
    switch self {
    case .authenticator(_, let username): "the FIDO key of \(Visible.line(username))"
    case .profile(let name): "the profile '\(name)'"
    case .user(let user, let name): "the user '\(user)' of the profile '\(name)'"
    }
  }

  /// The same for a passcode that is chosen.
  fileprivate var newWords: String {
    if case .authenticator = self { "the FIDO key" } else { words }
  }
}

extension Context {
  /// Who is asked for the passcode of what is sealed: what the option names, else the file of the variable, else a person.
  func sealPasscode(named option: String? = nil) -> any PasscodeEntry {
    if option == "-" {
      return FilePasscode(named: "standard input") { () async throws(SDKError) in
        try await onBackgroundThread { () throws(SDKError) in try inputPasscode() }
      }
    }
    if let file = option ?? passcodeVariable {
      return FilePasscode(file, namedBy: "--passcode-file")
    }
    return TerminalAuthenticator(context: self, code: .notAuthenticated, option: "--passcode-file")
  }

  private func inputPasscode() throws(SDKError) -> [UInt8] {
    let bytes = try inputSecret.read { () throws(SDKError) in
      try attempt("could not read the passcode", as: .localData) {
        try input.readOperand("-", limit: 1 << 16).withoutByteOrderMark
      }
    }
    return Array(try SecretFile.line(in: bytes, "passcode").utf8)
  }

  /// The passcode that `--passcode-file` gives, else who is asked for it.
  @inline(never)
  func givenPasscode() throws -> any PasscodeEntry {
    try knownPasscode() ?? sealPasscode()
  }

  private func knownPasscode() throws -> KnownPasscode? {
    try secret("passcode", file: globals.passcodeFile).map { KnownPasscode(Array($0.utf8)) }
  }

  /// Who is asked if a request needs a login with a FIDO key.
  var authenticatorDelegates: AuthenticatorDelegates {
    delegates(TerminalAuthenticator(context: self, code: .notAuthenticated, option: nil))
  }

  /// Who is asked by a command for FIDO keys: a given passcode comes first, then `fido.passcodeFile`.
  @inline(never)
  func authenticatorDelegates(_ profile: Profile) throws -> AuthenticatorDelegates? {
    var terminal = delegates(
      TerminalAuthenticator(context: self, code: .invalidRequest, option: "--passcode-file"))
    if let known = try knownPasscode() {
      terminal.passcode = known
    } else if profile.hasPasscodeFile {
      return nil
    }
    return terminal
  }

  /// A session for FIDO keys: `--passcode-file` is theirs, and not tried on what is sealed.
  func authenticatorSession() throws -> ProfileSession {
    try session { $0.sealPasscode = sealPasscode() }
  }

  private func delegates(_ terminal: TerminalAuthenticator) -> AuthenticatorDelegates {
    AuthenticatorDelegates(passcode: terminal, confirmation: terminal.isConfirmed)
  }

  /// Saves the image of a transaction, and returns its path.
  fileprivate func save(image: [UInt8]) throws(SDKError) -> String {
    let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let path = "\(folder)/sdkctl-transaction-\(UInt64.random(in: 0 ... .max)).png"
    do throws(SystemError) {
      let file = try StagedFile(path, .named(newMode: 0o600))
      try file.write(image)
      try file.commit()
    } catch {
      throw SDKError(.localData, "could not save the image of the transaction: \(error)")
    }
    return path
  }
}

extension Option {
  static func aaid(_ path: any Path<AAID?>) -> Self {
    .value(
      "aaid", "AAID", path, "Use this authenticator, not the profile's", reading: AAID.init,
      expected: "VVVV#MMMM")
  }
}
