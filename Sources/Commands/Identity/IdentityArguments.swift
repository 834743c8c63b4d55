import Arguments
import Primitives
import SDKCore

extension IdentityName: ArgumentValue {
  /// Reads an argument.
  static func reading(_ text: String) throws(ValueError) -> IdentityName {
    do {
      return try IdentityName(text)
    } catch {
      throw ValueError("not a name of an identity")
    }
  }
}

extension IdentityHost: ArgumentValue {
  /// Reads an argument.
  static func reading(_ text: String) throws(ValueError) -> IdentityHost {
    do {
      return try IdentityHost(text)
    } catch {
      throw ValueError("not a host name, nor '*.' and a domain of one owner")
    }
  }
}

extension RenewalWindow: ArgumentValue {
  /// Reads an argument.
  static func reading(_ text: String) throws(ValueError) -> RenewalWindow {
    guard let window = RenewalWindow(text) else {
      guard text.hasSuffix("%") else {
        return .before(seconds: try TimeSpan.reading(text).seconds)
      }
      throw ValueError("not a percentage from 1% to 100%")
    }
    return window
  }
}

extension Operand where Arguments: Sendable {
  /// The name of an identity; the only one if none is given.
  static func identity(_ path: any Path<IdentityName?>) -> Self {
    .optional("NAME", path, "An identity; may be left out if there is only one")
      .completing(.dynamic("identities"))
  }
}
