import CCurl
import POSIX
import Primitives

/// The proxy that the environment or the profile names for https URLs.
///
/// libcurl gets it from here, and its own parser reads the URL: so the proxy whose pins are checked is
/// the one that is used.
package struct Proxy: Sendable, Hashable {
  /// The value of the variable, which may have a password: this module alone sees it.
  let text: String
  /// Whether the connection to the proxy itself is TLS.
  package let usesTLS: Bool
  /// The normalised host; `nil` if the value is not a URL, or its host cannot have pins.
  package let host: String?
  let port: UInt16
  /// The hosts that are connected to directly, as libcurl reads them.
  package let exceptions: String
  /// Where it is set: the name of a variable, or what the transport was told.
  package let source: String
  /// Why libcurl cannot use it; `nil` if it can.
  package let flaw: String?

  /// Host and port, for people, and where it is set.
  var name: String {
    let place = host.map { "\(HostName.bracketed($0)):\(port) " } ?? ""
    return "the proxy \(place)of \(source)"
  }

  /// Reads the first of the variables that is set, in the order of libcurl; `nil` if none is.
  ///
  /// libcurl must be loaded. `source` is where it is set if that is no variable.
  init?(_ environment: Environment, source: String? = nil) {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    guard let name = names.first(where: { environment[$0]?.isEmpty == false }),
      let text = environment[name]
    else { return nil }
    self.text = text
    self.source = source ?? name
    let scheme = Self.part(CURLUPART_SCHEME, of: text)?.asciiLowercased
    // libcurl uses no proxy whose URL it cannot read.
    usesTLS = scheme.map { $0 == "https" } ?? true
    host = Self.part(CURLUPART_HOST, of: text).flatMap(HostName.normalized)
    port =
      Self.part(CURLUPART_PORT, of: text).flatMap { UInt16($0) } ?? (usesTLS ? 443 : 1080)
    exceptions =
      ["no_proxy", "NO_PROXY"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    flaw =
      switch scheme {
      case nil: "its URL cannot be read"
      case let scheme? where !Self.schemes.contains(scheme):
        "\(VisibleText.quoted(scheme)) is not one of \(Self.schemes.joined(separator: ", "))"
      default: nil
      }
  }

  /// The schemes that libcurl connects to.
  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Whether the exceptions name a host as it is, so that libcurl certainly connects directly.
  func isCertainlyBypassed(for host: String) -> Bool {
    exceptions.split { $0 == "," || $0 == " " }.contains { $0.asciiLowercased == host }
  }

  /// Whether libcurl tried to connect to it, and not to the host: only its message says so.
  func isTried(in message: String) -> Bool {
    let words = message.split(separator: " ").map(String.init)
    guard let place = words.firstIndex(of: "port"), words.indices.contains(place + 1), place > 0
    else { return false }
    let isAddressed =
      HostName.normalized(words[place - 1]) == host && words[place + 1] == String(port)
    // Newer versions of libcurl name the host, and then the proxy.
    return isAddressed || words.contains("via")
  }

  private static func part(_ part: CURLUPart, of url: String) -> String? {
    guard let text = ccurl_proxy_part(url, part) else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}
