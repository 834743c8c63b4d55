import HTTP
import JSON
import Primitives

/// What is known of a transfer after its end, for `--write-out` and `--json`.
struct TransferReport: Sendable {
  let method: String
  /// The URL or the path that was given.
  let target: String
  var response: HTTPResponse?
  var failure: Failure?
  var fileName: String?
  /// The bytes of the body that were written, decoded.
  var written: Int64 = 0

  /// The variables of curl that have one value, `identity` and `pins`.
  enum Variable: String, CaseIterable, Sendable {
    case contentType = "content_type"
    case errorMessage = "errormsg"
    case exitCode = "exitcode"
    case fileName = "filename_effective"
    case httpCode = "http_code"
    case httpConnect = "http_connect"
    case httpVersion = "http_version"
    case identity
    case localAddress = "local_ip"
    case localPort = "local_port"
    case method
    case connections = "num_connects"
    case headers = "num_headers"
    case redirects = "num_redirects"
    case pins
    case redirectURL = "redirect_url"
    case remoteAddress = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
    case downloaded = "size_download"
    case headerSize = "size_header"
    case requestSize = "size_request"
    case uploaded = "size_upload"
    case downloadSpeed = "speed_download"
    case uploadSpeed = "speed_upload"
    case verification = "ssl_verify_result"
    case handshakeTime = "time_appconnect"
    case connectTime = "time_connect"
    case nameLookupTime = "time_namelookup"
    case preTransferTime = "time_pretransfer"
    case redirectTime = "time_redirect"
    case startTransferTime = "time_starttransfer"
    case totalTime = "time_total"
    case url
    case effectiveURL = "url_effective"
    case urlNumber = "urlnum"
  }

  var metrics: TransferMetrics { response?.metrics ?? TransferMetrics() }

  /// The value of a variable, as `%{json}` holds it.
  func value(of variable: Variable) -> JSON {
    switch variable {
    case .contentType: text(response?.fields["Content-Type"])
    case .errorMessage: text(failure?.message)
    case .exitCode: .int(Int64(failure?.exit.rawValue ?? 0))
    case .fileName: text(fileName)
    case .httpCode, .responseCode: .int(Int64(response?.status ?? 0))
    case .httpConnect, .urlNumber: .int(0)
    case .httpVersion: .string(version)
    case .identity: text(response?.clientIdentity)
    case .localAddress: text(metrics.local?.address)
    case .localPort: .int(Int64(metrics.local?.port ?? 0))
    case .method: .string(method)
    case .connections: .int(Int64(metrics.connections))
    case .headers: .int(Int64(response.map { Array($0.fields).count } ?? 0))
    case .redirects: .int(Int64(metrics.redirects))
    case .pins: text(metrics.pins?.rawValue)
    case .redirectURL: text(redirect)
    case .remoteAddress: text(metrics.remote?.address)
    case .remotePort: .int(Int64(metrics.remote?.port ?? 0))
    case .scheme: text(response?.url.scheme.rawValue.uppercased())
    case .downloaded: .int(metrics.downloaded)
    case .headerSize: .int(Int64(metrics.headerSize))
    case .requestSize: .int(Int64(metrics.requestSize))
    case .uploaded: .int(metrics.uploaded)
    case .downloadSpeed: .int(speed(metrics.downloaded))
    case .uploadSpeed: .int(speed(metrics.uploaded))
    case .verification: .int(failure?.exit == .tls ? 1 : 0)
    case .handshakeTime: seconds(metrics.handshake)
    case .connectTime: seconds(metrics.connect)
    case .nameLookupTime: seconds(metrics.nameLookup)
    case .preTransferTime: seconds(metrics.preTransfer)
    case .redirectTime: seconds(metrics.redirect)
    case .startTransferTime: seconds(metrics.startTransfer)
    case .totalTime: seconds(metrics.redirect + metrics.total)
    case .url: .string(target)
    case .effectiveURL: text(response?.url.description)
    }
  }

  /// The value of a variable, as curl writes it.
  func text(of variable: Variable) -> String {
    let value = value(of: variable)
    if [.httpCode, .responseCode, .httpConnect].contains(variable), value == 0 { return "000" }
    if case .null = value { return "" }
    return value.string ?? value.serialized()
  }

  private var version: String {
    response.map { String($0.version.drop { $0 != "/" }.dropFirst()) } ?? "0"
  }

  private var redirect: String? {
    guard let response, (300..<400).contains(response.status),
      let location = response.fields["Location"]
    else { return nil }
    return (try? response.url.resolving(location))?.description
  }

  private func speed(_ bytes: Int64) -> Int64 {
    let time = metrics.total.microseconds
    return time > 0 ? Int64(Double(bytes) / (Double(time) / 1_000_000)) : 0
  }

  func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

  /// Seconds with six digits after the point.
  func seconds(_ duration: Duration) -> JSON {
    let microseconds = duration.microseconds
    let fraction = String(microseconds % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
    return (try? JSON(parsing: "\(microseconds / 1_000_000).\(zeros)\(fraction)")) ?? 0
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
