import HTTP
import Primitives

/// The proxy of a profile, which takes the place of the environment's.
public enum ProxySetting: Sendable, Hashable {
  /// No proxy, whatever the environment says.
  case direct
  /// The URL of the proxy.
  case url(String)

  /// Reads `none`, or a URL of a scheme that libcurl knows, with a host and without a user.
  ///
  /// A password is a secret, which settings do not have.
  init?(_ text: String) {
    if text == "none" {
      self = .direct
      return
    }
    guard let scheme = Self.schemes.first(where: { text.hasPrefix($0 + "://") }),
      let url = try? HTTPURL("https" + text.dropFirst(scheme.utf8.count)),
      url.path == "/", url.query == nil, !text.utf8.contains(UInt8(ascii: "#"))
    else { return nil }
    self = .url(text)
  }

  private static let schemes = ["https", "http", "socks5", "socks5h"]
}

extension ValueType<ProxySetting> {
  static var proxy: Self {
    text("none, or a URL such as http://proxy.example.com:3128, without a user", pattern: nil) {
      ProxySetting($0)
    }
  }
}
