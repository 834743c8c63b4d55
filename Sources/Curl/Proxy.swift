import CCurl
import POSIX
import Primitives

/// The proxy that the environment names for https URLs.
///
/// libcurl gets it from here, and its own parser reads the URL: so the proxy whose pins are checked is
/// the one that is used.
struct Proxy: Sendable, Hashable {
  /// The value of the variable, which may have a password.
  let text: String
  /// Whether the connection to the proxy itself is TLS.
  let usesTLS: Bool
  /// The normalised host; `nil` if the value is not a URL, or its host cannot have pins.
  let host: String?
  /// The port of an HTTPS proxy.
  let port: UInt16
  /// The hosts that are connected to directly, as libcurl reads them.
  let exceptions: String

  /// Reads the first of the variables that is set, in the order of libcurl; `nil` if none is.
  ///
  /// libcurl must be loaded.
  init?(_ environment: Environment) {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    guard let text = environment.first(of: names) else { return nil }
    self.text = text
    // libcurl uses no proxy whose URL it cannot read.
    usesTLS = Self.part(CURLUPART_SCHEME, of: text).map { $0.equalsIgnoringCase("https") } ?? true
    host = Self.part(CURLUPART_HOST, of: text).flatMap(HostName.normalized)
    port = Self.part(CURLUPART_PORT, of: text).flatMap { UInt16($0) } ?? 443
    exceptions = environment.first(of: ["no_proxy", "NO_PROXY"]) ?? ""
  }

  /// Whether the exceptions name a host as it is, so that libcurl certainly connects directly.
  func isCertainlyBypassed(for host: String) -> Bool {
    exceptions.split { $0 == "," || $0 == " " }.contains { $0.asciiLowercased == host }
  }

  private static func part(_ part: CURLUPart, of url: String) -> String? {
    guard let text = ccurl_proxy_part(url, part) else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}

/// Which proxy is used, without its password.
package struct ProxyAddress: Sendable, Hashable {
  /// Its host; `nil` if libcurl cannot read the URL of the proxy.
  package let host: String?
  /// Whether the connection to the proxy itself is TLS.
  package let usesTLS: Bool
  /// The hosts that are connected to directly, as libcurl reads them.
  package let exceptions: String
}

extension Environment {
  /// The first of these variables that is set and not empty.
  fileprivate func first(of names: [String]) -> String? {
    names.lazy.compactMap { self[$0] }.first { !$0.isEmpty }
  }
}
