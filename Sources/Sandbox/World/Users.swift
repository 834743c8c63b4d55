import Primitives

/// The people who can sign in.
///
/// Passwords are plain: nothing here is real.
struct Users: Sendable {
  struct User: Sendable {
    let name: String
    var password: String
    let fullName: String
    let email: String

    /// The `sub` of this person: stable, and not the user name.
    var subject: String { "user-" + Hex.encode(Secret.sha256(name).prefix(6)) }
  }

  private(set) var byName: [String: User] = [:]
  private var resetKeys: [String: String] = [:]

  /// The people of a fresh sandbox, in the order in which help shows them.
  static let first = [
    User(
      name: "alice", password: "wonderland", fullName: "Alice Liddell",
      email: "alice@example.com"),
    User(name: "bob", password: "builder", fullName: "Bob Rivet", email: "bob@example.com"),
  ]

  /// The one-time code of everyone, for logins that ask for a second factor.
  static let oneTimeCode = "246810"

  init() { for user in Self.first { byName[user.name] = user } }

  func signIn(_ name: String, _ password: String) -> User? {
    guard let user = byName[Self.normal(name)], Secret.same(user.password, password) else {
      return nil
    }
    return user
  }

  func named(_ name: String) -> User? { byName[Self.normal(name)] }

  func subject(_ subject: String) -> User? { byName.values.first { $0.subject == subject } }

  /// Adds a person, or says why not.
  mutating func signUp(name: String, password: String, fullName: String) throws(Refusal) -> User {
    let name = Self.normal(name)
    guard (1...32).contains(name.utf8.count),
      name.utf8.allSatisfy({
        (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x2d
      })
    else { throw Refusal("A user name has 1 to 32 letters, digits, dots or dashes.") }
    guard byName[name] == nil else { throw Refusal("That user name is taken.") }
    try Self.check(password)
    guard byName.count < 10_000 else { throw Refusal("The sandbox is full. Reset it.") }
    let user = User(
      name: name, password: password, fullName: fullName.isEmpty ? name : fullName,
      email: "\(name)@example.com")
    byName[name] = user
    return user
  }

  /// A key that lets its bearer choose a new password once, or nothing for an unknown name.
  mutating func startReset(of name: String) -> String? {
    guard let user = byName[Self.normal(name)] else { return nil }
    let key = Secret.make()
    resetKeys = resetKeys.filter { $0.value != user.name }
    resetKeys[key] = user.name
    return key
  }

  mutating func finishReset(key: String, password: String) throws(Refusal) {
    guard let name = resetKeys[key] else { throw Refusal("This link was used already.") }
    try Self.check(password)
    resetKeys[key] = nil
    byName[name]?.password = password
  }

  /// Why a form of the sign-in pages was not accepted, in words for its reader.
  struct Refusal: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private static func check(_ password: String) throws(Refusal) {
    guard (4...128).contains(password.utf8.count) else {
      throw Refusal("A password has 4 to 128 characters.")
    }
  }

  static func normal(_ name: String) -> String {
    String(name.lowercased().filter { !$0.isWhitespace })
  }
}
