internal import Primitives

extension [Cookie] {
  /// The cookies as a file in the format of Netscape, which `curl -b` and others read.
  public var netscapeFile: [String] {
    ["# Netscape HTTP Cookie File"] + map(\.netscapeLine)
  }
}

extension Cookie {
  /// Seven columns: domain, subdomains, path, secure, expiry (0 for a session), name, value.
  fileprivate var netscapeLine: String {
    func word(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }
    let columns = [
      (isHTTPOnly ? "#HttpOnly_" : "") + (isHostOnly ? domain : "." + domain),
      word(!isHostOnly), path, word(isSecure), "\(expires?.seconds ?? 0)", name, value,
    ]
    return columns.joined(separator: "\t")
  }
}
