import CoreTestSupport
import HTTPServer

@testable import LocalProxy
@testable import SDKCore

@Suite("The socket of a proxy")
struct ProxyListenerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "needs a short name without a dot at its beginning",
    arguments: ["", "/", ".hidden", String(repeating: "a", count: 81)])
  func names(name: String) {
    let error = #expect(throws: SDKError.self) {
      _ = try ProxyListener(.socket("\(folder.path)/\(name)"))
    }
    // The directory itself is no socket.
    #expect(error?.code == .invalidRequest || error?.code == .localData)
    #expect(error?.message.hasPrefix("could not listen") == true)
    #expect(!folder.exists(name) || ["", "/"].contains(name))
  }

  @Test("needs a name at all", arguments: ["", "/", "//"])
  func noName(path: String) async {
    await expect(
      .invalidRequest,
      "could not listen: the name of a socket has 1 to 80 bytes and no dot at its beginning"
    ) { _ = try ProxyListener(.socket(path)) }
  }

  @Test("gets a response whose status says what has failed")
  func failures() {
    var late = SDKError(.network, cause: "too late")
    #expect(ServerReply.failure(late).status == 502)
    late.members.isTimeout = true
    #expect(ServerReply.failure(late).status == 504)
    #expect(ServerReply.failure(SDKError(.busy, cause: "x")).status == 503)
    #expect(ServerReply.failure(SDKError(.invalidRequest, cause: "x")).status == 400)
  }

  @Test("does not take the place of a file, nor of a program that listens")
  func taken() async throws {
    _ = try folder.write("kept", to: "file")
    let path = folder.file("socket")
    let first = try ProxyListener(.socket(path))
    for (name, cause) in [
      ("file", "exists and is no socket"), ("socket", "another program listens"),
    ] {
      let error = await expect(.localData) { _ = try ProxyListener(.socket(folder.file(name))) }
      #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
    }
    #expect(try folder.text(of: "file") == "kept")
    #expect(first.hosts == ["localhost"] && first.secret == nil)
  }

  @Test("on loopback has a secret in its address")
  func loopback() throws {
    let listeners = try (0..<2).map { _ in try ProxyListener(.port(0)) }
    #expect(listeners.allSatisfy { $0.secret?.count == 48 })
    #expect(listeners[0].secret != listeners[1].secret)
    #expect(listeners[0].url.hasSuffix("/\(listeners[0].secret ?? "none")"))
  }
}
