import POSIX
import PinFormats
import Pinning
import Primitives
import SDKCore

/// Reads files with keys and certificates, and asks for their password if one is needed.
struct KeyFileReader {
  private let context: Context
  private let allowsLegacy: Bool
  /// The password that was given or typed.
  private var password: String?

  init(_ context: Context, passwordFile: String?, allowsLegacy: Bool) throws {
    self.context = context
    self.allowsLegacy = allowsLegacy
    password = try context.secret("password", file: passwordFile)
  }

  /// The keys of a file; `-` is standard input.
  mutating func keys(in file: String) async throws -> [FoundKey] {
    let (legacy, context) = (allowsLegacy, context)
    return try await read(file, "keys", holdsKey: { $0.contains { $0.kind == .privateKey } }) {
      (bytes, password) async throws(SDKError) in
      try await PublicKeys.found(
        in: bytes, of: file, password: password, allowsLegacy: legacy, atMost: context.remaining)
    }
  }

  /// The certificates and the key of an identity.
  mutating func identity(in file: String) async throws -> IdentityMaterial {
    let (legacy, context) = (allowsLegacy, context)
    return try await read(file, "identity", holdsKey: \.hasKey) {
      (bytes, password) async throws(SDKError) in
      do throws(SDKError) {
        return try await .read(
          bytes, password: password, allowsLegacy: legacy, atMost: context.remaining)
      } catch {
        throw SDKError(
          error.code, "could not use '\(file)': \(error.message)", remedy: error.remedy)
      }
    }
  }

  /// Reads one file; refuses one with a private key that others can change or read.
  private mutating func read<Content: Sendable>(
    _ file: String, _ what: String, holdsKey: (Content) -> Bool,
    _ open: ([UInt8], String?) async throws(SDKError) -> Content
  ) async throws -> Content {
    let secret = try context.readKeys(file, what)
    let content: Content
    do throws(SDKError) {
      content = try await open(secret.bytes, password)
    } catch {
      guard error.code == .wrongPassword, password == nil, context.isInteractive else {
        throw Failure(error, readingKeysOf: file, hasPassword: password != nil)
      }
      password = try await context.typedSecret("Password of \(Visible.line(file)): ", "password")
      do throws(SDKError) {
        content = try await open(secret.bytes, password)
      } catch {
        throw Failure(error, readingKeysOf: file, hasPassword: true)
      }
    }
    if holdsKey(content) { try context.requireProtection(of: secret) }
    return content
  }
}
