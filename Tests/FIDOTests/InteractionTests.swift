import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The questions of a FIDO operation")
struct InteractionTests {
  private static func key(_ id: String, _ key: IdentityKey = .pem("x")) -> AuthenticatorKey {
    AuthenticatorKey(
      aaid: .development, keyID: id, appID: "https://a.test", username: id, createdAt: 0,
      encoding: .der, signCounter: 1, key: key)
  }

  /// Chooses the second key and confirms, and counts the questions.
  private final class Counting: Sendable {
    let asked = Mutex(0)
    let confirms: Bool

    init(confirms: Bool = true) { self.confirms = confirms }

    func account(
      among keys: [AuthenticatorKey], _ transaction: UAFTransaction?
    ) async throws(SDKError) -> AuthenticatorKey {
      asked.withLock { $0 += 1 }
      return keys[1]
    }

    func isConfirmed(
      _ transaction: UAFTransaction, with key: AuthenticatorKey
    ) async throws(SDKError) -> Bool {
      asked.withLock { $0 += 1 }
      return confirms
    }
  }

  @Test("choose a key once, while the server accepts it")
  func accounts() async throws {
    let person = Counting()
    let interaction = Interaction(
      AuthenticatorDelegates(account: person.account), within: .seconds(600))
    let (one, three) = (Self.key("a"), Self.key("c"))
    var two = Self.key("b")
    for _ in 1...2 {
      #expect(try await interaction.account(among: [one, two], nil) == two)
      two.signCounter += 1
    }
    #expect(person.asked.withLock { $0 } == 1)
    #expect(try await interaction.account(among: [one, three], nil) == three)
    #expect(person.asked.withLock { $0 } == 2)
  }

  @Test("take the key that was registered last if nobody chooses, of those of one second too")
  func newest() async throws {
    let interaction = Interaction(AuthenticatorDelegates(), within: .seconds(600))
    let keys = [Self.key("a"), Self.key("b")]
    for keys in [keys, keys.reversed()] {
      #expect(try await interaction.account(among: keys, nil) == keys[1])
    }
  }

  @Test("confirm a transaction once, and another one again", arguments: [true, false])
  func transactions(confirms: Bool) async throws {
    let person = Counting(confirms: confirms)
    let interaction = Interaction(
      AuthenticatorDelegates(confirmation: person.isConfirmed), within: .seconds(600))
    for (text, key) in [("Pay 3", "a"), ("Pay 3", "a"), ("Pay 4", "a"), ("Pay 4", "b")] {
      let request = try TestAuthenticator.authentication(transaction: text)
      let transaction = try #require(request.transactions.first)
      #expect(try await interaction.isConfirmed(transaction, with: Self.key(key)) == confirms)
    }
    // What was declined is asked again, and what is to be signed with another key.
    #expect(person.asked.withLock { $0 } == (confirms ? 3 : 4))
  }

  @Test("ask ahead for a passcode that is known not to be wrong once")
  func ahead() async throws {
    let authenticator = try await AuthenticatorPasscodeTests.registered().authenticator()
    let person = ScriptedPasscodes("271828")
    let interaction = Interaction(AuthenticatorDelegates(passcode: person), within: .seconds(600))
    for _ in 1...2 { try await interaction.enterPasscode(of: authenticator, for: "alice") }
    #expect(person.statuses.count == 1)
  }

  @Test("end with the task, and are not late then")
  func cancelled() async throws {
    let waiting: AuthenticatorDelegates.AccountSelection = { keys, _ in
      try? await Task.sleep(for: .seconds(600))
      // The end of the time comes first, whoever ended it.
      await Task.detached { try? await Task.sleep(for: .milliseconds(300)) }.value
      return keys[0]
    }
    let keys = [Self.key("a"), Self.key("b")]
    func ask(within limit: Duration) async throws(SDKError) {
      let interaction = Interaction(AuthenticatorDelegates(account: waiting), within: limit)
      _ = try await interaction.account(among: keys, nil)
    }
    let late = await #expect(throws: SDKError.self) { try await ask(within: .milliseconds(1)) }
    #expect(late?.message == "nobody answered within 0 seconds")
    let task = Task { try await ask(within: .seconds(600)) }
    task.cancel()
    let cancelled = await expect(.cancelled) { try await task.value }
    #expect(cancelled?.message == "cancelled")
  }

  @Test("do not sign with a key of another curve")
  func curve() async throws {
    let other = try PrivateKey.generate(.ec(.p384))
    let error = await expect(.store) {
      try Self.key("a", .pem(other.pem)).signer(for: .unverified, nil)
    }
    #expect(error?.message == "the key 'a' of the authenticator is damaged")
    let own = try PrivateKey.generate(.ec(.p256))
    #expect(try Self.key("a", .pem(own.pem)).signer(for: .unverified, nil).pem == own.pem)
  }

  @Test("take a chosen key that the server accepts, and no other")
  func foreign() async throws {
    let world = try await AuthenticatorPasscodeTests.registered()
    let authenticator = try world.authenticator()
    try await authenticator.enrol("bob")
    let error = await #expect(throws: SDKError.self) {
      try await authenticator.authenticate(
        by: AuthenticatorDelegates(
          passcode: ScriptedPasscodes("271828"), account: { _, _ in Self.key("AAAA") }))
    }
    #expect(error?.clientErrorCode == .noSuitableAuthenticator)
    #expect(error?.message.contains("the server does not accept the chosen key") == true)
  }

  @Test("need no passcode only if the keys were registered so, and the profile allows that")
  func verification() async throws {
    let (world, _) = try FIDOServiceTests.world(["fido.noVerification": true])
    func verifies() throws -> Bool {
      try world.session().fido.login.authenticator().settings.userVerification == .passcode
    }
    #expect(try verifies())
    try await world.store("a1")
    _ = try await world.session().fido.register(asking: FIDOServiceTests.Person("271828").delegates)
    #expect(try verifies())
    let (other, _) = try FIDOServiceTests.world(["fido.noVerification": true])
    let file = "state/profiles/work/authenticators/ffff-0001.json"
    let key = Self.key("AAAA", .pem(try PrivateKey.generate(.ec(.p256)).pem))
    let document: JSON = [
      "version": 2, "aaid": "FFFF#0001", "registrationCounter": 1,
      "keys": [try #require(AuthenticatorKey.type(of: key.aaid).write(key))],
    ]
    try other.folder.write(document.serialized(), to: file)
    let settings = try other.session().fido.login.authenticator().settings
    #expect(settings.userVerification != .passcode)
  }
}
