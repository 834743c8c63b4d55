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
      throw SDKError(.invalidRequest, cause: "\(violation)")
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

/// The PIN of `fido.pinFile`: it is not tried again after a wrong one, because that locks the
/// authenticator.
struct FilePIN: PINEntry {
  let path: String

  func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(.invalidRequest, cause: "\(violation) (\(path))")
    }
    return try await read()
  }

  func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
    if case .lastAttemptFailed = verification.status {
      throw SDKError(
        .wrongPIN, cause: "the last PIN was wrong, so that of \(path) is not tried",
        remedy: .login(.init(by: .fido)))
    }
    return try await read()
  }

  private func read() async throws(SDKError) -> [UInt8] {
    Array(try await SecretFile.line(of: path, "PIN (fido.pinFile)").utf8)
  }
}
