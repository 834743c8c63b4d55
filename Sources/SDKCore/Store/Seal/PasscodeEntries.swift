import Primitives
import Synchronization

/// A passcode that a program knows: it is tried once.
public final class KnownPasscode: PasscodeEntry {
  private let passcode: [UInt8]
  private let isUsed = Mutex(false)

  /// Takes the passcode, as UTF-8.
  public init(_ passcode: [UInt8]) { self.passcode = passcode }

  /// The passcode; refused if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``.
  public func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(.invalidRequest, cause: "\(violation)", resource: violation.resource)
    }
    return passcode
  }

  /// The passcode, unless it was wrong.
  ///
  /// - Throws: ``SDKError/Code/wrongPasscode`` after the first time.
  public func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    let wasUsed = isUsed.withLock { isUsed in
      defer { isUsed = true }
      return isUsed
    }
    guard !wasUsed else { throw SDKError(.wrongPasscode, cause: "the passcode is wrong") }
    return passcode
  }
}

/// The passcode of a file, which is not tried again after a wrong one: that would use up the attempts.
public struct FilePasscode: PasscodeEntry {
  private let path: String
  private let source: String
  private let remedy: Remedy?

  /// Names a file; nothing is read yet.
  ///
  /// - Parameters:
  ///   - path: the file, or a pipe; it has the passcode in its one line.
  ///   - source: the setting or the option that names it, for errors.
  ///   - remedy: what helps after a wrong passcode.
  public init(_ path: String, namedBy source: String, afterWrong remedy: Remedy? = nil) {
    (self.path, self.source, self.remedy) = (path, source, remedy)
  }

  /// The passcode of the file; refused if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``; errors of the file.
  public func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(
        .invalidRequest, cause: "\(violation) (\(path))", resource: violation.resource)
    }
    return try await read()
  }

  /// The passcode of the file, unless the last passcode was wrong.
  ///
  /// - Throws: ``SDKError/Code/wrongPasscode`` if it was; errors of the file.
  public func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    if case .lastAttemptFailed = verification.status {
      throw SDKError(
        .wrongPasscode, cause: "the last passcode was wrong, so that of \(path) is not tried",
        remedy: remedy)
    }
    return try await read()
  }

  private func read() async throws(SDKError) -> [UInt8] {
    Array(try await SecretFile.line(of: path, "Passcode (\(source))").utf8)
  }
}
