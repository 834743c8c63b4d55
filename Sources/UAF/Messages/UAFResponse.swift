import JSON
import Primitives

/// A response to a registration or authentication request (dictionaries `RegistrationResponse` and
/// `AuthenticationResponse`, which have the same members).
package struct UAFResponse: Sendable, Hashable {
  /// The header of the request.
  package let header: OperationHeader
  /// ``FinalChallenge/encoded``.
  package let finalChallenge: String
  /// The assertion of each authenticator.
  package let assertions: [[UInt8]]

  package init(header: OperationHeader, finalChallenge: String, assertions: [[UInt8]]) {
    self.header = header
    self.finalChallenge = finalChallenge
    self.assertions = assertions
  }

  /// The message: an array with one element, as JSON.
  package var encoded: String {
    let list = assertions.map { assertion in
      JSON.members([
        "assertionScheme": .string(AssertionScheme.tlv),
        "assertion": .string(Base64.encode(assertion, alphabet: .url)),
      ])
    }
    let element: JSON = [
      "header": .object(header.document), "fcParams": .string(finalChallenge),
      "assertions": .array(list),
    ]
    return JSON.array([element]).serialized()
  }
}

/// The forms of assertions.
package enum AssertionScheme {
  /// The only one of UAF 1.0 and 1.1.
  package static let tlv = "UAFV1TLV"
}
