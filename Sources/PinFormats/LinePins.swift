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

/// Calls of okhttp's `CertificatePinner.Builder.add`, in Kotlin or Java.
enum OkHttpPins {
  static func export(_ sets: [PinSet], isJava: Bool) -> PinExport {
    var losses: [String] = []
    var lines: [String] = []
    for set in sets {
      losses += PinCapabilities([.directSubdomains, .allSubdomains]).losses(of: set)
      losses += unions(set, sets)
      let name = PinPattern(host: set.host, subdomains: set.pattern.subdomains)?.description
      for key in set.keys {
        // Sets of two ports of a host may have the same key.
        let line = "    .add(\"\(name ?? set.host)\", \"\(key.pin)\")"
        if !lines.contains(line) { lines.append(line) }
      }
    }
    let begin =
      isJava
      ? "CertificatePinner certificatePinner = new CertificatePinner.Builder()"
      : "val certificatePinner = CertificatePinner.Builder()"
    let text = ([begin] + lines + ["    .build()\(isJava ? ";" : "")"]).joined(separator: "\n")
    return PinExport(text: text + "\n", losses: losses)
  }

  /// okhttp unites the pins of all patterns that match; here the nearest decides.
  private static func unions(_ set: PinSet, _ sets: [PinSet]) -> [String] {
    sets.compactMap { wider in
      guard wider.pattern.includes(set.pattern),
        wider.keys.contains(where: { key in !set.keys.contains { $0.pin == key.pin } })
      else { return nil }
      return "\(set.pattern): okhttp also accepts the pins of \(wider.pattern) there"
    }
  }
}

extension PinPattern {
  /// Whether this pattern covers every name of the other one; neither covers the other if only one is
  /// for proxies.
  func includes(_ other: PinPattern) -> Bool {
    guard isProxy == other.isProxy else { return false }
    switch (subdomains, other.subdomains) {
    case (.none, _), (.direct, .all): return self == other
    case (.direct, .direct): return host == other.host
    case (.direct, .none), (.all, .none): return coversName(other.host)
    case (.all, .direct), (.all, .all): return host == other.host || coversName(other.host)
    }
  }
}
