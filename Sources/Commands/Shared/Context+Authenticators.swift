import Arguments
import POSIX
import Primitives
import SDKCore
import UAF

/// Asks on the terminal for a PIN, and what else an authenticator needs of a person.
struct TerminalAuthenticator: PINEntry {
  let context: Context
  /// The code of the error if there is no terminal.
  let code: SDKError.Code
  /// The option that replaces the question for the PIN; `nil` if there is none.
  let option: String?

  func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation { context.warn("\(violation)") }
    let first = try await typed("New PIN of \(enrolment.owner.newWords): ")
    guard first == (try await typed("The same again: ")) else {
      throw SDKError(.denied, "could not set the PIN: the two differ")
    }
    return first
  }

  func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
    if case .lastAttemptFailed(let count, _) = verification.status {
      context.warn("the last PIN was wrong; \(count) more \(count == 1 ? "try" : "tries")")
    }
    return try await typed("PIN of \(verification.owner.words): ")
  }

  private func typed(_ prompt: String) async throws(SDKError) -> [UInt8] {
    Array(
      try await context.typedSecret(
        prompt, "PIN", withoutTerminal: code, options: option.map { [$0] } ?? []
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
      if error == .endOfInput { return false }
      throw error.error("could not confirm the transaction", withoutTerminal: code)
    }
  }
}

extension PINOwner {
  fileprivate var words: String {
    switch self {
    case .authenticator(_, let username): "the FIDO key of \(Visible.line(username))"
    case .profile(let name): "the profile '\(name)'"
    case .user(let user, let name): "the user '\(user)' of the profile '\(name)'"
    }
  }

  /// The same for a PIN that is chosen.
  fileprivate var newWords: String {
    if case .authenticator = self { "the FIDO key" } else { words }
  }
}

extension Context {
  /// Who is asked for the PIN of sealed tokens.
  var sealPIN: any PINEntry {
    if let file = passphraseFile { return FilePIN(file, namedBy: "--passphrase-file") }
    return TerminalAuthenticator(
      context: self, code: .notAuthenticated, option: "--passphrase-file")
  }

  /// Who is asked by a command for the PIN that its options can give.
  @inline(never)
  func sealPIN(pinFile: String?) throws -> any PINEntry {
    guard let pin = try secret("PIN", option: "pin", file: pinFile) else {
      return sealPIN
    }
    return KnownPIN(Array(pin.utf8))
  }

  /// Who is asked if a request needs a login with a FIDO key.
  var authenticatorDelegates: AuthenticatorDelegates {
    delegates(TerminalAuthenticator(context: self, code: .notAuthenticated, option: nil))
  }

  /// Who is asked by a command with the options of a PIN; a given one comes first, then `fido.pinFile`.
  @inline(never)
  func authenticatorDelegates(
    _ profile: Profile, pinFile: String?
  ) throws -> AuthenticatorDelegates? {
    var terminal = delegates(
      TerminalAuthenticator(context: self, code: .invalidRequest, option: "--pin-file"))
    if let pin = try secret("PIN", option: "pin", file: pinFile) {
      terminal.pin = KnownPIN(Array(pin.utf8))
    } else if profile.hasPINFile {
      return nil
    }
    return terminal
  }

  private func delegates(_ terminal: TerminalAuthenticator) -> AuthenticatorDelegates {
    AuthenticatorDelegates(pin: terminal, confirmation: terminal.isConfirmed)
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
  /// `--aaid`.
  static func aaid(_ path: any Path<AAID?>) -> Self {
    .value("aaid", "AAID", path, "Use this authenticator, not the profile's") {
      (text) throws(ValueError) in
      guard let aaid = AAID(text) else { throw ValueError("expected VVVV#MMMM") }
      return aaid
    }
  }
}
