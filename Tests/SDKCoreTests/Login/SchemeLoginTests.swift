import CoreTestSupport
import Foundation

@testable import SDKCore

@Suite("A login by URL scheme", .timeLimit(.minutes(10)))
struct SchemeLoginTests {
  @Test("is completed by another process that has the address, and leaves no file")
  func whole() async throws {
    let world = try await World.withScheme()
    let desktop = FakeDesktop(world)
    let names = Mutex<[String]>([])
    let result = try await world.session().login.logIn(
      by: .browser(at: .scheme) { challenge in
        desktop.see(challenge)
        names.withLock { $0 = desktop.sockets }
        #expect((try? world.folder.mode(of: "state/pending")) == 0o700)
        await desktop.deliver("com.example.app:/cb?code=c&state=STATE")
      })
    #expect(desktop.deliveries == [.accepted])
    #expect(result.tokens.accessToken == "a1")
    #expect(desktop.asked["redirect_uri"] == "com.example.app:/cb")
    let name = try #require(names.withLock { $0.first })
    #expect(name.utf8.count == 49)
    #expect(!name.contains(desktop.asked["state"]?.prefix(8) ?? ""))
    let stateText = desktop.asked["state"] ?? ""
    #expect(try world.folder.files().values.allSatisfy { !$0.contains(stateText) })
    #expect(desktop.sockets.isEmpty)
  }

  @Test(
    "keeps waiting after an address that is not its response, and both processes report it",
    arguments: [
      ("/cb?code=c&state=forged", ResourceError.invalidState), ("/cb?code=c", .invalidState),
      ("/cb?error=access_denied", .invalidState),
      // Only the state tells whose it is.
      ("/other?code=c&state=STATE", .unknown),
    ])
  func forged(rest: String, resource: ResourceError) async throws {
    let world = try await World.withScheme()
    let desktop = FakeDesktop(world)
    let result = try await world.session().login.logIn(
      by: .browser(at: .scheme) { challenge in
        desktop.see(challenge)
        // The handler gets the challenge again, with the flaw; only the first one is responded to.
        if challenge.flaw == nil {
          Task {
            await desktop.deliver("com.example.app:" + rest)
            await desktop.deliver("com.example.app:/cb?code=c&state=STATE")
          }
        }
      })
    #expect(result.tokens.accessToken == "a1")
    let flaws = desktop.challenges.map(\.flaw)
    #expect(flaws.count == 2)
    let flaw = try #require(flaws[1])
    #expect(desktop.challenges[1].error?.resource == resource)
    await desktop.waitForDeliveries(2)
    #expect(desktop.deliveries == [.refused(flaw), .accepted])
  }

  @Test("of one profile is not disturbed by an address of another's")
  func profiles() async throws {
    let world = try await World.withScheme()
    let desktop = FakeDesktop(world)
    _ = try await world.session().login.logIn(
      by: .browser(at: .scheme) { challenge in
        desktop.see(challenge)
        await desktop.deliver("com.example.other:/cb?code=c&state=x")
        await desktop.deliver("com.example.app:/cb?code=c&state=STATE")
      })
    #expect(desktop.deliveries == [.unexpected, .accepted])
    #expect(desktop.challenges.count == 1)
  }

  @Test("is not ended by any number of forged addresses, and reports only the first ones")
  func noise() async throws {
    let world = try await World.withScheme()
    let desktop = FakeDesktop(world)
    let forged = 12
    let result = try await world.session().login.logIn(
      by: .browser(at: .scheme) { challenge in
        desktop.see(challenge)
        guard challenge.flaw == nil else { return }
        Task {
          for number in 0..<forged {
            await desktop.deliver("com.example.app:/cb?code=c&state=forged\(number)")
          }
          await desktop.deliver("com.example.app:/cb?code=c&state=STATE")
        }
      })
    await desktop.waitForDeliveries(forged + 1)
    #expect(result.tokens.accessToken == "a1")
    #expect(desktop.challenges.count == 4)
    #expect(desktop.deliveries.count == forged + 1)
    #expect(desktop.deliveries.last == .accepted)
  }

