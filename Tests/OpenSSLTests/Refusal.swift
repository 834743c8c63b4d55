import Testing

@testable import OpenSSL

/// Expects a refusal of that kind, and answers it.
@discardableResult
func expect<Value>(
  _ kind: CryptoError.Kind, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Value
) -> CryptoError? {
  let error = #expect(throws: CryptoError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.kind == kind, sourceLocation: sourceLocation)
  return error
}
