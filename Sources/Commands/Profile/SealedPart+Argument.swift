import Arguments
import SDKCore

/// What can be sealed, as the command line names it.
extension SealedPart: ArgumentValue {
  /// All that the passcode of a user seals.
  static func all(for user: UserID) -> Set<SealedPart> {
    Set(allCases.filter { user == .standard || !$0.isOfProfile })
  }

  static func reading(_ text: String) throws(ValueError) -> SealedPart {
    guard let part = SealedPart(rawValue: text) else {
      throw ValueError("expected \(Phrase.alternatives(allCases.map(\.rawValue)))")
    }
    return part
  }
}
