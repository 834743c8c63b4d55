import POSIX
import Primitives

/// The content of a file or a pipe that holds a secret, or may hold one.
///
/// All secrets that a person names are read by it, from files of options and of settings: others
/// must not be able to change the file, nor to read it if the user owns it and could prevent that.
public struct SecretFile: Sendable {
  /// The content.
  public let bytes: [UInt8]
  private let exposure: SDKError?

  /// Reads a file or a pipe without judging it; ``requireProtection()`` does.
  ///
  /// - Throws: ``SDKError/Code/localData`` if it cannot be read.
  public init(_ path: String, _ what: String, limit: Int = 1 << 16) throws(SDKError) {
    let action = "could not read the \(what)"
    let content = try attempt(action, as: .localData) {
      try FileReader.readSecret(path, limit: limit)
    }
    bytes = content.bytes
    exposure = content.exposure.map { SDKError($0, action) }
  }

  /// Content that does not come from a file, such as that of standard input.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    exposure = nil
  }

  /// Refuses a file that others can change, or can read although the user could prevent it.
  ///
  /// - Throws: ``SDKError/Code/storePermissions``.
  public func requireProtection() throws(SDKError) {
    if let exposure { throw exposure }
  }

  /// The content of a file with a secret.
  ///
  /// - Throws: ``SDKError/Code/storePermissions`` if it is exposed to others;
  ///   ``SDKError/Code/localData`` if it cannot be read.
  public static func bytes(of path: String, _ what: String) throws(SDKError) -> [UInt8] {
    let file = try SecretFile(path, what)
    try file.requireProtection()
    return file.bytes
  }

  /// The one line of a file with a secret, without its end.
  ///
  /// The file may be a pipe, so no thread of Swift's concurrency waits for it.
  ///
  /// - Throws: the errors of ``bytes(of:_:)`` and ``line(in:_:)``.
  public static func line(of path: String, _ what: String) async throws(SDKError) -> String {
    let content = try await onBackgroundThread { () throws(SDKError) in
      try Self.bytes(of: path, what)
    }
    return try line(in: content, what)
  }

  /// The one line of text of which a secret consists, without its end.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if it is empty, more than one line, or no UTF-8.
  public static func line(in bytes: [UInt8], _ what: String) throws(SDKError) -> String {
    var line = bytes
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), line.contains(where: { $0 != 0x20 }),
      let text = String(validating: line, as: UTF8.self)
    else {
      throw SDKError(
        .invalidRequest, "could not use the \(what): it is empty or not one line of text")
    }
    return text
  }
}
