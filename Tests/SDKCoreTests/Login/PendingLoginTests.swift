import Glibc
import HTTP
import OAuth
import POSIX
import Synchronization
import TestSupport
import Testing

@testable import SDKCore

@Suite("The process that brings an address of a scheme", .timeLimit(.minutes(10)))
struct PendingLoginTests {
  /// Once the challenge is answered, the process that began the login may be gone at any time.
  @Test("receives the confirmation before the login goes on")
  func replyFirst() async throws {
    let folder = try TemporaryFolder()
    let directory = folder.path + "/pending"
    let redirectURI = "com.example.app:/cb"
    let request = try AuthorizationRequest(
      endpoint: try HTTPURL("https://id.test/authorize"), clientID: "app",
      redirectURI: redirectURI, scope: nil)
    let challenge = BrowserChallenge(
      request.endpoint, launchURL: request.endpoint,
      expected: ExpectedResponse(request: request, source: .browser, action: "could not log in"),
      flaw: nil)
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
    guard let connection = found else {
      Issue.record("nobody listens")
      return
    }
    number.withLock { $0 = connection.number }
    _ = connection.send(Array("\(redirectURI)?code=c&state=\(request.state)".utf8)[...])
    connection.finishSending()
    #expect(await challenge.ending(within: .seconds(600)) != nil)
    #expect(heard.withLock { $0 } == "accepted\n")
    pending.close()
  }
}
