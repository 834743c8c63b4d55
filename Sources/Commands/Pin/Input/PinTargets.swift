import Pinning
import Primitives
import SDKCore

/// What a check is about: endpoints, and pins if they are not those of the profile.
struct PinTargets: Sendable {
  private(set) var endpoints: [PinEndpoint] = []
  private(set) var pins: PinSets
  /// What is asked about, but cannot be checked.
  private(set) var unchecked: [Unchecked] = []
  private var seen: Set<PinEndpoint> = []

  /// A pattern of which no host is known, or a line that cannot be read.
  struct Unchecked: Sendable, Hashable {
    enum Status: String, Sendable { case notChecked = "NOT-CHECKED", invalid = "INVALID" }

    let name: String
    let status: Status
    let cause: String
  }

  /// Reads hosts as they are typed; without any, all pinned hosts of the profile, or its own hosts
  /// if none is pinned.
  ///
  /// A host without a port is checked at the ports that the profile uses, else at those for which it is
  /// pinned, else at port 443. The keys are compared with `pins`, if not with those of the profile.
  ///
  /// - Throws: ``Failure`` if there is nothing to check, so that nobody takes that for success.
  init(
    _ words: [String], _ session: ProfileSession, _ context: Context, pins: PinSets? = nil
  ) throws {
    self.pins = pins ?? session.pins
    let used = session.profile.pinEndpoints
    if words.isEmpty { addPinned(used, context) }
    for word in words {
      if word.hasPrefix("@") { try readList(word, used, context) } else { try add(word, used) }
    }
    guard endpoints.isEmpty, !unchecked.contains(where: { $0.status == .invalid }) else { return }
    throw Failure.usage(
      "could not check the pins: there is no host to check",
      hints: words.isEmpty ? [ShellWord.sdkctl(of: session.profile.name, "pin", "add", "HOST")] : []
    )
  }

  /// Adds the hosts of all sets, and says which cannot be known: direct subdomains, and proxies,
  /// which every connection through them checks.
  private mutating func addPinned(_ used: [PinEndpoint], _ context: Context) {
    if pins.sets.isEmpty {
      context.note("no host is pinned")
      for place in used { add(place, used, namesPort: true) }
    }
    for set in pins.sets {
      let pattern = set.pattern
      if pattern.isProxy {
        skip("proxy \(pattern)", "each connection through it is checked")
      } else if pattern.subdomains == .direct {
        let covered = used.filter { pattern.covers($0.host, port: $0.port) }
        for place in covered { add(place, used, namesPort: true) }
        if covered.isEmpty { skip(pattern.description, "no host of it is known: name one") }
      } else if let place = pattern.endpoint {
        add(place, used, namesPort: pattern.port != nil)
      }
    }
  }

  private mutating func skip(_ name: String, _ cause: String) {
    unchecked.append(Unchecked(name: name, status: .notChecked, cause: cause))
  }

  @discardableResult
  private mutating func add(
    _ text: String, _ used: [PinEndpoint]
  ) throws -> [PinEndpoint] {
    guard let place = PinEndpoint(text) else { throw Failure.notHost(text) }
    return add(
      place, used, namesPort: text.containsText("://") || text.hasSuffix(":\(place.port)"))
  }

  @discardableResult
  private mutating func add(
    _ place: PinEndpoint, _ used: [PinEndpoint], namesPort: Bool
  ) -> [PinEndpoint] {
    var known = namesPort ? [] : used.filter { $0.host == place.host }
    if known.isEmpty, !namesPort { known = pinnedPorts(of: place) }
    let added = known.isEmpty ? [place] : known
    for endpoint in added where seen.insert(endpoint).inserted { endpoints.append(endpoint) }
    return added
  }

  /// The ports for which a host is pinned; none if every port is.
  private func pinnedPorts(of place: PinEndpoint) -> [PinEndpoint] {
    guard pins.set(for: place.host, port: place.port) == nil else { return [] }
    return pins.sets.filter { !$0.pattern.isProxy && $0.pattern.coversName(place.host) }
      .compactMap { set in set.pattern.port.map { place.with(port: $0) } }
  }

  private mutating func readList(
    _ word: String, _ used: [PinEndpoint], _ context: Context
  ) throws {
    for line in try context.lines(ofList: word.dropFirst()) {
      do {
        try addLine(line.words, used)
      } catch {
        unchecked.append(
          Unchecked(
            name: "line \(line.number)", status: .invalid, cause: context.failure(error).message))
      }
    }
  }

  private mutating func addLine(_ words: [String], _ used: [PinEndpoint]) throws {
    let listed = try words.dropFirst().map { word in
      guard let pin = Pin(word) else { throw Failure.usage("'\(word)' is not a pin") }
      return PinnedKey(pin: pin, role: .leaf)
    }
    let added = try add(words[0], used)
    for endpoint in added where !listed.isEmpty {
      guard let pattern = PinPattern(host: endpoint.host, port: endpoint.port) else { continue }
      pins.add(PinSet(pattern, keys: listed))
    }
  }
}

extension PinTargets {
  /// Notes which hosts were not checked, for commands that do not list them.
  ///
  /// - Throws: ``Failure`` for a line that cannot be read.
  func explain(in context: Context) throws {
    for target in unchecked {
      switch target.status {
      case .notChecked: context.note("\(target.name) was not checked: \(target.cause)")
      case .invalid: throw Failure.usage("\(target.name): \(target.cause)")
      }
    }
  }
}
