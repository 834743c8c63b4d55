import HTTP
import POSIX
import Pinning
import Primitives
import Testing

@testable import Curl

@Suite("The addresses of a host")
struct AddressesTests {
  @Test("are an address itself, those of the last override that fits, and else those of its name")
  func order() async throws {
    let transport = try CurlTests.transport {
      $0.resolve = ["a.test:443:192.0.2.1", "a.test:443:192.0.2.2,192.0.2.3"]
        .compactMap(AddressOverride.init)
      $0.connectTo = ["b.test:443:192.0.2.9:8443"].compactMap(ConnectionOverride.init)
    }
    #expect(try await transport.addresses(of: "192.0.2.7", 443).addresses.count == 1)
    let overridden = try await transport.addresses(of: "a.test", 443)
    #expect(overridden.addresses.map(\.description) == ["192.0.2.2", "192.0.2.3"])
    let other = try await transport.addresses(of: "b.test", 443)
    #expect(other.addresses.map(\.description) == ["192.0.2.9"])
    #expect(other.port == 8443)
    let named = try await transport.addresses(of: "localhost", 443)
    #expect(named.addresses.map(\.description).contains("127.0.0.1"))
  }

  @Test("are an error if there is none")
  func unknown() async throws {
    let transport = try CurlTests.transport()
    let error = await #expect(throws: TransportError.self) {
      try await transport.addresses(of: "a.b..c", 443)
    }
    #expect(error?.code == .nameNotResolved)
  }
}

@Suite("A connection that begins without TLS")
struct StartTLSConnectionTests {
  @Test("says that it took too long, and that the server closed it")
  func ends() async throws {
    let hasty = try CurlTests.transport { $0.connectTimeout = .milliseconds(200) }
    let transport = try CurlTests.transport()
    let listener = try LoopbackSocket.listen(.v4)
    let port = listener.port
    let late = await #expect(throws: TransportError.self) {
      try await hasty.probe(host: "127.0.0.1", port: port, startTLS: .smtp)
    }
    #expect(late?.code == .timeout)
    try await listener.dropNext()
    let closing = Task { [port] in
      try await transport.probe(host: "127.0.0.1", port: port, startTLS: .smtp)
    }
    try await listener.dropNext()
    let closed = await #expect(throws: TransportError.self) { try await closing.value }
    #expect(closed?.code == .connection)
    #expect(closed?.message == "127.0.0.1:\(port) closed the connection before TLS")
  }

  @Test("ends with its task")
  func cancelled() async throws {
    let transport = try CurlTests.transport()
    let listener = try LoopbackSocket.listen(.v4)
    let port = listener.port
    let task = Task { try await transport.probe(host: "127.0.0.1", port: port, startTLS: .smtp) }
    var entries = [Poll.Entry(listener.descriptor, .read)]
    while try Poll.wait(&entries, timeout: .zero) == 0 { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}

extension LoopbackSocket {
  /// Waits for the next connection, and closes it.
  fileprivate borrowing func dropNext() async throws {
    while true {
      if let connection = try accept() {
        _ = consume connection
        return
      }
      await Task.yield()
    }
  }
}
