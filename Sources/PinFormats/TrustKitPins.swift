import Pinning
import Primitives
import PropertyLists

/// The `TSKConfiguration` of an Info.plist.
enum TrustKitPins {
  /// The value of TrustKit's constant, misspelt as it is there.
  private static let exclusion = "kSKExcludeSubdomainFromParentPolicy"

  /// What is read of a domain; the last has no effect without a default address.
  private static let used: Set<String> = [
    "TSKPublicKeyHashes", "TSKEnforcePinning", "TSKIncludeSubdomains", "TSKExpirationDate",
    "TSKDisableDefaultReportUri", exclusion,
  ]

  static func export(_ sets: [PinSet]) -> PinExport {
    var losses: [String] = []
    var domains: [String: PropertyList] = [:]
    for set in sets {
      losses += PinCapabilities([.allSubdomains, .expiry, .report]).losses(of: set)
      if !set.hasBackup {
        losses.append("\(set.pattern): TrustKit requires two pins")
      }
      if set.expires != nil {
        losses.append("\(set.pattern): after the expiration TrustKit checks no pins at all")
      }
      if domains[set.host] != nil { losses.append(set.lossOfRepeatedHost) }
      var entry: [String: PropertyList] = [
        "TSKPublicKeyHashes": .array(set.keys.map { .string($0.pin.base64) }),
        "TSKEnforcePinning": .boolean(set.policy != .report),
        "TSKIncludeSubdomains": .boolean(set.pattern.subdomains != .none),
        "TSKDisableDefaultReportUri": .boolean(true),
      ]
      if let expires = set.expires { entry["TSKExpirationDate"] = .string(expires.date) }
      domains[set.host] = .dictionary(entry)
    }
    let document = PropertyList.dictionary([
      "TSKConfiguration": .dictionary([
        "TSKSwizzleNetworkDelegates": .boolean(false), "TSKPinnedDomains": .dictionary(domains),
      ])
    ])
    return PinExport(text: document.document, losses: losses)
  }

  static func read(_ bytes: [UInt8]) throws(PinFormatError) -> PinImport {
    let list = try PropertyList(bytes)
    let configuration = list["TSKConfiguration"] ?? list
    guard let domains = configuration["TSKPinnedDomains"]?.dictionary else {
      throw PinFormatError(cause: "TSKPinnedDomains is missing")
    }
    var sets: [PinSet] = []
    var losses: [String] = []
    if configuration["TSKIgnorePinningForUserDefinedTrustAnchors"]?.boolean == true {
      losses.append("TSKIgnorePinningForUserDefinedTrustAnchors is not used")
    }
    if configuration["TSKSwizzleNetworkDelegates"]?.boolean == true {
      losses.append("TSKSwizzleNetworkDelegates is not used: every connection is checked")
    }
    for (name, value) in domains.sorted(by: { $0.key < $1.key }) {
      if value[exclusion]?.boolean == true {
        // TrustKit checks nothing there. Its own hashes fit it better than those of its parent.
        guard value["TSKPublicKeyHashes"] != nil else {
          losses.append("\(shown(name)): a host cannot be excluded; the pins of its parent apply")
          continue
        }
        losses.append("\(shown(name)): a host cannot be excluded; its own pins apply")
      }
      sets.append(try set(name, value))
      losses += value.unusedKeys(of: used, name)
    }
    return PinImport(sets: sets, losses: losses)
  }

  private static func set(_ name: String, _ value: PropertyList) throws(PinFormatError) -> PinSet {
    let includes = try flag(value, "TSKIncludeSubdomains", name) ?? false
    guard let pattern = PinPattern(host: name, subdomains: includes ? .all : .none) else {
      throw PinFormatError(cause: "'\(shown(name))' is not a host name")
    }
    guard let hashes = value["TSKPublicKeyHashes"]?.array, !hashes.isEmpty else {
      throw PinFormatError(cause: "\(name): TSKPublicKeyHashes is missing or empty")
    }
    // Without the key TrustKit enforces, whatever the policy of the profile is.
    let isEnforced = try flag(value, "TSKEnforcePinning", name) ?? true
    var set = PinSet(
      pattern, policy: isEnforced ? .enforce : .report,
      keys: try hashes.map { (hash) throws(PinFormatError) in
        try .imported(base64: (hash.string ?? "").trimmingLines, name)
      })
    if let date = value["TSKExpirationDate"] {
      guard let text = date.string, text.utf8.count == 10, let time = Timestamp(text) else {
        throw PinFormatError(cause: "\(name): TSKExpirationDate is not a date")
      }
      set.expires = time
    }
    return set
  }

  private static func flag(
    _ value: PropertyList, _ key: String, _ name: String
  ) throws(PinFormatError) -> Bool? {
    guard let member = value[key] else { return nil }
    guard let flag = member.boolean else {
      throw PinFormatError(cause: "\(name): \(key) is not true or false")
    }
    return flag
  }
}
