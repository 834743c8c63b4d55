import Curl
public import HTTP
package import POSIX
public import Pinning
import Primitives

/// The settings of a profile for its connections.
package struct TransportSettings: Sendable {
  private let ownCAFile: String?
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

/// The caller's choices for connections to servers.
public struct ConnectionOptions: Sendable {
  /// The value of the `User-Agent` field.
  public var userAgent: String
  /// How long a request may take; `nil` for the defaults.
  public var timeout: Duration?
  /// When everything that the session does must have ended: exchanges, redirects and waits for
  /// locks alike; `nil` for no bound.
  public var deadline: ContinuousClock.Instant?
  /// How long name resolution, connection and TLS handshake may take together; `nil` for the default.
  public var connectTimeout: Duration?
  /// Addresses of hosts that are not looked up; for https only.
  public var resolve: [AddressOverride] = []
  /// Hosts and ports that are connected to instead of those of the URL; for https only.
  public var connectTo: [ConnectionOverride] = []
  /// The file of trusted authorities if the profile does not name one; `nil` for the system's.
  public var environmentCAFile: String?
  /// The directory of trusted authorities if no file is named; `nil` for the system's.
  ///
  /// Its names are those that `openssl rehash` makes.
  public var environmentCADirectory: String?
  /// Whether nothing is written of what servers say: no cache, no copy of a shared store.
  package var writesNothing = false
  /// Takes lines about what goes over the network, without secrets.
  public var trace: (@Sendable (String) -> Void)?
  /// Called if a server showed no pinned key, also if the profile's policy lets that pass.
  public var pinReport: (@Sendable (PinFailure) -> Void)?
}

/// Files of authorities that a person names.
public enum TrustedAuthorities {
  /// Requires that a PEM file has certificates, and no damaged one.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, with the line of the damaged certificate.
  public static func require(in path: String) throws(SDKError) {
    try attempt("could not trust the authorities") { _ = try AuthorityFile(path) }
  }
}

/// The system's directory of authorities, in which a certificate is found by its subject's hash.
///
/// To look one up there costs a fraction of reading the bundle of all of them.
package enum SystemAuthorities {
  /// Where systems have one: Debian and most others, then Fedora and its relatives.
  static let places = ["/etc/ssl/certs", "/etc/pki/ca-trust/extracted/pem/directory-hash"]

  /// The first place with hashed names; `nil` leaves the choice to libcurl.
  static func directory(among places: [String] = places) -> String? {
    places.first { Directory.contains($0, where: isHashed) }
  }

  /// Whether `openssl rehash` gives such names: eight hexadecimal digits, a dot, a number.
  package static func isHashed(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count >= 10 && bytes[8] == UInt8(ascii: ".")
      && bytes[..<8].allSatisfy { $0.hexValue != nil && !$0.isUpperLetter }
      && bytes[9...].allSatisfy(\.isDigit)
  }
}
