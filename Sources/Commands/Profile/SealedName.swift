import Arguments
import SDKCore

/// What can be sealed, as the command line names it.
enum SealedName: ArgumentValue, Hashable, CustomStringConvertible {
  case slot(CredentialSlot)
  case kind(SealedKind)

  static let all = CredentialSlot.allCases.map(slot) + SealedKind.allCases.map(kind)

  /// All that the passcode of a user seals.
  static func all(for user: UserID) -> [SealedName] {
    all.filter { user == .standard || $0.kind?.isOfProfile != true }
  }

  static func reading(_ text: String) throws(ValueError) -> SealedName {
    guard let name = all.first(where: { $0.description == text }) else {
      throw ValueError("expected \(Phrase.alternatives(all.map(\.description)))")
    }
    return name
  }

  var description: String {
    switch self {
    case .slot(let slot): slot.rawValue
    case .kind(let kind): kind.rawValue
    }
  }

  var slot: CredentialSlot? {
    if case .slot(let slot) = self { slot } else { nil }
  }

  var kind: SealedKind? {
    if case .kind(let kind) = self { kind } else { nil }
  }
}
