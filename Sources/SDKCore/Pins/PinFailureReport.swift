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
    .members([
      "app-bundle-id": .string(program), "app-version": .string(version),
      "app-vendor-id": .string(profile), "app-platform": .string(Self.platform),
      "app-platform-version": .string(""), "trustkit-version": .string(""),
      "hostname": .string(failure.host), "port": .int(Int64(failure.port)),
      "noted-hostname": JSON(set?.host),
      "include-subdomains": .bool(set?.includesSubdomains == true),
      "enforce-pinning": .bool(failure.isEnforced),
      "validated-certificate-chain": .strings(failure.certificates.map(Self.pem)),
      "known-pins": .strings(
        (set?.keys ?? []).map { "pin-sha256=\"\($0.pin.base64)\"" }),
      // TSKTrustEvaluationFailedNoMatchingPin.
      "validation-result": .int(1), "date-time": .string(time.description),
      "expiration-date": set?.expires.map { .string($0.date) },
    ])
  }

  private var set: PinSet? {
    switch failure.verdict {
    case .matched(_, let set), .mismatch(_, let set), .expired(let set): set
    case .notPinned: nil
    }
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
