import SDKCore

/// Reads the files of an identity, and asks for their password if one is needed.
struct IdentityReader {
  let context: Context
  let allowsLegacy: Bool
  /// The password that was given or typed.
  var password: String?

  init(context: Context, allowsLegacy: Bool) {
    self.context = context
    self.allowsLegacy = allowsLegacy
  }

  /// Reads one file; refuses one with a private key that others can change or read.
  mutating func read(_ file: String) async throws -> IdentityMaterial {
    let content = try context.readKeys(file, "identity")
    let material = try await material(content.bytes, of: file)
    if material.hasKey { try context.requireProtection(of: content) }
    return material
  }

  private mutating func material(
    _ bytes: [UInt8], of file: String
  ) async throws -> IdentityMaterial {
    do {
      return try await material(bytes)
    } catch {
      guard error.code == .wrongPassword, password == nil, context.isInteractive else {
        throw failure(error, file)
      }
    }
    password = try await context.typedSecret("Password of \(Visible.line(file)): ", "password")
    do {
      return try await material(bytes)
    } catch {
      throw failure(error, file)
    }
  }

  /// Runs library calls about a file.
  static func naming<Value>(
    _ file: String, _ body: () throws(SDKError) -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      throw Failure(SDKError(error.code, "could not use '\(file)': \(error.message)"))
    }
  }

  private func material(_ bytes: [UInt8]) async throws(SDKError) -> IdentityMaterial {
    try await .read(
      bytes, password: password, allowsLegacy: allowsLegacy, atMost: context.remaining)
  }

  private func failure(_ error: SDKError, _ file: String) -> Failure {
    Failure(
      SDKError(
        error.code, "could not use '\(file)': \(error.message)", remedy: error.remedy),
      readingKeysOf: file, hasPassword: password != nil)
  }
}
