package import JSON
import OpenSSL
import Primitives

/// A request to register a key (dictionary `RegistrationRequest`).
package struct UAFRegistrationRequest: RequestMessage {
  package static let operation = UAFOperation.registration

  package let header: OperationHeader
  /// The challenge as the message has it: base64url.
  package let challenge: String
  /// The name of the user at the server, for people.
  package let username: String
  package let policy: UAFPolicy

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    let reader = MessageReader(members, "the registration request")
    self.header = header
    challenge = try reader.bytes("challenge", count: Limits.challenge).text
    username = try reader.text("username", atMost: Limits.username)
    policy = try UAFPolicy(members["policy"])
  }
}

/// A request to authenticate, or to confirm a transaction (dictionary `AuthenticationRequest`).
package struct UAFAuthenticationRequest: RequestMessage {
  package static let operation = UAFOperation.authentication

  package let header: OperationHeader
  package let challenge: String
  /// The same transaction in several forms, of which the user confirms one; empty for a login.
  package let transactions: [UAFTransaction]
  package let policy: UAFPolicy

  /// The form to show: a text, if there is one; `nil` for a login.
  package var transaction: UAFTransaction? {
    let text = transactions.first { if case .text = $0.content { true } else { false } }
    return text ?? transactions.first
  }

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    let reader = MessageReader(members, "the authentication request")
    self.header = header
    challenge = try reader.bytes("challenge", count: Limits.challenge).text
    transactions = try Self.transactions(try reader.optionalArray("transaction") ?? [])
    policy = try UAFPolicy(members["policy"])
  }

  /// Reads the forms of a transaction, of which one that can be shown suffices.
  private static func transactions(_ values: [JSON]) throws(UAFError) -> [UAFTransaction] {
    guard values.count <= Limits.elements else {
      throw .malformed("the authentication request has \(values.count) transactions")
    }
    var list: [UAFTransaction] = []
    var objection: UAFError?
    for value in values {
      do throws(UAFError) {
        list.append(try UAFTransaction(value))
      } catch {
        guard error.code == .invalidTransactionContent else { throw error }
        objection = error
      }
    }
    if list.isEmpty, let objection { throw objection }
    return list
  }
}

/// What the user confirms (dictionary `Transaction`).
public struct UAFTransaction: Sendable, Hashable {
  /// What the content is.
  public enum Content: Sendable, Hashable {
    /// `text/plain`: a text to show; it may have control characters.
    case text(String)
    /// `image/png`: the bytes of an image.
    case png([UInt8])
  }

  /// The content, decoded.
  public let content: Content
  /// The bytes of the content, of which the authenticator signs the hash.
  package let bytes: [UInt8]

  /// Reads a transaction.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/invalidTransactionContent`` for a content of
  ///   another type, or one that is not what its type says.
  init(_ value: JSON) throws(UAFError) {
    let reader = try MessageReader(value, "the transaction")
    let type = try reader.text("contentType", atMost: 100)
    bytes = try reader.bytes("content", count: Limits.transactionContent).bytes
    switch type {
    case "text/plain":
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw UAFError(.invalidTransactionContent, "the text of the transaction is not UTF-8")
      }
      // What is signed must be seen: of a longer one, a part could be beyond the edge of the screen.
      guard text.utf16.count <= Limits.transactionText else {
        throw UAFError(
          .invalidTransactionContent,
          "the text of the transaction is longer than \(Limits.transactionText) characters")
      }
      content = .text(text)
    case "image/png":
      guard bytes.starts(with: Self.signature) else {
        throw UAFError(.invalidTransactionContent, "the image of the transaction is not PNG")
      }
      content = .png(bytes)
    default:
      throw UAFError(
        .invalidTransactionContent, "the transaction is neither 'text/plain' nor 'image/png'")
    }
  }

  package var hash: [UInt8] {
    get throws(CryptoError) { try Digest.sha256(bytes) }
  }

  /// The first bytes of every PNG image (RFC 2083 section 3.1).
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// A request to delete keys (dictionary `DeregistrationRequest`); no response exists.
package struct UAFDeregistrationRequest: RequestMessage {
  /// What an element of `authenticators` names.
  package enum Target: Sendable, Hashable {
    /// One key: its authenticator, and its identifier in base64url.
    case key(aaid: AAID, keyID: String)
    /// All keys of an authenticator for the application: the identifier of the key is empty.
    case authenticator(aaid: AAID)
    /// All keys of the application: both are empty (version 1.1).
    case all

    package func names(aaid: AAID, keyID: String) -> Bool {
      switch self {
      case .key(let named, let id): named == aaid && sameIdentifier(id, keyID)
      case .authenticator(let named): named == aaid
      case .all: true
      }
    }
  }

  package static let operation = UAFOperation.deregistration

  package let header: OperationHeader
  package let targets: [Target]

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    self.header = header
    let values = try MessageReader(members, "the deregistration request").array("authenticators")
    guard (1...Limits.elements).contains(values.count) else {
      throw .malformed("the deregistration request names \(values.count) authenticators")
    }
    var list: [Target] = []
    for value in values { list.append(try Self.target(value, header.version)) }
    targets = list
  }

  private static func target(
    _ value: JSON, _ version: ProtocolVersion
  ) throws(UAFError) -> Target {
    let reader = try MessageReader(value, "an authenticator of the deregistration request")
    let model = try reader.possiblyEmptyText("aaid", atMost: 9)
    let keyID = try reader.possiblyEmptyText("keyID", atMost: 4096)
    guard !model.isEmpty else {
      guard keyID.isEmpty, version >= .v1_1 else {
        throw .malformed("'aaid' of \(reader.subject) is empty")
      }
      return .all
    }
    guard let aaid = AAID(model) else {
      throw .malformed("'aaid' of \(reader.subject) is not of the form VVVV#MMMM")
    }
    guard !keyID.isEmpty else { return .authenticator(aaid: aaid) }
    guard let bytes = Base64.decode(keyID.utf8, alphabet: .url), Limits.keyID.contains(bytes.count)
    else { throw .malformed("'keyID' of \(reader.subject) is not base64url of a key identifier") }
    return .key(aaid: aaid, keyID: keyID)
  }
}

/// A response to a registration or authentication request (dictionaries `RegistrationResponse` and
/// `AuthenticationResponse`, which have the same members).
package struct UAFResponse: Sendable, Hashable {
  package let header: OperationHeader
  /// ``FinalChallenge/encoded``.
  package let finalChallenge: String
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
