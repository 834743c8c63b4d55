import JSON
import Pinning
import Primitives
import SDKCore

/// Shows a chain to a person, asks, and pins keys of it.
struct PinReview {
  let context: Context
  /// Whether the person has agreed with `--yes`.
  let isAgreed: Bool
  var connection = ConnectionArguments()

  /// Looks at a server, and returns the keys of the wanted roles if the person agrees.
  ///
  /// The certificates of the chain are added to `seen`.
  func keys(
    of place: PinEndpoint, roles: [PinRole], seen: inout [CertificateDetails]
  ) async throws -> [PinnedKey] {
    let chosen = try await shownKeys(of: place, roles: roles, seen: &seen)
    let names = chosen.map(\.role.rawValue).joined(separator: " and ")
    try await context.confirm("Pin the \(names) key of \(place.shownHost)?", isAgreed: isAgreed)
    return chosen
  }

  /// Looks at a server, shows its chain, and returns the keys of the wanted roles.
  func shownKeys(
    of place: PinEndpoint, roles: [PinRole], seen: inout [CertificateDetails]
  ) async throws -> [PinnedKey] {
    let session = try context.session { connection.apply(to: &$0) }
    let chain = try await session.pinning.probe(place)
    seen += chain.served + chain.validated
    if let error = chain.verificationError { throw untrusted(place, chain, error) }
    let chosen = zip(chain.validated, chain.keys).filter { roles.contains($1.role) }
    guard !chosen.isEmpty else {
      throw Failure(
        .failure, "no_such_key",
        "could not pin \(place.host): its chain has no \(roles.map(\.rawValue).joined(separator: " or "))"
      )
    }
    let pins = chosen.map(\.1.pin)
    show(
      "\(place.shown) shows this chain:",
      zip(chain.validated, chain.keys).map { certificate, key in
        line(key.role.rawValue, key.pin, certificate.text, isChosen: pins.contains(key.pin))
      })
    return chosen.map { certificate, key in
      PinnedKey(
        pin: key.pin, role: key.role, label: key.subject, added: context.now(),
        origin: PinOrigin(.server, place.description), notAfter: certificate.notAfter,
        keyType: certificate.keyType)
    }
  }

  /// Shows the keys of a file, and returns those of the wanted roles if the person agrees.
  func keys(
    _ found: [FoundKey], of file: String, for pattern: PinPattern, roles: [PinRole]
  ) async throws -> [PinnedKey] {
    let name = file == "-" ? "standard input" : String(file.split(separator: "/").last ?? "")
    let chosen = found.chosen(for: roles)
    guard !chosen.isEmpty else {
      throw Failure(
        .failure, "no_such_key",
        "could not pin a key of \(name): it has no \(roles.map(\.rawValue).joined(separator: " or "))"
      )
    }
    show(
      "\(name) has these keys:",
      found.map { key in
        let role = key.certificate?.role.rawValue ?? key.kind.rawValue
        return line(
          role, key.pin, key.certificate?.text ?? key.label,
          isChosen: chosen.contains { $0.key.pin == key.pin })
      })
    var names: [String] = []
    for (_, role) in chosen where !names.contains(role.rawValue) { names.append(role.rawValue) }
    let amount =
      chosen.count == 1
      ? "the \(names[0]) key" : "\(chosen.count) keys (\(names.joined(separator: ", ")))"
    try await context.confirm("Pin \(amount) of \(name) for \(pattern.shown)?", isAgreed: isAgreed)
    return chosen.map { key, role in
      PinnedKey(
        pin: key.pin, role: role, label: key.label, added: context.now(),
        origin: PinOrigin(.file, name), notAfter: key.certificate?.notAfter, keyType: key.keyType)
    }
  }

