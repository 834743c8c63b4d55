internal import Primitives

/// One link of a `Link` header field (RFC 8288 section 3).
public struct WebLink: Sendable, Hashable {
  /// Where it leads: a URI reference as it was sent, not to be trusted.
  public let target: String
  /// The relation types, in lower case.
  public let relations: [String]
  /// Whether it is a link of something else than the response: it has the parameter `anchor`.
  public let hasAnchor: Bool

  /// The links of a response.
  public struct List: Sendable, Hashable {
    /// The links, in order.
    public internal(set) var links: [WebLink] = []
    /// Whether all fields are well-formed; a malformed field is read up to its defect.
    public internal(set) var isComplete = true
  }
}

extension HTTPResponse {
  /// The links of all `Link` fields.
  public var links: WebLink.List {
    var list = WebLink.List()
    for value in fields.values(of: "Link") {
      var reader = FieldReader(value)
      reader.read(into: &list)
    }
    return list
  }
}

extension FieldReader {
  fileprivate mutating func read(into list: inout WebLink.List) {
    skipCommas()
    while !rest.isEmpty {
      guard list.links.count < Self.maximumLinkCount, let link = link() else {
        list.isComplete = false
        return
      }
      list.links.append(link)
    }
  }

  /// The next link, with the comma after it; `nil` if it is malformed.
  private mutating func link() -> WebLink? {
    guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let target = String(decoding: rest[rest.startIndex..<end].dropFirst(), as: UTF8.self)
    rest = rest[end...].dropFirst()
    var (relations, hasAnchor) = ([String]?.none, false)
    skipSpaces()
    while rest.first == UInt8(ascii: ";") {
      rest.removeFirst()
      skipSpaces()
      // A parameter may be missing.
      guard let name = token() else { continue }
      guard let value = value() else { return nil }
      switch name.asciiLowercased {
      // Of several, the first one counts (RFC 8288 section 3.3).
      case "rel":
        relations = relations ?? value.split(separator: " ").map { String($0).asciiLowercased }
      case "anchor": hasAnchor = true
      default: break
      }
    }
    guard rest.isEmpty || skipCommas() else { return nil }
    return WebLink(target: target, relations: relations ?? [], hasAnchor: hasAnchor)
  }

  /// The value of a parameter, empty without one; `nil` if it is malformed.
  private mutating func value() -> String? {
    skipSpaces()
    guard rest.first == UInt8(ascii: "=") else { return isAtEndOfParameter ? "" : nil }
    rest.removeFirst()
    skipSpaces()
    guard beginsQuoted else {
      // Media types and URLs stand here without quotes too.
      let word = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
      rest = rest[word.endIndex...]
      return String(decoding: word, as: UTF8.self).trimmingBlanks
    }
    let text = quoted()
    skipSpaces()
    return isAtEndOfParameter ? text : nil
  }

  private var isAtEndOfParameter: Bool {
    rest.isEmpty || rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ",")
  }

  private static let maximumLinkCount = 256
}
