import Pinning
import Primitives
import PropertyLists

/// What a format can express of a pin set.
struct PinCapabilities: OptionSet {
  let rawValue: Int
  static let ports = PinCapabilities(rawValue: 1)
  static let directSubdomains = PinCapabilities(rawValue: 2)
  static let allSubdomains = PinCapabilities(rawValue: 4)
  static let expiry = PinCapabilities(rawValue: 8)
  static let report = PinCapabilities(rawValue: 16)

  /// What of the set the format cannot express.
  func losses(of set: PinSet) -> [String] {
    var losses: [String] = []
    if !contains(.ports), let port = set.pattern.port {
      losses.append("the format has no ports; port \(port) becomes every port")
    }
    if !contains(.directSubdomains), set.pattern.subdomains == .direct {
      losses.append("the format has no pattern for direct subdomains only")
    }
    if !contains(.allSubdomains), set.pattern.subdomains == .all {
      losses.append("the format has no pattern for all subdomains")
    }
    if !contains(.expiry), set.expires != nil {
      losses.append("the format has no expiry; its pins stay valid for ever")
    }
    if !contains(.report), set.policy == .report {
      losses.append("the format has no report mode; its pins are enforced")
    }
    return losses.map { "\(set.pattern): \($0)" }
  }
}

extension PinSet {
  /// What is lost if a set before it has the same host, which the document names once.
  var lossOfRepeatedHost: String {
    "\(pattern): the format has one entry for a host; the last one is written"
  }
}

/// Collects the keys of patterns in the order of a document.
///
/// A document may have tens of thousands of both, so nothing is searched through for each of them.
struct PinCollection {
  private var found: [(pattern: PinPattern, expires: Timestamp?, keys: [PinnedKey])] = []
  private var places: [PinPattern: Int] = [:]

  /// The sets.
  var sets: [PinSet] { found.map { PinSet($0.pattern, expires: $0.expires, keys: $0.keys) } }

  /// Adds keys to the set of a pattern, or to a new one with that expiry.
  mutating func add(_ keys: [PinnedKey], to pattern: PinPattern, expires: Timestamp? = nil) {
    if let place = places[pattern] {
      found[place].keys += keys
    } else {
      places[pattern] = found.count
      found.append((pattern, expires, keys))
    }
  }
}

extension PinnedKey {
  /// A key of a document of another program.
  init(imported pin: Pin, role: PinRole = .leaf) { self.init(pin: pin, role: role) }

  /// A digest in base64, 32 bytes and nothing else.
  static func imported(
    base64 text: String, role: PinRole = .leaf, _ place: String
  ) throws(PinFormatError) -> PinnedKey {
    let text = text.trimmingBlanks
    guard text.utf8.count == 44, text.utf8.last == UInt8(ascii: "="), let pin = Pin(text) else {
      throw PinFormatError(cause: "\(place): '\(shown(text))' is not base64 of 32 bytes")
    }
    return PinnedKey(imported: pin, role: role)
  }
}

/// The beginning of a text of a document, safe to show.
func shown(_ text: String) -> String { VisibleText.of(text, .bytes, limit: 80) }

extension PropertyList {
  /// The keys of a dictionary that are not among those that are read, one fact each.
  func unusedKeys(of used: Set<String>, _ name: String) -> [String] {
    (dictionary ?? [:]).keys.filter { !used.contains($0) }.sorted()
      .map { "\(name): \(shown($0)) is not used" }
  }
}
