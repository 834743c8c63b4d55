package import HTTP

/// Writes each exchange of a session to the trace, in lines for people and without secrets.
package final class TracingTransport: Transport {
  private let transport: any Transport
  private let log: TraceLog

  package init(_ transport: any Transport, _ log: TraceLog) {
    self.transport = transport
    self.log = log
  }

  package func refusal(of url: HTTPURL) -> TransportError? { transport.refusal(of: url) }

  package func send(
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
