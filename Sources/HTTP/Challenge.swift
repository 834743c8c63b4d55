internal import Primitives

/// One challenge of `WWW-Authenticate`: an authentication scheme and its parameters (RFC 9110 section
/// 11.6.1).
public struct Challenge: Sendable, Hashable {
  /// The scheme as it was sent; compared without regard to case.
  public let scheme: String
  /// The parameters in their order, names in lower case; not to be trusted.
  public let parameters: [Parameter]

  /// A name and its value, without quotes and backslashes.
  public struct Parameter: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value.
    public let value: String
  }

  /// Whether it is of that scheme.
  public func isOf(scheme other: String) -> Bool { scheme.asciiLowercased == other.asciiLowercased }

  /// The value of a parameter; `nil` if it is absent or repeated.
  public subscript(name: String) -> String? {
    let values = parameters.filter { sameIdentifier($0.name, name) }
    return values.count == 1 ? values[0].value : nil
  }
}

extension HTTPResponse {
  /// The challenges of all `WWW-Authenticate` fields, in order.
  ///
  /// A field is read up to where it stops being well-formed.
  public var challenges: [Challenge] {
    var challenges: [Challenge] = []
    for value in fields.values(of: "WWW-Authenticate") {
      var reader = FieldReader(value)
      challenges += reader.challenges()
    }
    return challenges
  }
}

// Commas separate both schemes and parameters, so it looks two words ahead.
extension FieldReader {
  fileprivate mutating func challenges() -> [Challenge] {
    var challenges: [Challenge] = []
    skipCommas()
    while challenges.count < Self.maximumCount, let scheme = token() {
      guard let challenge = challenge(of: scheme) else { break }
      challenges.append(challenge)
      skipCommas()
    }
    return challenges
  }

  /// The challenge behind a scheme; `nil` when it is malformed.
  private mutating func challenge(of scheme: String) -> Challenge? {
    guard rest.isEmpty || rest.first == UInt8(ascii: ",") || skipSpaces() else { return nil }
    var parameters: [Challenge.Parameter] = []
    if skipToken68() { return Challenge(scheme: scheme, parameters: []) }
    while true {
      let before = rest
      let isNext = skipCommas()
      guard let name = token() else {
        guard isNext || rest.isEmpty else { return nil }
        break
      }
      skipSpaces()
      guard rest.first == UInt8(ascii: "=") else {
        // No parameter: behind a comma it is the scheme of the next challenge.
        guard isNext else { return nil }
        rest = before
        break
      }
      rest.removeFirst()
      skipSpaces()
      guard parameters.count < Self.maximumCount,
        let value = beginsQuoted ? quoted() : token()
      else { return nil }
      parameters.append(Challenge.Parameter(name: name.asciiLowercased, value: value))
      skipSpaces()
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
    return Challenge(scheme: scheme, parameters: parameters)
  }

  /// Skips a `token68`, as Negotiate has: it ends the challenge.
  private mutating func skipToken68() -> Bool {
    let letters = rest.prefix { isUnreserved($0) || "+/".utf8.contains($0) }
    let padded = rest[letters.endIndex...].drop { $0 == UInt8(ascii: "=") }
    let tail = padded.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard !letters.isEmpty, tail.isEmpty || tail.first == UInt8(ascii: ",") else { return false }
    rest = tail
    return true
  }

  /// The maximum number of challenges, and of parameters, in one field.
  private static let maximumCount = 32
}
