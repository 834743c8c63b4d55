import SDKCore

/// Options whose spelling the tests know in one place.
enum Words {
  /// The option that names a slot for `token`, `token decode` and `logout`.
  static func slot(_ slot: CredentialSlot) -> [String] {
    switch slot {
    case .user: []
    case .implicit: ["--implicit"]
    case .anonymous: ["--anonymous"]
    }
  }

  /// The option that names an access for `fetch`.
  static func access(_ access: Access) -> [String] {
    switch access {
    case .user: ["--user"]
    case .implicit: ["--implicit"]
    case .anonymous: ["--anonymous"]
    case .unauthenticated: ["--unauth"]
    }
  }
}
