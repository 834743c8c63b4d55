import JOSE
import POSIX
import Primitives
import SDKCore

/// The token that a command is about: one of a file or standard input, else a stored one.
struct TokenInput {
  let text: String
  /// What it is; `nil` if only the server knows.
  let kind: TokenKind?

  /// A stored token of the profile.
  ///
  /// Without the network: it may have expired.
  init(
    stored slot: CredentialSlot, refresh: Bool, _ session: ProfileSession
  ) throws {
    let profile = session.profile.name
    let tokens = try session.tokens.stored(in: slot)
    guard let text = refresh ? tokens?.refreshToken : tokens?.accessToken else {
      throw Failure(
        .authenticationRequired, "not_authenticated",
        "could not find the token: '\(profile)' has no \(refresh ? "refresh" : "access") token",
        hints: [Remedy.login(.init(slot)).commandLine(for: profile)])
    }
    self.text = text
    kind = refresh ? .refresh : .access
  }

  /// The token in a file, or on standard input if its name is `-`.
  init(file: String, refresh: Bool, _ context: Context) throws {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try context.input.readOperand(file, limit: 1 << 20)
    } catch {
      throw Failure.unreadableInput(error, operand: file)
    }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(
        .failure, "input_empty", "could not read the token: it is empty or not visible ASCII")
    }
    self.text = text
    kind = refresh ? .refresh : nil
  }
}
