import Pinning
import Primitives
import SDKCore

/// What a check is about: endpoints, and pins if they are not those of the profile.
struct PinTargets: Sendable {
  private(set) var endpoints: [PinEndpoint] = []
  private(set) var pins: PinSets
  private var seen: Set<PinEndpoint> = []

  /// Reads hosts as they are typed; without any, all pinned hosts of the profile, or its own hosts
  /// if none is pinned.
  ///
  /// A host without a port is checked at the ports that the profile uses, else at port 443.
  ///
  /// - Throws: ``Failure`` if there is nothing to check, so that nobody takes that for success.
  init(_ words: [String], _ session: ProfileSession, _ context: Context) throws {
    pins = session.pins
    let used = PinReview.places(of: session.profile)
    if words.isEmpty { addPinned(used, context) }
    for word in words where word != "-" { try add(word, used) }
    if words.contains("-") { try readList(context, used) }
    guard endpoints.isEmpty else { return }
    throw Failure.usage(
      "could not check the pins: there is no host to check",
      hints: words.isEmpty ? ["sdkctl -p \(session.profile.name) pin add HOST"] : [])
  }

  /// Adds the hosts of all sets, and says which cannot be known: direct subdomains, and proxies,
  /// which every connection through them checks.
  private mutating func addPinned(_ used: [PinEndpoint], _ context: Context) {
    if pins.sets.isEmpty {
      context.note("no host is pinned")
      for place in used { add(place, used, namesPort: true) }
    }
    for pattern in pins.sets.map(\.pattern) {
      if pattern.isProxy {
        context.note("proxy \(pattern) was not checked: each connection through it is")
      } else if pattern.subdomains == .direct {
        let covered = used.filter { pattern.covers($0.host, port: $0.port) }
        for place in covered { add(place, used, namesPort: true) }
        if covered.isEmpty { context.note("\(pattern) was not checked: name a host") }
      } else {
        add(
          PinEndpoint(host: pattern.host, port: pattern.port ?? 443), used,
          namesPort: pattern.port != nil)
      }
    }
  }

  @discardableResult
  private mutating func add(
    _ text: String, _ used: [PinEndpoint], where source: String = ""
  ) throws -> [PinEndpoint] {
    guard let place = PinEndpoint(text) else {
      throw Failure.notHost(text, in: source)
    }
    return add(
      place, used, namesPort: text.containsText("://") || text.hasSuffix(":\(place.port)"))
  }

  @discardableResult
  private mutating func add(
    _ place: PinEndpoint, _ used: [PinEndpoint], namesPort: Bool
  ) -> [PinEndpoint] {
    let known = namesPort ? [] : used.filter { $0.host == place.host }
    let added = known.isEmpty ? [place] : known
    for endpoint in added where seen.insert(endpoint).inserted { endpoints.append(endpoint) }
    return added
  }

  private mutating func readList(_ context: Context, _ used: [PinEndpoint]) throws {
    let bytes = try context.read("-", "the list of hosts", limit: 1 << 24)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.usage("could not read the list of hosts: it is not UTF-8")
    }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
      guard let host = words.first, !host.hasPrefix("#") else { continue }
      let source = "line \(number + 1): "
      let added = try add(host, used, where: source)
      let comment = words.firstIndex { $0.hasPrefix("#") } ?? words.endIndex
      let listed = try words[1..<comment].map { word in
        guard let pin = Pin(word) else { throw Failure.usage("\(source)'\(word)' is not a pin") }
        return PinnedKey(pin: pin, role: .leaf)
      }
      for endpoint in added where !listed.isEmpty {
        guard let pattern = PinPattern(host: endpoint.host, port: endpoint.port) else { continue }
        pins.add(PinSet(pattern, keys: listed))
      }
    }
  }
}
