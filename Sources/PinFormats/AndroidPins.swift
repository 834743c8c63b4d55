import Pinning
import Primitives
import PropertyLists

/// Android's network security configuration (`res/xml/network_security_config.xml`).
enum AndroidPins {
  static func export(_ sets: [PinSet]) -> PinExport {
    var losses: [String] = []
    var elements: [(host: String, lines: [String])] = []
    for set in sets {
      losses += PinCapabilities([.allSubdomains, .expiry]).losses(of: set)
      if set.expires != nil {
        losses.append("\(set.pattern): after the expiration Android checks no pins at all")
      }
      // Android refuses a document that names a host twice, with and without its subdomains too.
      if elements.contains(where: { $0.host == set.host }) {
        losses.append(set.lossOfRepeatedHost)
        elements.removeAll { $0.host == set.host }
      }
      elements.append((set.host, element(set)))
    }
    let lines =
      ["<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<network-security-config>"]
      + elements.flatMap { $0.lines } + ["</network-security-config>"]
    return PinExport(text: lines.joined(separator: "\n") + "\n", losses: losses)
  }

  private static func element(_ set: PinSet) -> [String] {
    let expiration = set.expires.map { " expiration=\"\($0.date)\"" } ?? ""
    return [
      "    <domain-config>",
      "        <domain includeSubdomains=\"\(set.pattern.subdomains != .none)\">"
        + "\(set.host.xmlEscaped)</domain>",
      "        <pin-set\(expiration)>",
    ]
      + set.keys.map { "            <pin digest=\"SHA-256\">\($0.pin.base64)</pin>" }
      + ["        </pin-set>", "    </domain-config>"]
  }

  static func read(_ bytes: [UInt8]) throws(PinFormatError) -> PinImport {
    let root = try XMLReader.root(of: bytes)
    guard root.name == "network-security-config" else {
      throw PinFormatError(cause: "'\(shown(root.name))' is not network-security-config")
    }
    var reader = Reader()
    for child in root.children {
      if child.name == "domain-config" {
        try reader.read(child, inherited: nil)
      } else if !child.children("pin-set").isEmpty {
        throw PinFormatError(cause: "line \(child.line): pins outside of domain-config")
      }
      reader.noteAnchors(child)
    }
    return PinImport(
      sets: reader.collection.sets, losses: reader.losses + reader.lossesOfUnpinnedDomains)
  }

  private struct Pins {
    var expires: Timestamp?
    var keys: [PinnedKey]
  }

  private struct Reader {
    var collection = PinCollection()
    var losses: [String] = []
    /// Domains with a configuration of their own that has no pins, by their lines.
    private var unpinned: [(line: Int, pattern: PinPattern)] = []
    private var seen: Set<PinPattern> = []

    /// A nested configuration has the pins of the outer one, unless it has its own.
    mutating func read(_ element: XMLElement, inherited: Pins?) throws(PinFormatError) {
      var pins = inherited
      let own = element.children("pin-set")
      if own.count > 1 {
        throw PinFormatError(cause: "line \(own[1].line): a domain-config has one pin-set")
      }
      if let own = own.first {
        pins = try self.pins(own)
        if pins?.keys.isEmpty == true {
          losses.append("line \(own.line): a pin-set without pins is not used")
        }
      }
      for domain in element.children("domain") {
        let includes = try boolean(domain, "includeSubdomains")
        guard
          let pattern = PinPattern(
            host: domain.text.trimmingLines, subdomains: includes ? .all : .none)
        else {
          throw PinFormatError(
            cause: "line \(domain.line): '\(shown(domain.text))' is not a host name")
        }
        guard seen.insert(pattern).inserted else {
          throw PinFormatError(cause: "line \(domain.line): '\(pattern)' appears twice")
        }
        guard let pins, !pins.keys.isEmpty else {
          unpinned.append((domain.line, pattern))
          continue
        }
        collection.add(pins.keys, to: pattern, expires: pins.expires)
      }
      for nested in element.children("domain-config") { try read(nested, inherited: pins) }
    }

    /// For Android the nearest configuration decides, also if it has no pins.
    var lossesOfUnpinnedDomains: [String] {
      let sets = PinSets(collection.sets)
      return unpinned.compactMap { line, pattern in
        sets.set(deciding: pattern).map {
          "line \(line): \(pattern) has no pins there; those of \($0.pattern) apply"
        }
      }
    }

    private func pins(_ element: XMLElement) throws(PinFormatError) -> Pins {
      var keys: [PinnedKey] = []
      for pin in element.children("pin") {
        // Android reads it, and true and false, in upper and lower case.
        guard pin.attributes["digest"]?.asciiLowercased == "sha-256" else {
          throw PinFormatError(cause: "line \(pin.line): the digest is not SHA-256")
        }
        keys.append(try .imported(base64: pin.text.trimmingLines, "line \(pin.line)"))
      }
      guard let text = element.attributes["expiration"] else { return Pins(keys: keys) }
      guard text.utf8.count == 10, let date = Timestamp(text) else {
        throw PinFormatError(cause: "line \(element.line): the expiration is not a date")
      }
      return Pins(expires: date, keys: keys)
    }

    private func boolean(
      _ element: XMLElement, _ name: String
    ) throws(PinFormatError) -> Bool {
      switch element.attributes[name]?.asciiLowercased {
      case nil, "false": return false
      case "true": return true
      default: throw PinFormatError(cause: "line \(element.line): \(name) is not true or false")
      }
    }

    /// Authorities of the application, and those that may override pins, have no counterpart here.
    mutating func noteAnchors(_ element: XMLElement) {
      for anchor in element.children("trust-anchors").flatMap({ $0.children("certificates") }) {
        // In debug-overrides that is the default.
        let overrides = anchor.attributes["overridePins"] ?? "\(element.name == "debug-overrides")"
        if overrides == "true" {
          losses.append("line \(anchor.line): authorities that override pins are not used")
        } else if let source = anchor.attributes["src"], source.hasPrefix("@") {
          losses.append(
            "line \(anchor.line): the authorities of '\(shown(source))' are not used; set caFile")
        }
      }
      for child in element.children("domain-config") { noteAnchors(child) }
    }
  }
}

extension String {
  /// The text without white space at its start and end.
  var trimmingLines: String {
    var rest = Substring(self).unicodeScalars.drop { $0.properties.isWhitespace }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