  /// Adds keys to their sets, all or none.
  func add(_ addition: PinAddition, mayLackBackup: Bool) async throws {
    let session = try context.session()
    for entry in addition.keys {
      let target = addition.target(of: entry.pattern, in: session.pins)
      try refuseExpired(session.pins[target] ?? session.pins[entry.pattern], addition)
      if target.subdomains != .none, PublicSuffix.contains(target.host) {
        throw Failure.usage(
          "could not pin the subdomains of '\(target.host)': it is a public suffix")
      }
    }
    let results = addition.results(in: session.pins)
    if !mayLackBackup, let set = results.first(where: { $0.policy == .enforce && !$0.hasBackup }) {
      throw Failure.usage(
        "could not enforce the pins of \(set.pattern): it has only one pin; "
          + "add a backup pin, or use --no-backup")
    }
    try await session.pinning.change { addition.applied(to: $0) }
    for (entry, set) in zip(addition.keys, results) { show(entry.keys, of: set) }
    for set in results { warnWithoutBackup(set, session) }
  }

  private func show(_ keys: [PinnedKey], of set: PinSet) {
    for key in keys {
      if context.globals.json {
        context.print([
          "host": .string(set.pattern.description), "pin": .string(key.pin.description),
          "role": .string(key.role.rawValue), "label": JSON(key.label),
        ])
      } else {
        context.note("pinned \(key.pin) (\(key.role.rawValue)) for \(set.pattern.shown)")
      }
    }
  }

  /// A host whose only key is lost or replaced is refused until the pins are changed.
  private func warnWithoutBackup(_ set: PinSet, _ session: ProfileSession) {
    guard !set.hasBackup, (set.policy ?? session.profile.pinPolicy) == .enforce else { return }
    if context.globals.quiet { return }
    context.warning(
      "\(set.pattern) has only one pin, and is refused when its key changes; "
        + "pin a backup key too")
  }

  /// Keys that join an expired set would be refused with it.
  private func refuseExpired(_ set: PinSet?, _ addition: PinAddition) throws {
    guard addition.expires == nil, let set, set.isExpired(at: context.now()) else { return }
    throw Failure.usage(
      "the pins of \(set.host) have expired; set a new date with --expires DATE")
  }

  private func show(_ title: String, _ lines: [String]) {
    context.show([title] + lines.map { "  \($0)" }, isAgreed: isAgreed)
  }

  private func line(_ role: String, _ pin: Pin, _ text: String, isChosen: Bool) -> String {
    "\(isChosen ? "*" : " ") \(role.padding(to: 12)) \(pin)  \(text)"
  }

  private func untrusted(
    _ place: PinEndpoint, _ chain: PresentedChain, _ error: String
  ) -> Failure {
    var failure = Failure.untrusted(chain, of: place, "could not pin", error)
    // No file of authorities helps against a certificate of another host.
    guard chain.lacksAuthority else { return failure }
    // Who has named authorities has the root, and an issuer with an address is seldom a root.
    let knowsRoot =
      context.hasOwnAuthorities || chain.served.first?.issuerAddress != nil
    if let issuer = chain.missingIssuer, knowsRoot {
      failure.hints = [
        "the administrator of \(place.host) must add the certificate of \(issuer) to the chain of the server"
      ]
      return failure
    }
    failure.hints = [
      ShellWord.sdkctl(
        of: try? context.profileName(), "profile", "set", "caFile=/PATH/TO/CA.pem")
    ]
    return failure
  }
}

extension Context {
  /// Whether the authorities are those of a file that the profile or the environment names.
  fileprivate var hasOwnAuthorities: Bool {
    environment.caFile != nil || (try? session())?.profile.caFile != nil
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
  /// A chain that does not validate, with what was served.
  static func untrusted(
    _ chain: PresentedChain, of place: PinEndpoint, _ attempt: String, _ error: String
  ) -> Failure {
    var failure = Failure(
      .tls, "tls", "\(attempt) \(place.host): its chain is not trusted: \(error)")
    failure.details =
      ["served by \(place.name):"]
      + chain.served.map { "\($0.pin)  \($0.text)" }
    return failure
  }
}

extension String {
  /// The text with spaces behind it, up to a width.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
