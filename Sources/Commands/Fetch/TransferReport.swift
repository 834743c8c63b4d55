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

  /// The value of a variable, as `%{json}` holds it.
  func value(of variable: Variable) -> JSON {
    switch variable {
    case .certificates: .string(certificates)
    case .certificateCount: .int(Int64(response?.certificates.count ?? 0))
    case .contentType: JSON(response?.fields["Content-Type"])
    case .errorMessage: JSON(failure?.message)
    case .exitCode: .int(Int64(failure?.exit.rawValue ?? 0))
    case .fileName: JSON(fileName)
    case .httpCode, .responseCode: .int(Int64(response?.status ?? 0))
    case .httpConnect: .int(Int64(metrics.connectStatus))
    case .retries: retries.map { .int(Int64($0)) } ?? .null
    case .proxyUsed: .int(metrics.connectStatus > 0 ? 1 : 0)
    case .referer: JSON(referer)
    case .httpVersion: .string(version)
    case .identity: JSON(response?.clientIdentity)
    case .localAddress: JSON(metrics.local?.address)
    case .localPort: .int(Int64(metrics.local?.port ?? 0))
    case .method:
      .string((metrics.redirectedMethod ?? HTTPMethod(inAnyCase: method))?.name ?? method)
    case .connections: .int(Int64(metrics.connections))
    case .headers: .int(Int64(response.map { Array($0.fields).count } ?? 0))
    case .redirects: .int(Int64(metrics.redirects))
    case .pins: JSON(metrics.pins?.rawValue)
    case .redirectURL: JSON(redirect)
    case .remoteAddress: JSON(metrics.remote?.address)
    case .remotePort: .int(Int64(metrics.remote?.port ?? 0))
    case .scheme: JSON(response?.url.scheme.rawValue.uppercased())
    case .downloaded: .int(metrics.downloaded)
    case .headerSize: .int(Int64(metrics.headerSize))
    case .requestSize: .int(Int64(metrics.requestSize))
    case .uploaded: .int(metrics.uploaded)
    case .downloadSpeed: .int(speed(metrics.downloaded))
    case .uploadSpeed: .int(speed(metrics.uploaded))
    case .verification: .int(failure?.exit == .tls ? 1 : 0)
    case .handshakeTime: .seconds(metrics.handshake)
    case .connectTime: .seconds(metrics.connect)
    case .nameLookupTime: .seconds(metrics.nameLookup)
    case .preTransferTime: .seconds(metrics.preTransfer)
    case .redirectTime: .seconds(metrics.redirect)
    case .startTransferTime: .seconds(metrics.startTransfer)
    case .totalTime: .seconds(metrics.redirect + metrics.total)
    case .url: .string(target)
    case .effectiveURL: JSON((response?.url ?? requestURL)?.description)
    }
  }

  /// The value of a variable, as curl writes it.
  func text(of variable: Variable) -> String {
    let value = value(of: variable)
    if [.httpCode, .responseCode, .httpConnect].contains(variable), value == 0 { return "000" }
    if case .null = value { return "" }
    return value.string ?? value.serialized()
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
}
