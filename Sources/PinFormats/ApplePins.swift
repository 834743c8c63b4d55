import Pinning
import Primitives
import PropertyLists

/// `NSPinnedDomains` of an Info.plist.
///
/// `NSIncludesSubdomains` covers the host and its direct subdomains. Each of the two lists must match
/// if both are present, so only one list is written.
enum ApplePins {
  private static let digest = "SPKI-SHA256-BASE64"

  static func export(_ sets: [PinSet]) -> PinExport {
    var losses: [String] = []
    var domains: [String: PropertyList] = [:]
    for set in sets where set.pattern.subdomains != .direct || !isPartner(set, of: sets) {
      losses += PinCapabilities([.directSubdomains, .allSubdomains]).losses(of: set)
      switch set.pattern.subdomains {
      case .none: break
      case .all:
        losses.append("\(set.pattern): Apple covers direct subdomains only")
      case .direct:
        losses.append("\(set.pattern): Apple also covers \(set.host) itself")
      }
      let authorities = set.keys.filter { $0.role == .intermediate || $0.role == .root }
      let isOfAuthorities = !authorities.isEmpty
      let keys = isOfAuthorities ? authorities : set.keys
      if keys.count < set.keys.count {
        losses.append(
          "\(set.pattern): Apple requires a match in each list, so leaf and backup pins are left out"
        )
      }
      if domains[set.host] != nil { losses.append(set.lossOfRepeatedHost) }
      let includes =
        set.pattern.subdomains != .none || sets.contains { isPartner($0, of: [set]) }
      domains[set.host] = .dictionary([
        "NSIncludesSubdomains": .boolean(includes),
        isOfAuthorities ? "NSPinnedCAIdentities" : "NSPinnedLeafIdentities": .array(
          keys.map { .dictionary([digest: .string($0.pin.base64)]) }),
      ])
    }
    let document = PropertyList.dictionary([
      "NSAppTransportSecurity": .dictionary(["NSPinnedDomains": .dictionary(domains)])
    ])
    return PinExport(text: document.document, losses: losses)
  }

  /// Whether a set of direct subdomains has the same pins as that of its host.
  private static func isPartner(_ set: PinSet, of sets: [PinSet]) -> Bool {
    set.pattern.subdomains == .direct
      && sets.contains {
        $0.pattern == set.pattern.with(subdomains: .none)
          && Set($0.keys.map(\.pin)) == Set(set.keys.map(\.pin))
      }
  }

  static func read(_ bytes: [UInt8]) throws(PinFormatError) -> PinImport {
    let list = try PropertyList(bytes)
    let security = list["NSAppTransportSecurity"] ?? list
    guard let domains = security["NSPinnedDomains"]?.dictionary else {
      throw PinFormatError(cause: "NSPinnedDomains is missing")
    }
    var collection = PinCollection()
    var losses: [String] = []
    for (name, value) in domains.sorted(by: { $0.key < $1.key }) {
      guard let host = PinPattern(host: name) else {
        throw PinFormatError(cause: "'\(shown(name))' is not a host name")
      }
      let leaf = try keys(value, "NSPinnedLeafIdentities", .leaf, name)
      let authorities = try keys(value, "NSPinnedCAIdentities", .intermediate, name)
      if !leaf.isEmpty, !authorities.isEmpty {
        losses.append("\(name): Apple requires a match in each list, here any pin is enough")
      }
      guard !leaf.isEmpty || !authorities.isEmpty else {
        throw PinFormatError(cause: "\(name): it has no identities")
      }
      collection.add(leaf + authorities, to: host)
      losses += value.unusedKeys(
        of: ["NSIncludesSubdomains", "NSPinnedLeafIdentities", "NSPinnedCAIdentities"], name)
      guard let includes = value["NSIncludesSubdomains"] else { continue }
      guard let flag = includes.boolean else {
        throw PinFormatError(cause: "\(name): NSIncludesSubdomains is not true or false")
      }
      if flag, let direct = host.with(subdomains: .direct) {
        collection.add(leaf + authorities, to: direct)
      }
    }
    return PinImport(sets: collection.sets, losses: losses)
  }

  private static func keys(
    _ domain: PropertyList, _ name: String, _ role: PinRole, _ host: String
  ) throws(PinFormatError) -> [PinnedKey] {
    guard let list = domain[name] else { return [] }
    guard let items = list.array else {
      throw PinFormatError(cause: "\(host): \(name) is not an array")
    }
    var keys: [PinnedKey] = []
    for item in items {
      guard let text = item[digest]?.string else {
        throw PinFormatError(cause: "\(host): \(name) has an item without \(digest)")
      }
      keys.append(try .imported(base64: text.trimmingLines, role: role, host))
    }
    return keys
  }
}
