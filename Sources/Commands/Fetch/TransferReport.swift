import HTTP
import JSON
import Primitives

/// The result of one transfer, for `--write-out` and `--json`.
struct TransferReport: Sendable {
  let method: String
  /// The URL or the path that was given.
  let target: String
  var response: HTTPResponse?
  var failure: Failure?
  var fileName: String?
  /// The bytes of the body that were written, decoded.
  var written: Int64 = 0

  /// The URL of the first request; `nil` if its path makes no URL.
  var requestURL: HTTPURL?
  /// The field `Referer` of the request.
  var referer: String?
  /// How often the request was repeated after a failure; `nil` if it was not counted.
  var retries: Int?
  /// The versions of libcurl and its libraries.
  var libraries: String?

  /// The metrics of a transfer that failed.
  var failedMetrics: TransferMetrics?

  var metrics: TransferMetrics {
    failedMetrics ?? response?.metrics ?? TransferMetrics()
  }

  /// The response as documents show it.
  var shown: ResponseReport?

  /// All variables, as curl's `%{json}`.
  var json: JSON {
    var members: JSONObject = [:]
    for (name, value) in Self.variables { members[name] = value(self) }
    members["curl_version"] = JSON(libraries)
    return .object(members)
  }

  /// The fields of the response, for `%{header_json}`.
  var headerJSON: JSON { (response?.fields ?? []).json }

  /// The value of a variable, as curl writes it.
  func text(of name: String) -> String {
    let value = Self.variables.first { $0.name == name }?.value(self) ?? .null
    if ["http_code", "response_code", "http_connect"].contains(name), value == 0 { return "000" }
    if case .null = value { return "" }
    return value.string ?? value.serialized()
  }

  /// The variables of curl that a fetch can have, and `identity` and `pins`.
  static let variables: [(name: String, value: @Sendable (TransferReport) -> JSON)] = [
    ("certs", { .string($0.certificates) }),
    ("content_type", { JSON($0.response?.fields["Content-Type"]) }),
    ("errormsg", { JSON($0.failure?.message) }),
    ("exitcode", { .int($0.failure?.exit.rawValue ?? 0) }),
    ("filename_effective", { JSON($0.fileName) }),
    ("http_code", { .int($0.response?.status ?? 0) }),
    ("http_connect", { .int($0.metrics.connectStatus) }),
    ("http_version", { .string($0.version) }),
    ("identity", { JSON($0.response?.clientIdentity) }),
    ("local_ip", { JSON($0.metrics.local?.address) }),
    ("local_port", { .int($0.metrics.local?.port ?? 0) }),
    ("method", { .string($0.lastMethod) }),
    ("num_certs", { .int($0.response?.certificates.count ?? 0) }),
    ("num_connects", { .int($0.metrics.connections) }),
    ("num_headers", { .int($0.response.map { Array($0.fields).count } ?? 0) }),
    ("num_redirects", { .int($0.metrics.redirects) }),
    ("num_retries", { $0.retries.map { .int($0) } ?? .null }),
    ("pins", { JSON($0.metrics.pins?.rawValue) }),
    ("proxy_used", { .int($0.metrics.connectStatus > 0 ? 1 : 0) }),
    ("redirect_url", { JSON($0.redirect) }),
    ("referer", { JSON($0.referer) }),
    ("remote_ip", { JSON($0.metrics.remote?.address) }),
    ("remote_port", { .int($0.metrics.remote?.port ?? 0) }),
    ("response_code", { .int($0.response?.status ?? 0) }),
    ("scheme", { JSON($0.response?.url.scheme.rawValue.uppercased()) }),
    ("size_download", { .int($0.metrics.downloaded) }),
    ("size_header", { .int($0.metrics.headerSize) }),
    ("size_request", { .int($0.metrics.requestSize) }),
    ("size_upload", { .int($0.metrics.uploaded) }),
    ("speed_download", { .int($0.speed($0.metrics.downloaded)) }),
    ("speed_upload", { .int($0.speed($0.metrics.uploaded)) }),
    ("ssl_verify_result", { .int($0.failure?.exit == .tls ? 1 : 0) }),
    ("time_appconnect", { .seconds($0.metrics.handshake) }),
    ("time_connect", { .seconds($0.metrics.connect) }),
    ("time_namelookup", { .seconds($0.metrics.nameLookup) }),
    ("time_pretransfer", { .seconds($0.metrics.preTransfer) }),
    ("time_redirect", { .seconds($0.metrics.redirect) }),
    ("time_starttransfer", { .seconds($0.metrics.startTransfer) }),
    ("time_total", { .seconds($0.metrics.redirect + $0.metrics.total) }),
    ("url", { .string($0.target) }),
    ("url_effective", { JSON(($0.response?.url ?? $0.requestURL)?.description) }),
  ]

  private var lastMethod: String {
    (metrics.redirectedMethod ?? HTTPMethod(inAnyCase: method))?.name ?? method
  }

  /// The certificates of the server with their details, as curl writes them.
  private var certificates: String {
    var text = ""
    for line in (response?.certificates ?? []).joined() {
      text += line.asciiLowercased.hasPrefix("cert:") ? String(line.dropFirst(5)) : line
      if !text.hasSuffix("\n") { text += "\n" }
    }
    return text
  }

  /// As curl writes it: `1` for HTTP/1.0.
  private var version: String {
    guard let response else { return "0" }
    let number = response.version.drop { $0 != "/" }.dropFirst()
    return number == "1.0" ? "1" : String(number)
  }

  private var redirect: String? {
    guard let response, (300..<400).contains(response.status) else { return nil }
    return response.redirectTarget?.description
  }

  private func speed(_ bytes: Int64) -> Int64 {
    let time = metrics.total.microseconds
    return time > 0 ? Int64(Double(bytes) / (Double(time) / 1_000_000)) : 0
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }

  /// Seconds with this many digits after the point.
  func seconds(digits: Int) -> String {
    let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst().prefix(digits)
    return "\(microseconds / 1_000_000).\(fraction)"
  }
}
