package import JSON
import Primitives

/// The message that asks for a request (dictionary `GetUAFRequest`).
package struct GetUAFRequest: Sendable, Hashable {
  package let operation: UAFOperation
  /// A document for the server, sent as a string.
  package let context: JSON?

  package init(_ operation: UAFOperation, context: JSON? = nil) {
    self.operation = operation
    self.context = context
  }

  package var encoded: String {
    JSON.members([
      "op": .string(operation.rawValue), "context": context.map { .string($0.serialized()) },
    ]).serialized()
  }
}

/// A server's response to it (dictionary `ReturnUAFRequest`).
package struct ReturnUAFRequest: Sendable, Hashable {
  package let status: UAFStatus
  /// The request, to be read by ``RequestMessage/init(parsing:)-(String)``; `nil` without one.
  package let request: String?

  package init(parsing bytes: [UInt8]) throws(UAFError) {
    let reader = try MessageReader(envelope: bytes)
    status = UAFStatus(rawValue: try reader.integer("statusCode"))
    let request = try reader.optionalText("uafRequest", atMost: 1 << 20)
    self.request = request.isEmpty ? nil : request
  }
}

/// A client's response for the server (dictionary `SendUAFResponse`).
package struct SendUAFResponse: Sendable, Hashable {
  /// ``UAFResponse/encoded``.
  package let response: String
  package let context: JSON?

  package init(_ response: String, context: JSON? = nil) {
    self.response = response
    self.context = context
  }

  package var encoded: String {
    JSON.members([
      "uafResponse": .string(response), "context": context.map { .string($0.serialized()) },
    ]).serialized()
  }
}

/// A server's verdict (dictionary `ServerResponse`).
package struct ServerResponse: Sendable, Hashable {
  /// A token that the server gives to the client (dictionary `Token`).
  package struct Token: Sendable, Hashable {
    /// `HTTP_COOKIE`, `OAUTH`, `OAUTH2`, `SAML1_1`, `SAML2`, `JWT` or `OPENID_CONNECT`.
    package let type: String
    package let value: String
  }

  package let status: UAFStatus
  /// What the server says to it, without control characters; empty without it.
  package let description: String
  package let additionalTokens: [Token]

  package init(parsing bytes: [UInt8]) throws(UAFError) {
    let reader = try MessageReader(envelope: bytes)
    status = UAFStatus(rawValue: try reader.integer("statusCode"))
    description = VisibleText.of(
      try reader.optionalText("description", atMost: 64 << 10), .space, limit: 500)
    var tokens: [Token] = []
    for value in reader.members["additionalTokens"]?.array ?? [] {
      let token = try MessageReader(value, "a token of the server's response")
      tokens.append(
        Token(
          type: try token.text("type", atMost: 32), value: try token.text("value", atMost: 64 << 10)
        ))
    }
    additionalTokens = tokens
    _ = try reader.optionalText("newUAFRequest", atMost: 1 << 20)
  }
}

extension MessageReader {
  fileprivate init(envelope bytes: [UInt8]) throws(UAFError) {
    let document: JSON
    do {
      document = try JSON(parsing: bytes)
    } catch {
      throw .malformed("the server's response is not JSON: \(error)")
    }
    try self.init(document, "the server's response")
  }
}
