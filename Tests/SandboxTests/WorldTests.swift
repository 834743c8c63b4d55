import JSON
import Testing

@testable import Sandbox

@Suite("What the sandbox remembers ends, and has limits")
struct WorldTests {
  @Test("a transaction, a session and a pushed request are for one browser or client, and end")
  func ends() {
    var (transactions, sessions, pushed) = (Transactions(), BrowserSessions(), PushedRequests())
    let id = transactions.begin(
      Transaction(purpose: .device(userCode: "A"), expiresAt: 600, browser: "one"), now: 0)
    #expect(transactions.find(id, browser: "one", now: 599) != nil)
    #expect(transactions.find(id, browser: "one", now: 600) == nil)
    #expect(transactions.find(id, browser: "two", now: 0) == nil)
    let cookie = sessions.open(subject: "user-1", now: 0)
    #expect(sessions.session(cookie, now: 8 * 3600 - 1) != nil)
    #expect(sessions.session(cookie, now: 8 * 3600) == nil)
    let uri = pushed.push(Form(), clientID: "app", now: 0)
    let taken = [("other", 0), ("app", 60), ("app", 59)].map { (client, now) in
      pushed.take(uri, clientID: client, now: now)
    }
    #expect(taken == [nil, nil, Form()])
  }

  @Test("there are at most ten thousand clients, and as many people")
  func limits() {
    var (clients, users) = (ClientRegistry(), Users())
    #expect(throws: OAuthError.self) {
      for _ in 0..<10_000 { _ = try clients.register([:], now: 0) }
    }
    #expect(throws: Users.Refusal("The sandbox is full. Reset it.")) {
      for name in 0..<10_000 {
        _ = try users.signUp(name: "\(name)", password: "word", fullName: "")
      }
    }
    #expect((clients.count, users.byName.count) == (9_999, 10_000))
  }

  @Test(
    "odd names and passwords are refused",
    arguments: [
      ("", "word"), (String(repeating: "a", count: 33), "word"), ("a_b", "word"), ("ä", "word"),
      ("carol", "wor"), ("carol", String(repeating: "a", count: 129)),
    ])
  func signUp(name: String, password: String) {
    var users = Users()
    #expect(throws: Users.Refusal.self) {
      try users.signUp(name: name, password: password, fullName: "")
    }
  }
}
