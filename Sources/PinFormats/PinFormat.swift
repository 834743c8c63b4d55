public import Pinning
public import Primitives
import PropertyLists
import SDKCore

/// A way in which other programs declare pins.
public enum PinFormat: String, Sendable, Hashable, CaseIterable {
  /// The document of `pins.json`.
  case json
  /// A host and its pins a line.
  case lines
  /// The value of curl's `--pinnedpubkey`.
  case curl
  /// Lines of Kotlin for okhttp's `CertificatePinner`.
  case okhttp
  /// The same lines in Java.
  case okhttpJava = "okhttp-java"
  /// Android's network security configuration.
  case android
  /// `NSPinnedDomains` of Apple's App Transport Security.
  case apple
  /// The `TSKConfiguration` of TrustKit.
  case trustkit

  /// The formats that can be read.
  public static let readable = allCases.filter { ![.okhttp, .okhttpJava].contains($0) }

  /// Writes sets of origins in the format.
  ///
  /// - Parameter sets: the sets; those of proxies cannot be expressed by any format but `json`.
  /// - Returns: the document, and what it does not express.
  /// - Throws: ``PinFormatError`` if the format has no place for more than one set, or for none.
  public func export(_ sets: [PinSet]) throws(PinFormatError) -> PinExport {
    guard !sets.isEmpty else { throw PinFormatError(cause: "there are no pins") }
    guard self != .json else { return PinExport(text: PinDocument.text(of: sets), losses: []) }
    var losses: [String] = []
    let origins = sets.filter { set in
      if set.pattern.isProxy { losses.append("\(set.pattern): the format has no pins of proxies") }
      return !set.pattern.isProxy
    }
    guard let first = origins.first else { throw PinFormatError(cause: "there are no pins") }
    if isOfOneHost, origins.count > 1 {
      throw PinFormatError(cause: "the format holds the pins of one host; name the host")
    }
    let joined = namesHostsOnce ? Self.joined(origins, &losses) : origins
    let export =
      switch self {
      case .json, .lines: LinePins.export(origins)
      case .curl: CurlPins.export(first)
      case .okhttp: OkHttpPins.export(origins, isJava: false)
      case .okhttpJava: OkHttpPins.export(origins, isJava: true)
      case .android: AndroidPins.export(joined)
      case .apple: ApplePins.export(joined)
      case .trustkit: TrustKitPins.export(joined)
      }
    return PinExport(text: export.text, losses: losses + export.losses)
  }

  /// Whether a document may name a host only once, and has no ports.
  private var namesHostsOnce: Bool { [.android, .apple, .trustkit].contains(self) }

  /// The sets, with one for all ports of a host.
  private static func joined(_ sets: [PinSet], _ losses: inout [String]) -> [PinSet] {
    var joined: [PinSet] = []
    for set in sets {
      guard
        let index = joined.firstIndex(where: {
          $0.host == set.host && $0.pattern.subdomains == set.pattern.subdomains
        })
      else {
        joined.append(set)
        continue
      }
      let other = joined[index]
      losses.append(
        "\(set.pattern): the format has no ports; its keys join those of \(other.pattern)")
      var union = other.adding(set.keys)
      union.expires = [other.expires, set.expires].compactMap(\.self).min()
      if set.policy != .report { union.policy = set.policy }
      joined[index] = union
    }
    return joined
  }

  /// Reads a document of the format.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - host: the servers of formats that do not name any (`curl`).
  /// - Returns: the sets, and what of the document is not used.
  /// - Throws: ``PinFormatError`` for a document that is malformed or without pins.
  public func read(
    _ bytes: [UInt8], for host: PinPattern? = nil
  ) throws(PinFormatError) -> PinImport {
    guard bytes.count <= Self.maximumSize else {
      throw PinFormatError(cause: "it is larger than 4 MiB")
    }
    let isBinaryList = [.apple, .trustkit].contains(self) && bytes.starts(with: "bplist".utf8)
    guard let text = isBinaryList ? "" : String(validating: bytes, as: UTF8.self) else {
      throw PinFormatError(cause: "it is not text in UTF-8")
    }
    let read: PinImport
    switch (self, host) {
    case (.curl, let host?): read = try CurlPins.read(text, for: host)
    case (.android, _): read = try AndroidPins.read(bytes)
    case (.apple, _): read = try ApplePins.read(bytes)
    case (.trustkit, _): read = try TrustKitPins.read(bytes)
    case (.lines, _): read = try LinePins.read(text)
    case (.json, _): read = PinImport(sets: try PinDocument.read(bytes).sets, losses: [])
    case (.okhttp, _), (.okhttpJava, _):
      throw PinFormatError(cause: "the format \(rawValue) can only be written")
    case (.curl, nil):
      throw PinFormatError(cause: "the format does not name a host; name it")
    }
    guard !read.sets.isEmpty else { throw PinFormatError(cause: "it contains no pins") }
    if let set = read.sets.first(where: { $0.keys.count > PinSet.maximumCount }) {
      throw PinFormatError(cause: "\(set.pattern): it has more than \(PinSet.maximumCount) pins")
    }
    for set in read.sets
    where set.pattern.subdomains != .none && PublicSuffix.contains(set.pattern.host) {
      throw PinFormatError(cause: "'\(set.pattern)' includes the subdomains of a public suffix")
    }
    return read
  }

  /// The greatest size of a document.
  public static let maximumSize = 4 << 20

  /// Whether a document holds the pins of one host, without its name.
  public var isOfOneHost: Bool { self == .curl }

  /// The formats, each with a text that its documents have and those before it do not.
  private static let marks: [(String, PinFormat)] = [
    ("TSKConfiguration", .trustkit), ("TSKPinnedDomains", .trustkit), ("NSPinnedDomains", .apple),
    ("<plist", .apple), ("network-security-config", .android), ("<pin-set", .android),
    ("sha256//", .curl), ("CertificatePinner", .okhttp),
  ]

  /// The format of a document, by what is in it; `nil` if it is none of those that are known.
  public static func detected(in bytes: [UInt8]) -> PinFormat? {
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return .json }
    let text = String(decoding: bytes.prefix(1 << 20), as: UTF8.self)
    if LinePins.isLikely(text) { return .lines }
    if let mark = marks.first(where: { text.containsText($0.0) }) { return mark.1 }
    return bytes.starts(with: Array("bplist".utf8)) ? .apple : nil
  }
}

/// Pins in a format of another program.
public struct PinExport: Sendable, Hashable {
  /// The document.
  public let text: String
  /// What the format cannot express, one fact a line.
  public let losses: [String]
}

/// Pins that were read from a document of another program.
public struct PinImport: Sendable, Hashable {
  /// The sets, one for each pattern.
  public let sets: [PinSet]
  /// What of the document has no place in a pin set, one fact a line.
  public let losses: [String]
}

/// Why a document with pins cannot be read or written.
public typealias PinFormatError = DocumentError

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
