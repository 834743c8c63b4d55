internal import JSON
internal import OpenSSL
internal import Primitives

/// The protected header of a compact token: an object without an unknown critical extension.
func protectedHeader(_ bytes: [UInt8]) throws(JOSEError) -> JSON {
  let header: JSON
  do {
    header = try JSON(parsing: bytes)
  } catch {
    throw JOSEError(.malformed, "the header is not JSON: \(error)")
  }
  guard header.object != nil else { throw JOSEError(.malformed, "the header is \(header.kind)") }
  guard header["alg"] != nil else { throw JOSEError(.malformed, "the header has no 'alg'") }
  if let critical = header["crit"] {
    // No extension is known here, so every well-formed list names an unknown one.
    guard let name = critical.strings?.first else {
      throw JOSEError(.malformed, "the header member 'crit' is not a list of names")
    }
    throw JOSEError(.criticalUnknown, "the critical extension \(quoted(name)) is unknown")
  }
  return header
}

/// A part of a compact token, decoded.
func tokenPart(_ name: String, _ text: ArraySlice<UInt8>) throws(JOSEError) -> [UInt8] {
  guard let bytes = Base64.decode(text, alphabet: .url) else {
    throw JOSEError(.malformed, "the \(name) of the token is not base64url")
  }
  return bytes
}

/// The text of a header member; `nil` when it is absent.
func headerText(_ name: String, of header: JSON) throws(JOSEError) -> String? {
  guard let value = header[name] else { return nil }
  guard let text = value.string else {
    throw JOSEError(.malformed, "the header member '\(name)' is \(value.kind), not a string")
  }
  return text
}
