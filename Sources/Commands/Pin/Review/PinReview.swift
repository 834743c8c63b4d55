import Arguments
import JSON
import PinFormats
import Pinning
import Primitives
import SDKCore

/// Shows keys of servers and files to a person, asks once, and pins them.
struct PinReview {
  let context: Context
  /// What connects to the servers.
  let session: ProfileSession
  /// Whether the person has agreed with `--yes`.
  let isAgreed: Bool
  let roles: [PinRole]
  /// The command that names authorities; `nil` for that which changes the profile.
  var authorityHint: String?
  /// What is pinned if the person agrees.
  var addition = PinAddition()
  private(set) var certificates: [CertificateDetails] = []
  private var hosts: [String] = []
  /// The keys of files: `the leaf key of a.pem for api.test`.
  private var files: [String] = []

  init(_ session: ProfileSession, context: Context, isAgreed: Bool, roles: [PinRole]) {
    self.session = session
    self.context = context
    self.isAgreed = isAgreed
    self.roles = roles
  }

  /// Looks at servers side by side, and shows the chains of those that are trusted.
  ///
  /// - Parameters:
  ///   - places: the servers.
  ///   - pattern: for which servers the keys of one are pinned.
  /// - Returns: why keys of some are not pinned.
  mutating func show(
    _ places: [PinEndpoint], pinnedFor pattern: (PinEndpoint) -> PinPattern? = \.pattern
  ) async -> [any Error] {
    var errors: [any Error] = []
    for (place, result) in zip(places, await session.pinning.probe(places)) {
      do {
        guard let pattern = pattern(place) else { throw Failure.notHost(place.host) }
        addition.add(try chosen(of: try result.get(), at: place), to: pattern)
        if !hosts.contains(place.shownHost) { hosts.append(place.shownHost) }
      } catch {
        errors.append(error)
      }
    }
    return errors
  }

  /// Shows a chain, and returns the keys of the wanted roles.
  private mutating func chosen(
    of chain: PresentedChain, at place: PinEndpoint
  ) throws -> [PinnedKey] {
    certificates += chain.served + chain.validated
    if let error = chain.verificationError { throw untrusted(place, chain, error) }
    let chosen = zip(chain.validated, chain.keys).filter { roles.contains($1.role) }
    guard !chosen.isEmpty else {
      throw Failure(
        .noSuchKey,
        "could not pin \(place.name): its chain has no \(roles.map(\.rawValue).joined(separator: " or "))"
      )
    }
    let pins = chosen.map(\.1.pin)
    show(
      "\(place.shown) shows this chain:",
      zip(chain.validated, chain.keys).map { certificate, key in
        cells(key.role.rawValue, key.pin, certificate.text, isChosen: pins.contains(key.pin))
      })
    return chosen.map { certificate, key in
      PinnedKey(
        pin: key.pin, role: key.role, label: key.subject, added: context.now(),
        origin: PinOrigin(.server, place.description), notAfter: certificate.notAfter,
        keyType: certificate.keyType)
    }
  }

  /// Shows the keys of a file, of which those of the wanted roles are pinned.
  mutating func show(
    _ found: [FoundKey], of file: String, pinnedFor pattern: PinPattern, roles: [PinRole]
  ) throws {
    certificates += found.compactMap(\.certificate)
    let name = file.inputName
    let chosen = found.chosen(for: roles)
    guard !chosen.isEmpty else {
      throw Failure(
        .noSuchKey,
        "could not pin a key of \(name): it has no \(roles.map(\.rawValue).joined(separator: " or "))"
      )
    }
    show(
      "\(name) has these keys:",
      found.map { key in
        let role = key.certificate?.role.rawValue ?? key.kind.rawValue
        return cells(
          role, key.pin, key.certificate?.text ?? key.label,
          isChosen: chosen.contains { $0.key.pin == key.pin })
      })
    let names = chosen.map(\.role.rawValue).uniqued()
    let amount =
      chosen.count == 1
      ? "the \(names[0]) key" : "\(chosen.count) keys (\(names.joined(separator: ", ")))"
    files.append("\(amount) of \(name) for \(pattern.shown)")
    addition.add(
      chosen.map { key, role in
        PinnedKey(
          pin: key.pin, role: role, label: key.label, added: context.now(),
          origin: PinOrigin(.file, name), notAfter: key.certificate?.notAfter, keyType: key.keyType)
      }, to: pattern)
  }

