import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl status` -- say which profile is used, who is logged in, and what ends soon.
enum Status: Command {
  static let page = CommandInfo(
    name: "status", group: .setup, summary: "Show the profile, the login and what ends soon",
    description: """
      Prints the store, the profile and what chose it, the registration, who is logged in and \
      until when, and which pins and identities end within 30 days: `sdkctl status`. It uses no \
      network, so it does not know whether a server still accepts a token.
      """,
    examples: [
      ("sdkctl status", "Show the state of the profile"),
      ("sdkctl status --field user.expires", "Use one value in a script"),
    ], seeAlso: ["profile show", "profile list", "token list", "pin lint"],
    json: """
      An object with `store` (`config`, `state`, `cache`), `profiles` (how many there are), `profile` \
      (null if none is chosen, which is no error), `chosenBy` (`flag`, `environment`, `directory` or `current`), \
      `chosenByFile` (or null), `issuer`, `clientID` (or null), `userID` (or null), `users` (their IDs), `user` (null or an object with \
      `name` (or null), `expires`, `expired`, `refreshable`), `implicit` and `anonymous` (the same), \
      `pinnedHosts` and `identities` (each with `count` and `endingSoon`, an array of objects with \
      `name` and `ends`).
      """)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let report = try await StatusReport(context)
    if context.globals.json {
      context.print(report.json)
    } else {
      for line in report.lines { context.print(line) }
    }
  }
}

/// What `status` prints.
private struct StatusReport {
  private struct Ending {
    let name: String
    let ends: Timestamp
  }

  private let store: ProfileStore
  private let count: Int
  private let now: Timestamp
  private let local: @Sendable (Timestamp) -> String?
  private var choice: ProfileChoice?
  private var session: ProfileSession?
  private var registration: Registration?
  private var slots: [StoredTokens] = []
  private var users: [UserID] = []
  private var pins: [Ending] = []
  private var identities: [Ending] = []
  private var identityCount = 0

  /// The time within which what ends is listed.
  private static let soon: Int64 = 30 * 86_400

  init(_ context: Context) async throws {
    store = try context.store()
    count = try store.names().count
    now = context.now()
    local = context.localTime
    // No profile yet: a state like any other.
    guard try context.hasProfile() else { return }
    choice = try context.profileChoice()
    let session = try context.session()
    self.session = session
    registration = try await session.registration.usable()
    slots = await session.tokens.inventory()
    users = try store.users(of: session.profile.name)
    pins = session.pins.sets.compactMap { set in
      set.expires.flatMap { ending(set.pattern.description, $0) }
    }
    let identityStore = session.identities.store()
    let names = try identityStore.names()
    identityCount = names.count
    identities = names.compactMap { name in
      guard let identity = try? identityStore.identity(named: name) else { return nil }
      return ending(name.description, identity.chain.notAfter)
    }
  }

  private func ending(_ name: String, _ ends: Timestamp) -> Ending? {
    ends < now + Self.soon ? Ending(name: name, ends: ends) : nil
  }

  // MARK: For people

  var lines: [String] {
    let location = store.location
    let first = ["store:      \(location.config), \(location.state)"]
    guard let choice, let session else {
      return first + ["profile:    none (\(count == 0 ? "there is no profile" : "of \(count)"))"]
    }
    let issuer = session.profile["issuer"]?.string ?? "no issuer"
    return first + [
      "profile:    \(choice.name), \(choice.source.phrase), of \(count)",
      "server:     \(issuer)",
      "client:     \(registration.map { "registered as \($0.clientID)" } ?? "not registered")",
    ]
      + (users == [.standard] && session.userID == .standard
        ? []
        : ["user ID:    \(session.userID), of \(users.map(\.description).joined(separator: ", "))"])
      + CredentialSlot.allCases.map { slot in
        let label = "\(slot.rawValue):"
        return label + String(repeating: " ", count: 12 - label.count) + words(slot)
      } + [
        "pins:       \(words(session.pins.sets.count, "host", pins))",
        "identities: \(words(identityCount, "certificate", identities))",
      ]
  }

  private func words(_ slot: CredentialSlot) -> String {
    guard let stored = slots.first(where: { $0.slot == slot }) else {
      return slot == .user ? "not logged in" : "no token"
    }
    if let error = stored.error { return error.message }
    let who = slot == .user ? "logged in\(stored.userName.map { " as \($0)" } ?? ""), " : ""
    return who + stored.words(at: now, local: local)
  }

  private func words(_ count: Int, _ noun: String, _ endings: [Ending]) -> String {
    let total = "\(count) \(noun)\(count == 1 ? "" : "s")"
    return ([total] + endings.map { "\($0.name) \(Age.text(of: $0.ends, at: now, local: local))" })
      .joined(separator: "; ")
  }

  // MARK: For programs

  var json: JSON {
    let location = store.location
    return [
      "store": [
        "config": .string(location.config), "state": .string(location.state),
        "cache": .string(location.cache),
      ],
      "profiles": .int(Int64(count)),
      "profile": JSON(choice?.name.description), "chosenBy": JSON(choice?.source.word),
      "chosenByFile": JSON(choice?.source.file), "issuer": session?.profile["issuer"] ?? .null,
      "clientID": JSON(registration?.clientID),
      "userID": JSON(session?.userID.description), "users": .strings(users.map(\.description)),
      "user": json(.user), "implicit": json(.implicit),
      "anonymous": json(.anonymous),
      "pinnedHosts": json(session?.pins.sets.count ?? 0, pins),
      "identities": json(identityCount, identities),
    ]
  }

  private func json(_ slot: CredentialSlot) -> JSON {
    guard let stored = slots.first(where: { $0.slot == slot }) else { return .null }
    var state = stored.state(at: now)
    state["name"] = JSON(stored.userName)
    return state
  }

  private func json(_ count: Int, _ endings: [Ending]) -> JSON {
    [
      "count": .int(Int64(count)),
      "endingSoon": .array(
        endings.map { ["name": .string($0.name), "ends": .string($0.ends.description)] }),
    ]
  }
}
