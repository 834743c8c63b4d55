extension JSON {
  /// Finds a value by a path of member names and indexes, separated by dots.
  ///
  /// A name may have dots itself, as claims with URLs as names and `@odata.nextLink` do.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - spelling: another spelling of a name that is looked for if the name is absent.
  /// - Returns: the value; `nil` if the path leads to no value.
  public func value(
    at path: some StringProtocol, orSpelled spelling: (String) -> String = { $0 }
  ) -> JSON? {
    if let value = element(String(path), spelling) { return value }
    for dot in path.utf8.indices where path.utf8[dot] == UInt8(ascii: ".") {
      let rest = path[path.utf8.index(after: dot)...]
      let first = element(String(path[..<dot]), spelling)
      if let value = first?.value(at: rest, orSpelled: spelling) { return value }
    }
    return nil
  }

  /// The path of a member of the object at a path, as ``value(at:orSpelled:)`` takes it.
  ///
  /// It is cut after 1,000 characters: one long name would be in the path of everything inside.
  package static func path(_ path: String, _ name: String) -> String {
    let whole = path.isEmpty ? name : "\(path).\(name)"
    if whole.utf8.count <= maximumPathLength { return whole }
    if path.hasSuffix("…") { return path }
    return "\(Substring(whole.unicodeScalars.prefix(maximumPathLength)))…"
  }

  private static let maximumPathLength = 1000

  private func element(_ name: String, _ spelling: (String) -> String) -> JSON? {
    switch self {
    case .object(let members): members[name] ?? members[spelling(name)]
    case .array(let elements):
      Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }
}
