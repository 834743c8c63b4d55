import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

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
      ("sdkctl status --all", "Show who is logged in where, and until when"),
      ("sdkctl status --field user.expires", "Use one value in a script"),
    ], seeAlso: ["profile show", "profile list", "token list", "pin lint"],
    output: StatusReport.rows.document.or("With `--all`", LoginState.rows.list))

  struct Arguments: CommandArguments {
    var all = false
  }

  static let options: [Option<Arguments>] = [
    .flag("all", \.all, "Show the logins of all users of all profiles")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if arguments.all { return context.print(try await logins(context), LoginState.rows) }
    let report = try await StatusReport(context)
    if context.globals.json { return context.print(StatusReport.rows.json(report)) }
    for line in report.lines(context.localTime) { context.print(line, label: 12) }
  }

  /// The logins of the users of each profile, or of one that is named.
  private static func logins(_ context: Context) async throws -> [LoginState] {
    let store = try context.store()
    let current = try store.current()
    let names = context.globals.profile == nil ? try store.names() : [try context.profileName()]
    var logins: [LoginState] = []
    for name in names {
      do {
        let users = try await store.userProfiles(of: name)
        let isRegistered = try await store.isRegistered(name)
        logins += users.map { user in
          LoginState(
            name, user.id, isCurrent: name == current && user.isCurrent,
            isRegistered: isRegistered, user.slots, at: context.now())
        }
      } catch {
        // One broken profile must not hide the others.
        context.warning(context.failure(error).message)
      }
    }
    return logins
  }
}

private struct StatusReport {
  /// A number of things that can end.
  private struct Stock {
    let count: Int
    let endingSoon: [(name: String, end: Timestamp)]

    static let rows = Rows<Stock>(
      .member("count", "how many there are") { Int64($0.count) },
      .list(
        "endingSoon", "those that end within 30 days",
        Rows(
          .member("name", "the name") { $0.name }, .member("expires", "when it ends") { $0.end })
      ) { $0.endingSoon })
  }

  private let location: StoreLocation
  private let count: Int
  private let now: Timestamp
  private var choice: ProfileChoice?
  private var issuer: String?
  private var clientID: String?
  private var users: [UserID] = []
  private var login: LoginState?
  private var pins = Stock(count: 0, endingSoon: [])
  private var identities = Stock(count: 0, endingSoon: [])

  private static let soon: Int64 = 30 * 86_400

  init(_ context: Context) async throws {
    let store = try context.store()
    location = store.location
    count = try store.names().count
    now = context.now()
    // No profile yet: a state like any other.
    guard try context.hasProfile() else { return }
    let choice = try context.profileChoice()
    self.choice = choice
    let session = try context.session()
    issuer = session.profile["issuer"]?.string
    let registration = try await session.registration.usable()
    clientID = registration?.clientID
    users = try store.users(of: session.profile.name)
    login = LoginState(
      session.profile.name, session.userID, isCurrent: try store.current() == choice.name,
      isRegistered: registration != nil, await session.tokens.inventory(), at: now)
    let sets = session.pins.sets
    pins = stock(sets.count, sets.map { ($0.pattern.description, $0.expires) })
    let identityStore = session.identities.store()
    let names = try identityStore.names()
    identities = stock(
      names.count,
      names.map { ($0.description, try? identityStore.identity(named: $0).chain.notAfter) })
  }

  private func stock(_ count: Int, _ ends: [(String, Timestamp?)]) -> Stock {
    Stock(
      count: count,
      endingSoon: ends.compactMap { name, end in
        end.flatMap { $0 < now + Self.soon ? (name, $0) : nil }
      })
  }

  static let rows = Rows<StatusReport>(
    [
      .object(
        "store", "the directories", isOptional: false,
        Rows<StoreLocation>(
          .member("config", "settings and pins") { $0.config },
          .member("state", "secrets") { $0.state }, .member("cache", "copies") { $0.cache })
      ) { $0.location },
      .member("profiles", "how many there are") { Int64($0.count) },
      .member("chosenBy", "what chose it: `flag`, `environment`, `directory` or `current`") {
        $0.choice?.source.word
      },
      .member("chosenByFile", "the file that names the profile") { $0.choice?.source.file },
      .member("issuer", "the issuer") { $0.issuer },
      .member("clientID", "the client") { $0.clientID },
      .member("users", "the users of the profile") { $0.users.map(\.description) },
    ] + LoginState.rows.of(isOptional: true) { $0.login } + [
      .object("pinnedHosts", "the hosts with pins", isOptional: false, Stock.rows) { $0.pins },
      .object("identities", "the client certificates", isOptional: false, Stock.rows) {
        $0.identities
      },
    ])

  func lines(_ local: (Timestamp) -> String?) -> [String] {
    let first = ["store:      \(location.config), \(location.state)"]
    guard let choice, let login else {
      return first + ["profile:    none (\(count == 0 ? "there is no profile" : "of \(count)"))"]
    }
    return first + [
      "profile:    \(choice.name), \(choice.source.phrase), of \(count)",
      "server:     \(issuer ?? "no issuer")",
      "client:     \(clientID.map { "registered as \($0)" } ?? "not registered")",
    ]
      + (users == [.standard] && login.userID == .standard
        ? []
        : ["user ID:    \(login.userID), of \(users.map(\.description).joined(separator: ", "))"])
      + CredentialSlot.allCases.map { slot in
        "\(slot.rawValue):".padding(to: 12) + words(slot, login[slot], local)
      } + [
        "pins:       \(words(pins, "host", local))",
        "identities: \(words(identities, "certificate", local))",
      ]
  }

  private func words(
    _ slot: CredentialSlot, _ state: SlotState?, _ local: (Timestamp) -> String?
  ) -> String {
    guard let state else { return slot == .user ? "not logged in" : "no token" }
    if slot != .user || state.error != nil { return state.words(local: local) }
    return "logged in\(state.userName.map { " as \($0)" } ?? ""), \(state.words(local: local))"
  }

  private func words(
    _ stock: Stock, _ noun: String, _ local: (Timestamp) -> String?
  ) -> String {
    let ends = stock.endingSoon.map { "\($0.name) \(Age.text(of: $0.end, at: now, local: local))" }
    return ([stock.count.counted(noun)] + ends).joined(separator: "; ")
  }
}
