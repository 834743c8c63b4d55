public import JSON
import OpenSSL
public import Pinning
public import Primitives

/// The report of a pin failure in the form of TrustKit, which extends RFC 7469 section 3.
public struct PinFailureReport: Sendable, Hashable {
  /// What happened.
  public let failure: PinFailure
  /// When it happened.
  public let time: Timestamp
  /// The name of the program that reports.
  public let program: String
  /// The version of the program.
  public let version: String
  /// The profile: `app-vendor-id`, by which a server tells installations apart.
  public let profile: String

  /// Describes a report.
  public init(
    _ failure: PinFailure, at time: Timestamp, program: String, version: String, profile: String
  ) {
    self.failure = failure
    self.time = time
    self.program = program
    self.version = version
    self.profile = profile
  }

  /// The document.
  public var json: JSON {
    let mismatch = failure.mismatch
    return .members([
      "app-bundle-id": .string(program), "app-version": .string(version),
      "app-vendor-id": .string(profile), "app-platform": .string(Self.platform),
      "app-platform-version": .string(""), "trustkit-version": .string(""),
      "hostname": .string(mismatch.host), "port": .int(Int64(failure.port)),
      "noted-hostname": .string(failure.set.host),
      "include-subdomains": .bool(failure.set.includesSubdomains),
      "enforce-pinning": .bool(failure.isEnforced),
      "validated-certificate-chain": .strings(failure.certificates.map(Self.pem)),
      "known-pins": .strings(mismatch.pinned.map { "pin-sha256=\"\($0.pin.base64)\"" }),
      // TSKTrustEvaluationFailedNoMatchingPin.
      "validation-result": .int(1), "date-time": .string(time.description),
      "expiration-date": failure.set.expires.map { .string($0.date) },
    ])
  }

  private static func pem(_ der: [UInt8]) -> String {
    (try? Certificate(der: der))?.pem ?? ""
  }

  #if os(Linux)
  private static let platform = "LINUX"
  #else
  private static let platform = "MACOS"
  #endif
}
