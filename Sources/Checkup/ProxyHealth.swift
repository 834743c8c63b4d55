import Curl
import HTTP
import POSIX
import Primitives
import SDKCore

/// Says which proxy requests use.
enum ProxyHealth {
  /// The proxy that variables name; `nil` if libcurl, which reads them, cannot be used.
  static func finding(_ environment: Environment, source: String? = nil) -> Finding? {
    let found: ProxyAddress?
    do throws(TransportError) {
      found = try CurlTransport.proxy(of: environment, source: source)
    } catch {
      return nil
    }
    guard let proxy = found else {
      return Finding(.proxy, .ok, "requests use no proxy")
    }
    if let flaw = proxy.flaw {
      return Finding(
        .proxy, .error, "it cannot be used: \(flaw)", about: proxy.host ?? proxy.source)
    }
    let exceptions = proxy.exceptions.isEmpty ? "" : ", but for \(VisibleText.of(proxy.exceptions))"
    return Finding(
      .proxy, .ok, "requests use this proxy\(proxy.usesTLS ? ", by TLS" : "")\(exceptions)",
      about: proxy.host)
  }
}
