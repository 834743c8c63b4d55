import POSIX
import Primitives
import SDKCore

extension PinUpdate {
  /// Updates the pins from a signed pin set.
  static func update(
    from source: String, _ arguments: Arguments, _ context: Context
  ) async throws {
    let session = try context.session()
    let signers = try signers(arguments, session.profile, context)
    let bytes =
      source.containsText("://")
      ? try await session.pinning.fetchPinSet(source) : try context.read(source, "the pin set")
    let signed = try SignedPinSet(bytes, signedBy: signers, at: context.now())
    let differences = try session.pinning.differences(
      to: signed, replaces: arguments.replace, source: source == "-" ? "standard input" : source)
    context.note("signed on \(signed.issued) by \(signed.signer)")
    try await agree(differences, arguments, session, context) {
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
          .configuration, "invalid_configuration",
          "could not use pinUpdateKey of the profile: it is not a thumbprint of a key")
      }
      return signers
    }
    if !FileStatus.exists(text), let signers = PinSigners(thumbprint: text) { return signers }
    let bytes = try context.read(text, "the key")
    return try PinSigners(keys: bytes)
  }
}
