import Pinning
import Primitives

/// Resource records for DANE (RFC 6698).
///
/// Usage 1 is the key of the server, usage 0 that of an authority, both in addition to the usual
/// validation; selector 1 is the SubjectPublicKeyInfo, matching type 1 its SHA-256.
enum TLSAPins {
  static func export(_ sets: [PinSet]) -> PinExport {
    var lines: [String] = []
    var losses: [String] = []
    for set in sets {
      losses += PinCapabilities([.ports, .directSubdomains, .startTLS]).losses(of: set)
      // Only the first label of a name can be a wildcard (RFC 4592 section 2.1.1), and that is the port.
      guard set.pattern.subdomains != .direct else {
        losses.append("\(set.pattern): a name with a port has no wildcard; no record is written")
        continue
      }
      let port = set.port
      if set.pattern.port == nil {
        losses.append("\(set.pattern): a record is for one port; \(port) is written")
      }
      lines += set.keys.flatMap(data).map { "_\(port)._tcp.\(set.host). IN TLSA \($0)\n" }
    }
    return PinExport(text: lines.joined(), losses: losses)
  }

  /// The data of a key: a backup key may become that of the server or of an authority.
  private static func data(_ key: PinnedKey) -> [String] {
    let hex = Hex.encode(key.pin.sha256)
    return switch key.role {
    case .leaf: ["1 1 1 \(hex)"]
    case .intermediate, .root: ["0 1 1 \(hex)"]
    case .backup: ["1 1 1 \(hex)", "0 1 1 \(hex)"]
    }
  }

  static func read(_ text: String) throws(PinFormatError) -> PinImport {
    var collection = PinCollection()
    var losses: [String] = []
    for (index, words) in try records(text) {
      guard let first = words.first else { continue }
      guard let type = words.firstIndex(where: { $0.asciiLowercased == "tlsa" }),
        words.count >= type + 5, let pattern = pattern(first)
      else { throw PinFormatError(cause: "line \(index + 1): it is not a TLSA record") }
      let numbers = words[(type + 1)...(type + 3)].joined(separator: " ")
      let hex = words[(type + 4)...].joined()
      guard ["0 1 1", "1 1 1", "2 1 1", "3 1 1"].contains(numbers) else {
        losses.append("line \(index + 1): TLSA \(shown(numbers)) is not the SHA-256 of a key")
        continue
      }
      guard let bytes = Hex.decode(Array(hex.utf8)), let pin = Pin(sha256: bytes) else {
        throw PinFormatError(cause: "line \(index + 1): it is not 64 hexadecimal digits")
      }
      if numbers.hasPrefix("2") || numbers.hasPrefix("3") {
        losses.append("line \(index + 1): the chain must validate as usual too")
      }
      let isLeaf = numbers.hasPrefix("1") || numbers.hasPrefix("3")
      collection.add([PinnedKey(imported: pin, role: isLeaf ? .leaf : .intermediate)], to: pattern)
      // A record has a port and no protocol: that of a well-known port decides how TLS begins.
      collection.change(pattern) { $0.startTLS = pattern.port.flatMap { StartTLS(port: $0) } }
    }
    return PinImport(sets: collection.sets, losses: losses)
  }

  /// The words of each record with the number of its first line, from 0.
  ///
  /// A record goes on over lines between parentheses (RFC 1035 section 5.1).
  private static func records(
    _ text: String
  ) throws(PinFormatError) -> [(line: Int, words: [String])] {
    var records: [(line: Int, words: [String])] = []
    var isOpen = false
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if !isOpen { records.append((index, [])) }
      var word = ""
      for character in line.prefix(while: { $0 != ";" && $0 != "#" }) + " " {
        let isMark = character == "(" || character == ")"
        guard isMark || character.isWhitespace else {
          word.append(character)
          continue
        }
        if !word.isEmpty { records[records.count - 1].words.append(word) }
        word = ""
        if isMark {
          guard isOpen != (character == "(") else {
            throw PinFormatError(cause: "line \(index + 1): the parentheses do not match")
          }
          isOpen.toggle()
        }
      }
    }
    guard !isOpen else { throw PinFormatError(cause: "a parenthesis is not closed") }
    return records
  }

  /// The servers of a name such as `_443._tcp.example.com.`.
  private static func pattern(_ name: String) -> PinPattern? {
    let labels = name.split(separator: ".").map(String.init)
    guard labels.count >= 3, labels[0].hasPrefix("_"), labels[1].asciiLowercased == "_tcp",
      let port = UInt16(labels[0].dropFirst())
    else { return nil }
    let host = labels[2...].joined(separator: ".")
    return PinPattern("\(host):\(port)")
  }
}
