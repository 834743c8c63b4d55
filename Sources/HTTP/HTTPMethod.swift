/// A request method (RFC 9110 section 9).
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
  /// The method as it is sent.
  public let name: String

  /// Makes a method; `nil` unless the name is a token of at most 32 characters.
  public init?(_ name: String) {
    guard isToken(name), name.utf8.count <= 32 else { return nil }
    self.name = name
  }

  /// Makes a method of a name in any letter case, which is sent in capitals.
  public init?(inAnyCase name: String) {
    // Only ASCII letters change: a Unicode mapping could make a method of another word.
    guard isToken(name) else { return nil }
    self.init(name.uppercased())
  }

  private init(known name: String) { self.name = name }

  /// GET.
  public static let get = HTTPMethod(known: "GET")
  /// HEAD.
  public static let head = HTTPMethod(known: "HEAD")
  /// POST.
  public static let post = HTTPMethod(known: "POST")
  /// PUT.
  public static let put = HTTPMethod(known: "PUT")
  /// PATCH.
  public static let patch = HTTPMethod(known: "PATCH")
  /// DELETE.
  public static let delete = HTTPMethod(known: "DELETE")

  /// The method as it is sent.
  public var description: String { name }

  /// Whether sending a request twice has the effect of sending it once (RFC 9110 section 9.2.2).
  public var isIdempotent: Bool {
    [.get, .head, .put, .delete].contains(self) || name == "OPTIONS"
  }

  /// Whether a server expects a body, be it empty (RFC 9110 section 8.6, RFC 5789).
  public var expectsBody: Bool { [.post, .put, .patch].contains(self) }
}

/// Whether a text is a `token` (RFC 9110 section 5.6.2).
package func isToken(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
}

func isTokenByte(_ byte: UInt8) -> Bool {
  if isUnreserved(byte) { return true }
  switch byte {
  case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
    UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
    return true
  default: return false
  }
}
