/// Why a FIDO UAF operation cannot be done by this client.
package struct UAFError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, with its number in the protocol.
  package let code: ClientErrorCode
  /// The cause in words: lower case, no period, no secrets.
  package let message: String

  package init(_ code: ClientErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A message that does not follow the protocol.
  package static func malformed(_ message: String) -> UAFError {
    UAFError(.protocolError, message)
  }

  package var description: String { message }
}
