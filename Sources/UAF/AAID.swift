import Primitives

/// The identifier of a model of authenticators: `VVVV#MMMM`, both hexadecimal (FIDO UAF Protocol
/// 1.1, AAID).
public struct AAID: Sendable, Hashable, CustomStringConvertible {
  /// The identifier: four digits of the vendor, `#`, four digits of the model.
  public let description: String

  /// Reads an identifier; `nil` if the text is not of that form.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 9, bytes[4] == UInt8(ascii: "#"),
      (bytes[..<4] + bytes[5...]).allSatisfy({ $0.hexValue != nil })
    else { return nil }
    description = text
  }

  private init(valid text: String) { description = text }

  /// The model of an authenticator that nobody has certified, of a vendor that does not exist.
  public static let development = AAID(valid: "FFFF#0001")

  /// The four digits of the vendor.
  public var vendorID: String { String(description.prefix(4)) }

  /// Compares without regard to the case of digits.
  public static func == (left: AAID, right: AAID) -> Bool {
    left.description.equalsIgnoringCase(right.description)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description.asciiLowercased)
  }
}
