import Pinning
import Primitives

/// Lines with a host and its pins, as lists of hosts have them.
enum LinePins {
  static func export(_ sets: [PinSet]) -> PinExport {
    let capabilities: PinCapabilities = [.ports, .directSubdomains, .allSubdomains]
    let lines = sets.map { set in
      "\(set.pattern) \(set.keys.map(\.pin.description).joined(separator: " "))\n"
    }
    return PinExport(text: lines.joined(), losses: sets.flatMap { capabilities.losses(of: $0) })
  }

  static func read(_ text: String) throws(PinFormatError) -> PinImport {
    var collection = PinCollection()
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = words(of: line)
      guard let host = words.first else { continue }
      let place = "line \(number + 1)"
      guard let pattern = PinPattern(host) else {
        throw PinFormatError(cause: "\(place): '\(shown(host))' is not a host name")
      }
      guard words.count > 1 else { throw PinFormatError(cause: "\(place): there is no pin") }
      for word in words.dropFirst() {
        guard let pin = Pin(word) else {
          throw PinFormatError(cause: "\(place): '\(shown(word))' is not a pin")
        }
        collection.add([PinnedKey(imported: pin)], to: pattern)
      }
    }
    return PinImport(sets: collection.sets, losses: [])
  }

  /// Whether the first line that says something has a host and a pin.
  static func isLikely(_ text: String) -> Bool {
    let first = text.split(whereSeparator: \.isNewline).lazy.map(words).first { !$0.isEmpty } ?? []
    return first.count > 1 && PinPattern(first[0]) != nil && Pin(first[1]) != nil
  }

  /// The words of a line before a comment.
  private static func words(of line: Substring) -> [String] {
    line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
  }
}
