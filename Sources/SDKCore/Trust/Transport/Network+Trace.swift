import Curl
import HTTP
import Pinning
import Primitives
import Trace

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