  /// Asks whether to pin the keys that were shown; keys that were typed need no consent.
  func confirm() async throws {
    var subjects = files
    if !hosts.isEmpty {
      let names = roles.map(\.rawValue).joined(separator: " and ")
      let places =
        hosts.count > 5 ? "\(hosts.count) hosts" : hosts.joined(separator: ", ")
      subjects.append("the \(names) key of \(places)")
    }
    guard !subjects.isEmpty else { return }
    try await context.confirm(
      "Pin \(subjects.joined(separator: ", and "))?", isAgreed: isAgreed)
  }

  /// Adds the keys to their sets, all or none.
  func add(mayLackBackup: Bool) async throws {
    // Anew: the pins may have changed while the person read.
    let session = try context.session()
    for entry in addition.keys {
      let target = addition.target(of: entry.pattern, in: session.pins)
      try refuseExpired(session.pins[target] ?? session.pins[entry.pattern], addition)
      if target.subdomains != .none, PublicSuffix.contains(target.host) {
        throw Failure.usage(
          "could not pin the subdomains of '\(target.host)': it is a public suffix")
      }
    }
    let former = session.pins
    let results = addition.results(in: former)
    if !mayLackBackup, let set = results.first(where: { $0.policy == .enforce && !$0.hasBackup }) {
      throw Failure.singlePin(of: set)
    }
    try await session.pinning.change { addition.applied(to: $0) }
    for (entry, set) in zip(addition.keys, results) { show(entry.keys, of: set) }
    for set in results { warnOfLostPins(of: set, in: former) }
    context.warnOfSinglePins(in: results, policy: session.profile.pinPolicy)
  }

  /// The nearest set decides alone: a new one takes the place of a wider one for its servers.
  private func warnOfLostPins(of set: PinSet, in former: PinSets) {
    let pattern = set.pattern
    guard pattern.subdomains == .none, former[pattern] == nil,
      let wider = former.set(
        for: set.host, port: pattern.port ?? 443, isProxy: pattern.isProxy)
    else { return }
    context.warning(
      "the pins of \(wider.pattern.shown) no longer apply to \(pattern.shown), which has its own")
  }

  private func show(_ keys: [PinnedKey], of set: PinSet) {
    for key in keys {
      context.report(
        (set, key), PinAddition.rows,
        "pinned \(key.pin) (\(key.role.rawValue)) for \(set.pattern.shown)")
    }
  }

  /// Keys that join an expired set would be refused with it.
  private func refuseExpired(_ set: PinSet?, _ addition: PinAddition) throws {
    guard addition.expires == nil, let set, set.isExpired(at: context.now()) else { return }
    throw Failure.usage(
      "the pins of \(set.host) have expired; set a new date with --expires DATE")
  }

  private func show(_ title: String, _ rows: [[TextTable.Cell]]) {
    let lines = TextTable(["", "", ""], rows: rows).fitted(to: context.noteWidth.map { $0 - 2 })
    context.show([title] + lines.map { "  \($0)" }, isAgreed: isAgreed)
  }

  private func cells(
    _ role: String, _ pin: Pin, _ text: String, isChosen: Bool
  ) -> [TextTable.Cell] {
    [.init("\(isChosen ? "*" : " ") \(role)"), .init(pin.description), .init(text)]
  }

