/// The wrong passwords of the password grant, so that nobody tries them all.
struct PasswordTries: Sendable {
  private var byName: [String: (count: Int, last: Int)] = [:]

  /// How many wrong passwords a name may have before it must wait.
  static let most = 5
  /// How long it waits then, and how long a wrong password counts: seconds.
  static let pause = 30

  /// How many seconds a name must wait, or nothing.
  func wait(for name: String, now: Int) -> Int? {
    guard let tries = byName[Users.normal(name)], tries.count >= Self.most,
      now < tries.last + Self.pause
    else { return nil }
    return tries.last + Self.pause - now
  }

  mutating func note(wrongPasswordOf name: String, now: Int) {
    byName = byName.filter { now < $0.value.last + Self.pause }
    let former = byName[Users.normal(name)]?.count ?? 0
    byName[Users.normal(name)] = (former + 1, now)
  }

  mutating func forget(_ name: String) { byName[Users.normal(name)] = nil }
}
