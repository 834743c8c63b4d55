import HTTP
import HTTPServer
import POSIX
import Primitives

/// A listening socket, and the server on it: it collects the bodies of requests, and runs each in a task.
final class WebServer: Sendable {
  typealias Responder = @Sendable (Request, ShownCertificate?) async -> Response

  private let server: HTTPServer

  /// Serves the connections of a socket, for as long as the process.
  init(
    on descriptor: Int32, tls: ServerTLS?, _ respond: @escaping Responder
  ) throws(HTTPServerError) {
    var limits = HTTPServerLimits()
    limits.connections = max(8, min(1024, FileDescriptor.limit / 16))
    limits.idleSeconds = 120
    server = try HTTPServer(on: descriptor, limits: limits, tls: tls) { head in
      guard let request = Request(head) else {
        return .refuse(ServerReply(400, [HTTPField(known: "Content-Type", "text/plain")]))
      }
      let certificate = head.session.flatMap(ShownCertificate.init(of:))
      return .serve { exchange in
        Self.withBody(of: exchange) { body in
          var request = request
          request.body = body
          exchange.send(await respond(request, certificate))
        }
      }
    }
  }

  /// Ends all requests and closes all connections.
  func stop() { server.stop() }

  /// Runs work with a body; one that does not fit into the memory of the exchange is read on a thread of its own.
  private static func withBody(
    of exchange: ServerExchange, _ work: @escaping @Sendable ([UInt8]?) async -> Void
  ) {
    switch exchange.body {
    case .none: Task { await work([]) }
    case .bytes(let bytes): Task { await work(bytes) }
    default:
      Task {
        let body = try? await BackgroundThread.run(takesSignals: false) {
          () throws(SystemError) in try collect(exchange)
        }
        await work(body ?? nil)
      }
    }
  }

  private static func collect(_ exchange: ServerExchange) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    defer { piece.deallocate() }
    while bytes.count <= Request.mostBytes {
      if let descriptor = exchange.awaitedDescriptor {
        var entries = [Poll.Entry(descriptor, .read)]
        try Poll.wait(&entries, timeout: nil)
        // Nothing may have come yet after a wake.
        continue
      }
      guard let count = exchange.read(into: piece) else { return nil }
      if count == 0 { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
    return nil
  }
}

extension Request {
  /// A request that can be read in one way only; its body comes later.
  fileprivate init?(_ head: ReceivedRequest) {
    let lengths = head.fields.values(of: "Content-Length")
    let codings = head.fields.values(of: "Transfer-Encoding")
    guard head.isPlain, let method = HTTPMethod(head.method), head.target.hasPrefix("/"),
      lengths.count + codings.count <= 1, head.fields.values(of: "Host").count <= 1,
      codings.allSatisfy({ $0.asciiLowercased == "chunked" }),
      lengths.allSatisfy({ Int($0).map { $0 >= 0 } ?? false && $0.utf8.allSatisfy(\.isDigit) })
    else { return nil }
    var headers: Fields = [:]
    for field in head.fields where !field.name.equalsIgnoringCase("Host") {
      headers.append(FieldName(known: field.name), field.value)
    }
    self.init(
      method: method, target: head.target, authority: head.fields["Host"], headers: headers,
      body: [])
  }
}
