import Curl
package import POSIX
package import Pinning

/// The settings of a profile for its connections.
package struct TransportSettings: Sendable {
  private let ownCAFile: String?
  /// The file of authorities that are trusted besides the others.
  package let extraCAFile: String?
  /// The variables that name the proxy of the profile; `nil` for those of the process.
  private let proxyVariables: Environment?
  package let pins: PinSets
  package let pinPolicy: PinPolicy
  package let insecureLoopback: Bool
  package let idleTimeout: Duration?

  /// Without a profile, chain and host name are checked, and no host needs pins.
  ///
  /// `caFile` takes the place of the profile's authorities.
  package init(_ profile: Profile?, _ pins: PinSets, caFile: String? = nil) {
    ownCAFile = caFile ?? profile?.caFile
    extraCAFile = profile?.extraCAFile
    proxyVariables = profile?.proxyVariables
    self.pins = pins
    pinPolicy = profile?.pinPolicy ?? .report
    insecureLoopback = profile?.insecureLoopback ?? false
    idleTimeout = profile?.idleTimeout
  }

  /// The file of the trusted authorities; `nil` for the system's.
  package func caFile(_ options: ConnectionOptions) -> String? {
    ownCAFile ?? options.environmentCAFile
  }

  /// The directory of the trusted authorities if there is no file; `nil` for libcurl's choice.
  package func caDirectory(_ options: ConnectionOptions) -> String? {
    options.environmentCADirectory ?? SystemAuthorities.directory()
  }

  func configuration(_ options: ConnectionOptions) -> TransportConfiguration {
    let file = caFile(options)
    var configuration = TransportConfiguration(
      pins: pins, userAgent: options.userAgent, now: { SystemClock.now() })
    configuration.pinPolicy = pinPolicy
    configuration.pinReport = options.pinReport
    configuration.caFile = file
    configuration.extraCAFile = extraCAFile
    if let proxyVariables {
      configuration.environment = { proxyVariables }
      configuration.proxySource = Profile.proxySource
    }
    configuration.caDirectory = file == nil ? caDirectory(options) : nil
    configuration.connectTimeout =
      options.connectTimeout ?? min(.seconds(30), options.timeout ?? .seconds(30))
    configuration.idleTimeout = idleTimeout
    configuration.deadline = options.deadline
    configuration.insecureLoopback = insecureLoopback
    configuration.trace = options.trace
    configuration.resolve = options.resolve
    configuration.connectTo = options.connectTo
    return configuration
  }
}

extension Profile {
  /// Where its proxy is set.
  package static let proxySource = "the profile's setting proxy"

  /// The proxy as the variables that would name it; `nil` if the profile says nothing of one.
  package var proxyVariables: Environment? {
    switch self.proxy {
    case nil: nil
    case .direct?: Environment([:])
    case .url(let url)?:
      Environment(["https_proxy": url, "no_proxy": self.proxyExceptions.joined(separator: ",")])
    }
  }
}
