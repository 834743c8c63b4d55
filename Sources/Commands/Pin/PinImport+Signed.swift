import POSIX
import Primitives
import SDKCore

extension PinImportCommand {
  /// Imports a signed pin set.
  static func runSigned(
    _ bytes: [UInt8], _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws {
    let signers = try signers(arguments, session.profile, context)
    let signed = try SignedPinSet(bytes, signedBy: signers, at: context.now())
    let source = arguments.file == "-" ? "standard input" : arguments.file
    let differences = try session.pinning.differences(
      to: signed, replaces: arguments.replace, source: source)
    context.note("signed on \(signed.issued) by \(signed.signer)")
    try await agree(to: differences, arguments, session, context) {
      try await session.pinning.apply(differences, of: signed)
    }
  }

  private static func signers(
    _ arguments: Arguments, _ profile: Profile, _ context: Context
  ) throws -> PinSigners {
    guard let text = arguments.signedBy else {
      guard let thumbprint = profile.pinUpdateKey else {
        throw Failure.usage(
          "--signed-by is missing, and the profile has no pinUpdateKey",
          hints: [
            ShellWord.sdkctl(of: profile.name, "profile", "set", "pinUpdateKey=THUMBPRINT")
          ])
      }
      guard let signers = PinSigners(thumbprint: thumbprint) else {
        throw Failure(
          .configuration, .invalidConfiguration,
          "could not use pinUpdateKey of the profile: it is not a thumbprint of a key")
      }
      return signers
    }
    if !FileStatus.exists(text), let signers = PinSigners(thumbprint: text) { return signers }
    let bytes = try context.read(text, "the key")
    return try PinSigners(keys: bytes)
  }
}
