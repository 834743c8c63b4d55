import Primitives
import Synchronization

/// A PIN that a program knows: it is tried once.
public final class KnownPIN: PINEntry {
  private let pin: [UInt8]
  private let isUsed = Mutex(false)

  /// Takes the PIN, as UTF-8.
  public init(_ pin: [UInt8]) { self.pin = pin }

  /// The PIN; refused if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``.
  public func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(.invalidRequest, cause: "\(violation)", resource: violation.resource)
    }
    return pin
  }

  /// The PIN, unless it was wrong.
  ///
  /// - Throws: ``SDKError/Code/wrongPIN`` after the first time.
  public func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
    let wasUsed = isUsed.withLock { isUsed in
      defer { isUsed = true }
      return isUsed
    }
    guard !wasUsed else { throw SDKError(.wrongPIN, cause: "the PIN is wrong") }
    return pin
  }
}

/// The PIN of a file, which is not tried again after a wrong one: that would use up the attempts.
public struct FilePIN: PINEntry {
  private let path: String
  private let source: String

  /// Names a file; nothing is read yet.
  ///
  /// - Parameters:
  ///   - path: the file, or a pipe; it has the PIN in its one line.
  ///   - source: the setting or the option that names it, for errors.
  public init(_ path: String, namedBy source: String) {
    self.path = path
    self.source = source
  }

  /// The PIN of the file; refused if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``; errors of the file.
  public func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(
        .invalidRequest, cause: "\(violation) (\(path))", resource: violation.resource)
    }
    return try await read()
  }

  /// The PIN of the file, unless the last PIN was wrong.
  ///
  /// - Throws: ``SDKError/Code/wrongPIN`` if it was; errors of the file.
  public func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
    if case .lastAttemptFailed = verification.status {
      var remedy: Remedy?
      if case .authenticator = verification.owner { remedy = .login(.init(by: .init("fido"))) }
      throw SDKError(
        .wrongPIN, cause: "the last PIN was wrong, so that of \(path) is not tried",
        remedy: remedy)
    }
    return try await read()
  }

  private func read() async throws(SDKError) -> [UInt8] {
    Array(try await SecretFile.line(of: path, "PIN (\(source))").utf8)
  }
}