  private func untrusted(
    _ place: PinEndpoint, _ chain: PresentedChain, _ error: String
  ) -> Failure {
    var failure = Failure.untrusted(chain, of: place, "could not pin", error)
    // No file of authorities helps against a certificate of another host.
    guard chain.lacksAuthority else { return failure }
    // Who has named authorities has the root, and an issuer with an address is seldom a root.
    let hasOwnAuthorities = context.environment.caFile != nil || session.profile.caFile != nil
    let knowsRoot = hasOwnAuthorities || chain.served.first?.issuerAddress != nil
    if let issuer = chain.missingIssuer, knowsRoot {
      failure.hints = [
        "the administrator of \(place.host) must add the certificate of \(issuer) to the chain of the server"
      ]
      return failure
    }
    failure.hints = [
      authorityHint
        ?? ShellWord.sdkctl(of: session.profile.name, "profile", "set", "caFile=/PATH/TO/CA.pem")
    ]
    return failure
  }
}

extension Context {
  /// Warns of hosts that are refused as soon as their only key is lost or replaced.
  func warnOfSinglePins(in sets: [PinSet], policy: PinPolicy) {
    let sets = sets.filter { $0.keys.count == 1 && ($0.policy ?? policy) == .enforce }
    let single = sets.map(\.pattern.description)
    guard let first = single.first, !globals.quiet else { return }
    let text =
      single.count == 1
      ? sets[0].keys[0].role == .backup
        ? "\(first) has only a backup pin; pin the key that its server uses too"
        : "\(first) has only one pin, and is refused when its key changes; pin a backup key too"
      : "\(single.count) hosts have only one pin each, and are refused when that key changes; "
        + "pin backup keys too"
    warning(text, details: single.count == 1 ? [] : single)
  }
}

extension CertificateDetails {
  fileprivate var text: String { "\(subject), until \(notAfter.date)" }
}

extension [FoundKey] {
  /// The keys of these roles, each pin once, with the roles that they get.
  ///
  /// The role of a certificate is its own. Without roles, leaf keys are chosen, or all if there are
  /// only authorities; these are also the keys that `backup` means. A key without a certificate has
  /// any role.
  func chosen(for roles: [PinRole]) -> [(key: FoundKey, role: PinRole)] {
    func own(_ key: FoundKey) -> PinRole? {
      let owner = first { $0.pin == key.pin && $0.certificate != nil }
      return key.certificate?.role ?? owner?.certificate?.role
    }
    var wanted = Set(roles).subtracting([.backup])
    if wanted.isEmpty {
      wanted = contains { own($0) ?? .leaf == .leaf } ? [.leaf] : Set(PinRole.allCases)
    }
    var seen: Set<Pin> = []
    return compactMap { key in
      let role = own(key)
      guard role.map(wanted.contains) ?? true, seen.insert(key.pin).inserted else { return nil }
      let isBackup = roles.allSatisfy { $0 == .backup } && !roles.isEmpty
      return (key, isBackup ? .backup : role ?? roles.first ?? .leaf)
    }
  }
}

extension Failure {
  /// Pins that may be enforced only without a backup key.
  static func singlePin(of set: PinSet) -> Failure {
    .usage(
      "could not enforce the pins of \(set.pattern): it has only one pin; "
        + "add a backup pin, or use --no-backup")
  }

  /// A chain that does not validate, with what was served.
  static func untrusted(
    _ chain: PresentedChain, of place: PinEndpoint, _ attempt: String, _ error: String
  ) -> Failure {
    var failure = Failure(.tls, "\(attempt) \(place.name): its chain is not trusted: \(error)")
    failure.details =
      ["served by \(place.name):"]
      + chain.served.map { "\($0.pin)  \($0.text)" }
    return failure
  }
}

extension String {
  /// The name of a file, or of standard input for `-`, without directories.
  var inputName: String {
    self == "-" ? "standard input" : String(split(separator: "/").last ?? "")
  }

  /// The text with spaces behind it, up to a width.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
