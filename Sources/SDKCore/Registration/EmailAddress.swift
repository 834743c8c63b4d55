import Primitives

/// An email address that a server can use.
///
/// Plain ones of RFC 5321: no quotes, no comments, no address literals.
public struct EmailAddress: Sendable, Hashable {
  /// The address.
  public let text: String

  /// Checks an address; `nil` for what usual mail servers refuse.
  public init?(_ text: String) {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= 254, halves.count == 2, Self.isLocal(halves[0]),
      Self.isDomain(halves[1])
    else { return nil }
    self.text = text
  }

  private static func isLocal(_ text: Substring) -> Bool {
    let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 64
      && atoms.allSatisfy { atom in
        !atom.isEmpty
          && atom.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
          }
      }
  }

  private static func isDomain(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      }
  }
}
