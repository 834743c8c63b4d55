import Arguments
import Pinning
import Primitives
import SDKCore

enum PinUpdate: Command {
  static let page = CommandInfo(
    name: "update", summary: "Update pins to the keys that servers use now",
    description: """
      Connects to the pinned hosts, shows how their pins differ from the validated chains, asks, \
      and writes all changes at once: `sdkctl pin update` looks at all pinned hosts. Use it after \
      a rotation that was announced to you, never after a mismatch that nobody can explain.

      Keys of the pinned roles (leaf, intermediate, root) are added from the chain. A key that no chain has \
      stays until its last known certificate has ended, as {pin plan} says, because a server can return to \
      that certificate; {pin remove} removes it at once. \
      Backup keys stay; a backup key that is in use now gets its role in the chain. A host that cannot be \
      checked, or whose chain does not validate, stops the command before anything is written.

      In the output `+` is a key that is added, `-` one that is removed, and a space one that stays. \
      The settings of the set follow.
      """,
    examples: [
      ("sdkctl pin update api.example.com", "Show the difference, ask, and update"),
      ("sdkctl pin update --yes", "Update the pins of all hosts, in a script"),
    ],
    seeAlso: ["pin check", "pin plan", "pins"],
    output: PinChanges.rows.list,
    needs: [.network, .terminal])

  struct Arguments: CommandArguments {
    var hosts: [String] = []
    var roles: [PinRole] = []
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .choices("role", "ROLE", \.roles, "Pin these: leaf, intermediate or root"),
    .yes(\.yes, "Update without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .any("HOST", \.hosts, "A host, HOST:PORT, a URL or @FILE")
      .completing(.dynamic("pinned-hosts")).input()
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.roles.contains(.backup) {
      throw ValueError("a server shows no backup key; use `sdkctl pin backup`")
    }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let targets = try PinTargets(arguments.hosts, session, context)
    try targets.explain(in: context)
    let now = context.now()
    let findings = await session.pinning.check(targets.endpoints, until: now)
    for finding in findings { try requireTrusted(finding, session.profile.name) }
    await remember(findings, of: session, in: context)
    let history = try session.pinning.history()
    let differences = differences(findings, history, session.pins, arguments, at: now)
    let changes = PinChanges(differences: differences, policy: session.profile.pinPolicy)
    context.show(changes.lines(context.noteWidth), isAgreed: arguments.yes)
    for finding in findings where finding.status == .mismatch {
      context.warning(
        "no key of the chain of \(finding.endpoint.name) was pinned: update only if you know why")
    }
    noteUnused(findings, history, session, context)
    guard !differences.isEmpty else {
      if context.globals.json { context.print(changes.sets, PinChanges.rows) }
      return context.note("the pins are up to date")
    }
    let count = differences.count
    try await context.confirm(
      "Update the pins of \(count == 1 ? differences[0].new.pattern.description : "\(count) hosts")?",
      isAgreed: arguments.yes)
    try await session.pinning.apply(differences)
    if context.globals.json { context.print(changes.sets, PinChanges.rows) }
    for difference in differences { context.note("updated the pins of \(difference.new.pattern)") }
    context.warnOfSinglePins(in: differences.map(\.new), policy: session.profile.pinPolicy)
  }

  /// Says which keys stay although no server has them, and until when.
  private static func noteUnused(
    _ findings: [PinFinding], _ history: [PinObservation], _ session: ProfileSession,
    _ context: Context
  ) {
    for (set, chains) in bySet(findings, session.pins) {
      let served = chains.flatMap { $0.chain.keys.map(\.pin) }
      let seen = history.of(chains.map(\.endpoint))
      for key in set.keys where key.role != .backup && !served.contains(key.pin) {
        let end = key.certificateEnd(in: seen)
        guard end.map({ $0 > context.now() }) ?? true else { continue }
        let reason =
          end.map { "it stays until its certificate ends on \($0.date)" }
          ?? "it stays, because the end of its certificate is not known"
        let removal = ShellWord.sdkctl(
          of: session.profile.name, "pin", "remove", set.pattern.description, key.pin.description)
        context.note(
          "no server of \(set.pattern) has \(key.pin): \(reason); `\(removal)` removes it now")
      }
    }
  }

  private static func requireTrusted(
    _ finding: PinFinding, _ profile: ProfileName
  ) throws {
    let cause = finding.cause ?? ""
    let addition = Remedy.pinHost(finding.endpoint.name).commandLine(for: profile)
    switch finding.status {
    case .untrusted:
      throw Failure(
        .tls,
        "could not update the pins of \(finding.endpoint.name): its chain is not trusted: \(cause)")
    case .unreachable:
      throw Failure(.network, "could not update the pins of \(finding.endpoint.name): \(cause)")
    case .unpinned:
      throw Failure(
        .notPinned, "could not update the pins of \(finding.endpoint.name): \(cause)",
        hints: [addition])
    case .expired:
      throw Failure(
        .pinsExpired, "could not update the pins of \(finding.endpoint.name): \(cause)",
        hints: ["\(addition) --expires DATE"])
    case .ok, .willExpire, .backupOnly, .drift, .mismatch, .revoked, .noStatus: return
    }
  }

  /// The changes of each set, from all endpoints that it applies to.
  private static func differences(
    _ findings: [PinFinding], _ history: [PinObservation], _ pins: PinSets, _ arguments: Arguments,
    at now: Timestamp
  ) -> [PinDifference] {
    let roles = arguments.roles.isEmpty ? nil : Set(arguments.roles)
    return bySet(findings, pins).map { set, chains in
      PinDifference(
        of: set, to: chains, roles: roles, observations: history.of(chains.map(\.endpoint)), at: now
      )
    }.filter { !$0.isEmpty }
  }

  /// The chains of the endpoints of each set.
  private static func bySet(
    _ findings: [PinFinding], _ pins: PinSets
  ) -> [(set: PinSet, chains: [(endpoint: PinEndpoint, chain: PresentedChain)])] {
    var sets: [PinSet] = []
    var chains: [PinSet: [(endpoint: PinEndpoint, chain: PresentedChain)]] = [:]
    for finding in findings {
      let endpoint = finding.endpoint
      guard let set = pins.set(for: endpoint.host, port: endpoint.port),
        let chain = finding.presented
      else { continue }
      if !sets.contains(set) { sets.append(set) }
      chains[set, default: []].append((endpoint, chain))
    }
    return sets.map { ($0, chains[$0] ?? []) }
  }
}

extension [PinObservation] {
  /// Those of some endpoints.
  func of(_ endpoints: [PinEndpoint]) -> [PinObservation] {
    filter { key in endpoints.contains { $0.sharesPort(with: key.endpoint) } }
  }
}
