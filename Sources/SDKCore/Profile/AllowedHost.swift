import HTTP

/// `HOST` or `HOST:PORT`: a place that may be given a token; without port, 443.
struct AllowedHost: Sendable, Hashable {
  let host: String
  let port: UInt16

  init?(_ text: String) {
    guard !text.contains("/"), let url = try? HTTPURL("https://\(text)"), url.target == "/" else {
      return nil
    }
    host = url.host
    port = url.port
  }

  init(_ url: HTTPURL) {
    host = url.host
    port = url.port
  }
}
