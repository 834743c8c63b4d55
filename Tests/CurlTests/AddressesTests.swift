import Pinning
import TestSupport

@testable import Curl

@Suite("The addresses of a host")
struct AddressesTests {
  @Test("are an address itself, those of the last override that fits, and else those of its name")
  func order() async throws {
    let transport = try CurlTests.transport {
      $0.resolve = [
        "a.test:443:192.0.2.1", "a.test:443:192.0.2.2,192.0.2.3", "192.0.2.8:443:192.0.2.9",
      ]
      .compactMap(AddressOverride.init)
      $0.connectTo = ["b.test:443:192.0.2.9:8443"].compactMap(ConnectionOverride.init)
    }
    for (host, address) in [("192.0.2.7", "192.0.2.7"), ("::1", "::1"), ("192.0.2.8", "192.0.2.9")]
    {
      let found = try await transport.addresses(of: host, 443).addresses
      #expect(found.map(\.description) == [address])
    }
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

  @Test("are not waited for by a cancelled task")
  func cancelled() async throws {
    let transport = try CurlTests.transport()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      // The name may be found sooner.
      while true { _ = try await transport.addresses(of: "localhost", 443) }
    }
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}