  @Test("that does not exist is reported, and a text that is not an address is refused")
  func nobody() async throws {
    let world = try await World.withScheme()
    let pending = PendingLogins(world.location)
    #expect(try await pending.deliver("com.example.app:/cb?code=c&state=s") == .unexpected)
    for text in [
      "", "nonsense", "a b", "com.example.app:/cb?" + String(repeating: "a", count: 16_384),
    ] {
      await expect(
        .invalidRequest,
        "could not pass on the address: this is not an address with a private-use URL scheme"
      ) { _ = try await pending.deliver(text) }
    }
  }

  @Test("trusts no directory that others may write to")
  func unsafe() async throws {
    let world = try await World.withScheme()
    let path = world.folder.path + "/state/pending"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let error = await expect(
      .storePermissions, "could not log in: '\(path)' is not a directory of yours alone"
    ) { _ = try await world.session().login.logIn(by: .browser(at: .scheme) { _ in }) }
    #expect(error?.remedy == .protect([FileProtection(.mode(0o700), of: [path])]))
    let pending = PendingLogins(world.location)
    await expect(
      .storePermissions,
      "could not pass on the address: '\(path)' is not a directory of yours alone"
    ) { _ = try await pending.deliver("com.example.app:/cb?code=c&state=s") }
  }

  @Test("is the default if only a scheme is registered")
  func registered() async throws {
    let world = try await World.withScheme()
    let desktop = FakeDesktop(world)
    let result = try await world.session().login.logIn(
      by: .browser { challenge in
        desktop.see(challenge)
        await desktop.deliver("com.example.app:/cb?code=c&state=STATE")
      })
    #expect(result.tokens.accessToken == "a1")
    #expect(desktop.asked["redirect_uri"] == "com.example.app:/cb")
    let listening = LoginOptions(timeout: .zero, port: 0)
    let other = FakeDesktop(world)
    _ = try? await world.session().login.logIn(by: .browser { other.see($0) }, listening)
    #expect(other.asked["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
  }

  @Test("needs a redirect URI with a scheme of its own")
  func unregistered() async throws {
    let world = try await World.registered(redirectURI: "http://127.0.0.1:61000/callback")
    let error = await expect(
      .invalidConfiguration,
      "could not log in: no redirect URI with a scheme of its own is registered"
    ) { _ = try await world.session().login.logIn(by: .browser(at: .scheme) { _ in }) }
    #expect(error?.remedy == .register(.init(.replacing, redirectURI: .ownScheme)))
  }
}

/// A desktop that passes addresses of the URL scheme to the waiting login, and notes the results.
final class FakeDesktop: Sendable {
  private struct State {
    var challenges: [BrowserChallenge] = []
    var deliveries: [PendingLogins.Delivery] = []
  }

  private let pending: PendingLogins
  private let directory: String
  private let state = Mutex(State())

  init(_ world: World) {
    pending = PendingLogins(world.location)
    directory = world.folder.path + "/state/pending"
  }

  var challenges: [BrowserChallenge] { state.withLock { $0.challenges } }
  var deliveries: [PendingLogins.Delivery] { state.withLock { $0.deliveries } }
  var asked: FormParameters { FormParameters(encoded: challenges.first?.url.query ?? "") ?? [:] }

  var sockets: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  func see(_ challenge: BrowserChallenge) { state.withLock { $0.challenges.append(challenge) } }

  func deliver(_ address: String) async {
    let parts = address.split(separator: "STATE", omittingEmptySubsequences: false)
    let whole = parts.joined(separator: asked["state"] ?? "")
    guard let delivery = try? await pending.deliver(whole) else { return }
    state.withLock { $0.deliveries.append(delivery) }
  }

  func waitForDeliveries(_ count: Int) async {
    // Sleeps: tests that only yield would take the processors from the threads that deliver.
    while deliveries.count < count, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}
