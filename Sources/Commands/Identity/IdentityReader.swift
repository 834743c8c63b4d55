import POSIX
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

  /// Reads one file; warns if it has a private key that others may read.
  mutating func read(_ file: String) async throws -> IdentityMaterial {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try context.input.readOperand(file, limit: 1 << 20)
    } catch {
      throw Failure.unreadable("the identity", error)
    }
    let material = try await material(bytes, of: file)
    if material.hasKey, let status = try? FileStatus.of(file), status.kind == .file,
      !status.isPrivate
    {
      context.warn("warning: others may read the private key in '\(file)'")
    }
    return material
  }

  private mutating func material(
    _ bytes: [UInt8], of file: String
  ) async throws -> IdentityMaterial {
    do {
      return try material(bytes)
    } catch {
      guard error.code == .wrongPassword, password == nil else { throw failure(error, file) }
      guard context.isInteractive else {
        throw failure(error, file, ["give its password with --password-file or --password-stdin"])
      }
    }
    password = try await context.typedSecret("Password of \(Visible.line(file)): ", "password")
    return try Self.naming(file) { () throws(SDKError) in try material(bytes) }
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

  private func material(_ bytes: [UInt8]) throws(SDKError) -> IdentityMaterial {
    try IdentityMaterial(reading: bytes, password: password, allowsLegacy: allowsLegacy)
  }

  private func failure(
    _ error: SDKError, _ file: String, _ hints: [String] = []
  ) -> Failure {
    var failure = Failure(SDKError(error.code, "could not use '\(file)': \(error.message)"))
    failure.hints =
      error.code == .legacyAlgorithm ? ["allow these algorithms with --legacy"] : hints
    return failure
  }
}
