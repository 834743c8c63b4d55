import Arguments
import POSIX
import SDKCore

/// How files with keys are opened.
struct PinFileArguments: Sendable {
  var passwordFile: String?
  var legacy = false

  /// `--password-file` and `--legacy`.
  static let options: [Option<Self>] = [
    .secret("password", \.passwordFile, "the password"),
    .flag("legacy", \.legacy, "Allow the old algorithms RC2, RC4 and DES"),
  ]
}

/// Reads the keys of files, and asks for a password if one is needed.
struct PinFileReader {
  private let context: Context
  private let arguments: PinFileArguments
  private var password: String?

  init(_ arguments: PinFileArguments, _ context: Context) throws {
    self.context = context
    self.arguments = arguments
    password = try context.secret("password", file: arguments.passwordFile)
  }

  /// Returns the keys of a file; `-` is standard input.
  mutating func keys(in file: String) async throws -> [FoundKey] {
    let content = try context.readKeys(file, "keys")
    let keys = try await keys(of: content.bytes, file)
    if keys.contains(where: { $0.kind == .privateKey }) {
      try context.requireProtection(of: content)
    }
    return keys
  }

  private mutating func keys(
    of bytes: [UInt8], _ file: String
  ) async throws -> [FoundKey] {
    do {
      return try await found(in: bytes, file)
    } catch {
      guard error.code == .wrongPassword, password == nil, context.isInteractive else {
        throw failure(error, file)
      }
    }
    password = try await context.typedSecret("Password of \(file): ", "password")
    do {
      return try await found(in: bytes, file)
    } catch {
      throw failure(error, file)
    }
  }

  private func found(in bytes: [UInt8], _ file: String) async throws(SDKError) -> [FoundKey] {
    try await PublicKeys.found(
      in: bytes, of: file, password: password, allowsLegacy: arguments.legacy,
      atMost: context.remaining)
  }

  private func failure(_ error: SDKError, _ file: String) -> Failure {
    Failure(error, readingKeysOf: file, hasPassword: password != nil)
  }
}
