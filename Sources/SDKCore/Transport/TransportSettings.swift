import Curl
import POSIX
package import Pinning

/// What a transport must know of a profile.
package struct TransportSettings: Sendable {
  private let ownCAFile: String?
  package let pins: PinSets
  package private(set) var pinPolicy: PinPolicy
  package let insecureLoopback: Bool
  package let idleTimeout: Duration?
  /// Told of every mismatch.
  var pinFailure: (@Sendable (PinFailure) -> Void)?

  init(_ profile: Profile, _ pins: PinSets) {
    ownCAFile = profile.caFile
    self.pins = pins
    pinPolicy = profile.pinPolicy
    insecureLoopback = profile.insecureLoopback
    idleTimeout = profile.idleTimeout
  }

  /// Settings for servers that belong to no profile: chain and host name count, pins do not exist.
  init(withoutProfile: Void) {
    ownCAFile = nil
    pins = PinSets()
    pinPolicy = .report
    insecureLoopback = false
    idleTimeout = nil
  }

  /// The settings for reports of mismatches: they go to pinned servers only, and make no reports.
  var forReports: TransportSettings {
    var settings = self
    settings.pinPolicy = .enforce
    settings.pinFailure = nil
    return settings
  }

  /// The file of the authorities that count; `nil` for the system's.
  package func caFile(_ options: SessionOptions) -> String? {
    ownCAFile ?? options.environmentCAFile
  }

  /// The directory of the authorities that count without a file; `nil` for libcurl's choice.
  package func caDirectory(_ options: SessionOptions) -> String? {
    options.environmentCADirectory ?? SystemAuthorities.directory()
  }

  func configuration(_ options: SessionOptions) -> TransportConfiguration {
    let file = caFile(options)
    var configuration = TransportConfiguration(
      caFile: file, caDirectory: file == nil ? caDirectory(options) : nil, pins: pins,
      pinPolicy: pinPolicy,
      connectTimeout: options.connectTimeout ?? min(.seconds(30), options.timeout ?? .seconds(30)),
      deadline: options.deadline, idleTimeout: idleTimeout, insecureLoopback: insecureLoopback,
      userAgent: options.userAgent,
      now: { SystemClock.now() },
      pinReport: options.pinReport, pinFailure: pinFailure, trace: options.trace)
    configuration.resolve = options.resolve
    configuration.connectTo = options.connectTo
    return configuration
  }
}
