import Curl
import HTTP
import JSON
import Pinning
import Primitives
import Synchronization

/// Writes each exchange of a session to the trace, in lines for people and without secrets.
final class TracingTransport: Transport {
  private let transport: any Transport
  private let log: TraceLog

  init(_ transport: any Transport, _ log: TraceLog) {
    self.transport = transport
    self.log = log
  }

  func refusal(of url: HTTPURL) -> TransportError? { transport.refusal(of: url) }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    let number = log.begin()
    if case .bytes(let bytes) = request.body {
      log.learn(request, TracedBody(bytes))
    } else {
      log.learn(request, TracedBody())
    }
    var traced = request
    var source: TracingSource?
    if case .stream(let stream, let length) = request.body {
      let tracing = TracingSource(stream)
      (source, traced.body) = (tracing, .stream(tracing, length: length))
    }
    var receiver = body
    var sink: TracingSink?
    if case .sink(let inner) = body {
      let tracing = TracingSink(inner)
      (sink, receiver) = (tracing, .sink(tracing))
    }
    func sent() -> TracedBody {
      if case .bytes(let bytes) = request.body { return TracedBody(bytes) }
      return source?.body ?? TracedBody()
    }
    do {
      let response = try await transport.send(traced, receiving: receiver)
      log.tell(number, request, sent(), response, sink?.body ?? TracedBody(response.body), nil)
      return response
    } catch {
      log.tell(number, request, sent(), sink?.response, sink?.body ?? TracedBody(), error)
      throw error
    }
  }
}

extension Network {
  /// The transport of a session, made when the first request needs it; traced if there is a log.
  func transport(
    _ settings: TransportSettings, _ options: ConnectionOptions, _ log: TraceLog?
  ) -> LazyTransport {
    var options = options
    if let log, let trace = options.trace { options.trace = { trace(log.redacted($0)) } }
    return LazyTransport { [options] in
      let transport = makeTransport(settings, options)
      return log.map { TracingTransport(transport, $0) } ?? transport
    }
  }
}

/// Numbers the exchanges of a session and writes their lines.
final class TraceLog: Sendable {
  /// Takes the lines of an exchange; `nil` if nobody wants them.
  private let write: (@Sendable ([String]) -> Void)?
  /// Takes exchanges as entries of an HTTP archive; `nil` if nobody wants them.
  private let writeEntry: (@Sendable (JSON) -> Void)?
  private let now: @Sendable () -> Timestamp
  let secrets: TraceSecrets
  private let text: ExchangeText
  private let count = Mutex(0)

  init(
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

  func begin() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  func redacted(_ line: String) -> String { text.redacted(line) }

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

  func tell(_ number: Int, _ place: String, _ metrics: TransferMetrics?, _ rest: [String]) {
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

extension Handshakes {
  /// The same handshakes; each is written to the trace, with the result of the pin check.
  func traced(
    by log: TraceLog, _ pins: PinSets, now: @escaping @Sendable () -> Timestamp
  )
    -> Handshakes
  {
    Handshakes(
      probe: { [probe] (endpoint) async throws(TransportError) in
        let place = "\(endpoint)"
        let number = log.begin()
        do throws(TransportError) {
          let chain = try await probe(endpoint)
          var metrics = chain.metrics ?? TransferMetrics()
          // Without a validated path, nothing was compared.
          if !chain.validated.isEmpty {
            metrics.pins =
              pins.verdict(
                of: chain.keys, host: endpoint.host, port: endpoint.port, at: now()
              ).outcome
          }
          log.tell(number, place, metrics, chain.traceLines)
          return chain
        } catch {
          log.tell(number, place, error.metrics, error.traceLines)
          throw error
        }
      },
      verify: { [verify] (url) async throws(TransportError) in
        let number = log.begin()
        do throws(TransportError) {
          let metrics = try await verify(url)
          log.tell(number, url.authority, metrics, [])
          return metrics
        } catch {
          log.tell(number, url.authority, error.metrics, error.traceLines)
          throw error
        }
      }, addresses: addresses)
  }
}

extension PresentedChain {
  fileprivate var traceLines: [String] {
    let chain = validated.isEmpty ? served : validated
    let title = validated.isEmpty ? "served" : "validated"
    return chain.map { "\(title): \($0.subject), until \($0.notAfter), \($0.pin)" }
      + (verificationError.map { ["error: \($0)"] } ?? [])
  }
}

extension TransportError {
  var traceLines: [String] { ["error: \(message)"] + details }
}
