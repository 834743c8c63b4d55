import Pinning
import Primitives

/// The value of curl's `--pinnedpubkey`: `sha256//BASE64` separated by semicolons.
enum CurlPins {
  static func export(_ set: PinSet) -> PinExport {
    let losses =
      PinCapabilities([.ports, .directSubdomains, .allSubdomains]).losses(of: set)
      + leafOnly(set)
    let text = set.keys.map { "sha256//\($0.pin.base64)" }.joined(separator: ";")
    return PinExport(text: text + "\n", losses: losses)
  }

  /// What curl does not use: it compares only the key of the leaf.
  private static func leafOnly(_ set: PinSet) -> [String] {
    let authorities = set.keys.filter { $0.role == .intermediate || $0.role == .root }
    guard !authorities.isEmpty else { return [] }
    return [
      "\(set.pattern): curl compares only the key of the leaf; it does not use "
        + authorities.map(\.role.rawValue).joined(separator: " and ") + " pins"
    ]
  }

  /// Reads the value, also as a line of a configuration file or of a command.
  static func read(_ text: String, for host: PinPattern) throws(PinFormatError) -> PinImport {
    var collection = PinCollection()
    for line in text.split(whereSeparator: \.isNewline) {
      let line = String(line).trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      for part in value(line).split(separator: ";") {
        let part = String(part).trimmingBlanks
        guard part.hasPrefix("sha256//") else {
          throw PinFormatError(
            cause: "'\(shown(part))' does not begin with sha256//; pin a file with `pin add`")
        }
        collection.add(
          [try .imported(base64: String(part.dropFirst(8)), "pinnedpubkey")], to: host)
      }
    }
    return PinImport(sets: collection.sets, losses: [])
  }

  /// The value without the name of the option and quotes.
  private static func value(_ line: String) -> Substring {
    var rest = line.drop { $0 == "-" }
    let name = "pinnedpubkey"
    if rest.hasPrefix(name) {
      rest = rest.dropFirst(name.count).drop { $0 == " " || $0 == "\t" || $0 == "=" || $0 == ":" }
    }
    for quote in ["\"", "'"] as [Character]
    where rest.count >= 2 && rest.first == quote && rest.last == quote {
      rest = rest.dropFirst().dropLast()
    }
    return rest
  }
}
