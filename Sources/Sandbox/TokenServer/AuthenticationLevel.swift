/// How sure the sign-in pages are of a person: what `acr` says.
enum AuthenticationLevel: String, CaseIterable, Sendable, Comparable {
  case password = "urn:sandbox:pwd"
  case secondFactor = "urn:sandbox:otp"

  /// The level of a name that a client asked for.
  init?(named name: String) {
    guard let level = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
    self = level
  }

  /// The names of a level: by its means, and by its rank.
  var names: [String] {
    switch self {
    case .password: [rawValue, "urn:sandbox:loa:1"]
    case .secondFactor: [rawValue, "urn:sandbox:loa:2"]
    }
  }

  static var supported: [String] { allCases.flatMap(\.names) }

  /// What to call a level that was reached: the first name asked for that it satisfies.
  func name(for requested: [String]) -> String {
    requested.first { name in Self(named: name).map { $0 <= self } ?? false } ?? rawValue
  }

  var amr: [String] {
    switch self {
    case .password: ["pwd"]
    case .secondFactor: ["pwd", "otp", "mfa"]
    }
  }

  static func < (one: Self, other: Self) -> Bool { one == .password && other == .secondFactor }
}
