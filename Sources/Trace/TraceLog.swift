package import HTTP
package import JSON
package import Primitives
import Synchronization

/// Numbers the exchanges of a session and writes their lines.
package final class TraceLog: Sendable {
  /// Takes the lines of an exchange; `nil` if nobody wants them.
  private let write: (@Sendable ([String]) -> Void)?
  /// Takes exchanges as entries of an HTTP archive; `nil` if nobody wants them.
  private let writeEntry: (@Sendable (JSON) -> Void)?
  private let now: @Sendable () -> Timestamp
  package let secrets: TraceSecrets
  private let text: ExchangeText
  private let count = Mutex(0)

  package init(
    _ write: (@Sendable ([String]) -> Void)?, entries: (@Sendable (JSON) -> Void)? = nil,
    secretNames: [String] = [], pageReaders: [TraceSecrets.PageReader] = [],
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.write = write
    writeEntry = entries
    self.now = now
    secrets = TraceSecrets(names: secretNames, pageReaders: pageReaders)
    text = ExchangeText(secrets: secrets)
  }

  package func begin() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  package func redacted(_ line: String) -> String { text.redacted(line) }

  /// Learns the secrets of a request, before lines tell what its server sends.
  func learn(_ request: HTTPRequest, _ sent: TracedBody) {
    _ = text.url(request.url)
    _ = text.lines(request.fields, sent)
  }

  func tell(
    _ number: Int, _ request: HTTPRequest, _ sent: TracedBody, _ response: HTTPResponse?,
    _ received: TracedBody, _ error: TransportError?
  ) {
    // Learns the secrets of both first: each may quote the other.
    learn(request, sent)
    var shown: [String] = []
    if let response {
      _ = text.lines(response.fields, received)
      shown = text.lines(response.fields, received)
    }
    writeEntry?(
      ArchiveEntry(
        text: text, request: request, sent: sent, response: response, received: received,
        error: error, end: now()
      ).json)
    guard let write else { return }
    var lines = ["#\(number) \(now()) \(request.method) \(text.url(request.url))"]
    lines += text.lines(request.fields, sent).map { $0.isEmpty ? ">" : "> \($0)" }
    if let response {
      lines.append("< \(text.status(of: response))")
      lines += shown.map { $0.isEmpty ? "<" : "< \($0)" }
      lines += response.metrics.lines.map { "* \($0)" }
    }
    if let error {
      lines += ((error.metrics?.lines ?? []) + error.traceLines.map { text.redacted($0) })
        .map { "* \($0)" }
    }
    write(lines + [""])
  }

  package func tell(_ number: Int, _ place: String, _ metrics: TransferMetrics?, _ rest: [String]) {
    guard let write else { return }
    let lines = ["#\(number) \(now()) handshake with \(place)"]
    write(lines + ((metrics?.lines ?? []) + rest).map { "* \($0)" } + [""])
  }
}

extension TransferMetrics {
  var lines: [String] {
    var parts = [remote.map { "connected to \($0.address) port \($0.port)" }, tls]
    parts += [pins.map { "pins \($0.rawValue)" }, cipher, alpn.map { "ALPN \($0)" }]
    parts.append(remote != nil && connections == 0 ? "connection reused" : nil)
    let place = parts.compactMap { $0 }.joined(separator: ", ")
    let times: [(String, Duration)] = [
      ("name", nameLookup), ("connect", connect), ("TLS", handshake), ("first byte", startTransfer),
      ("total", total),
    ]
    let shown = times.map { "\($0.0) \($0.1.milliseconds) ms" }.joined(separator: ", ")
    return place.isEmpty ? [] : [place, shown]
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension TransportError {
  package var traceLines: [String] { ["error: \(message)"] + details }
}
