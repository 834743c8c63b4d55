extension JSON {
  /// How a document is laid out.
  public enum Layout: Sendable {
    /// On one line, without white space.
    case compact
    /// Two spaces a level, for people, `diff` and git.
    case pretty
  }

  /// The document as text, with sorted member names and no final line break.
  public func serialized(_ layout: Layout = .compact) -> String {
    String(decoding: serializedBytes(layout), as: UTF8.self)
  }

  /// The same in UTF-8.
  public func serializedBytes(_ layout: Layout = .compact) -> [UInt8] {
    var writer = JSONWriter(layout)
    writer.write(self, depth: 0)
    return writer.bytes
  }
}
