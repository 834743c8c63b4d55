import CoreTestSupport
import Glibc

@testable import SDKCore

@Suite("The process that brings an address of a scheme", .timeLimit(.minutes(10)))
struct PendingLoginTests {
  /// A challenge, and the address that is its response.
  private static func challenge() throws -> (BrowserChallenge, address: String) {
    let request = try AuthorizationRequest(
      endpoint: try HTTPURL("https://id.test/authorize"), clientID: "app",
      redirectURI: "com.example.app:/cb", scope: nil)
    let challenge = BrowserChallenge(
      request.endpoint, launchURL: request.endpoint,
      expected: ExpectedResponse(request: request, source: .browser, action: "could not log in"),
      flaw: nil)
    return (challenge, "com.example.app:/cb?code=c&state=\(request.state)")
  }

  @Test("is told that there is a response already, and is not answered if it sends nothing")
  func second() async throws {
    let folder = try TemporaryFolder()
    let directory = folder.path + "/pending"
    let (challenge, address) = try Self.challenge()
    let pending = try PendingLogin(in: directory, challenge)
    defer { pending.close() }
    pending.expect(challenge)
    let name = try #require(LocalSocket.names(in: directory).first)
    var replies: [String] = []
    for text in ["", address, address] {
      let found = try LocalSocket.connect(to: name, in: directory)
      guard let connection = found else { throw Unmet("nobody listens") }
      _ = connection.send(Array(text.utf8)[...])
      connection.finishSending()
      let reply = connection.receiveAll(limit: 4096, within: .seconds(60))
      replies.append(String(decoding: reply ?? [], as: UTF8.self))
      if replies.count == 2 { _ = await challenge.ending(within: .seconds(60)) }
    }
    #expect(replies == ["", "accepted\n", "refused it has a response already\n"])
  }

  @Test("finds logins only in a directory of this user alone")
  func directory() async throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "own/x")
    try folder.write("", to: "file", mode: 0o700)
    try folder.link("link", to: "own")
    try PendingLogins.requirePrivate(folder.file("own"))
    func refused(_ name: String) async {
      await expect(.storePermissions) { try PendingLogins.requirePrivate(folder.file(name)) }
    }
    await refused("file")
    await refused("link")
    try folder.setMode(0o750, of: "own")
    await refused("own")
  }

  @Test(
    "finds logins only in a directory of this user",
    .enabled(if: geteuid() == 0, "only root can give a directory away"))
  func foreignDirectory() async throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "own/x")
    #expect(chown(folder.file("own"), 12345, 12345) == 0)
    await expect(.storePermissions) { try PendingLogins.requirePrivate(folder.file("own")) }
  }

  /// Once the challenge is answered, the process that began the login may be gone at any time.
  @Test("receives the confirmation before the login goes on")
  func replyFirst() async throws {
    let folder = try TemporaryFolder()
    let directory = folder.path + "/pending"
    let (challenge, response) = try Self.challenge()
    let number = Mutex<Int32>(-1)
    let heard = Mutex("")
    let pending = try PendingLogin(in: directory, challenge) { challenge, address in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = number.withLock { recv($0, &bytes, bytes.count, Int32(MSG_DONTWAIT)) }
      heard.withLock { $0 = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) }
      challenge.respond(with: address)
    }
    pending.expect(challenge)
    let name = try #require(LocalSocket.names(in: directory).first)
    let found = try LocalSocket.connect(to: name, in: directory)
    guard let connection = found else { throw Unmet("nobody listens") }
    number.withLock { $0 = connection.number }
    _ = connection.send(Array(response.utf8)[...])
    connection.finishSending()
    #expect(await challenge.ending(within: .seconds(600)) != nil)
    #expect(heard.withLock { $0 } == "accepted\n")
    pending.close()
  }
}
