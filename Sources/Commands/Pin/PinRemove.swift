import Arguments
import Pinning
import Primitives
import SDKCore

enum PinRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Remove pins of a host",
    description: """
      Removes the pins that are named, or all pins of the host. A host without pins is refused, \
      unless the policy of the profile is `report`. Only the set of exactly this host or pattern \
      changes: the set of `**.api.test` is not that of `api.test`.

      `@FILE` names a list of hosts (`@-` is standard input), each of which may be followed by pins. What has no pins \
      is said, and the rest is removed; the exit status is that of the worst failure.
      """,
    examples: [
      ("sdkctl pin remove api.example.com --yes", "Remove all pins of a host"),
      ("sdkctl pin remove @hosts.txt --yes", "Remove those of the hosts of a list"),
    ],
    exitCodes: [8],
    output: PinSet.rows.stream, needs: .terminal)

  struct Arguments: CommandArguments {
    var host = ""
    var pins: [Pin] = []
    var proxy = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("proxy", \.proxy, "Remove pins of an HTTPS proxy"),
    .yes(\.yes, "Remove without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.host, "The host, a pattern or @FILE").completing(.dynamic("pinned-hosts"))
      .input(),
    .any("PIN", \.pins, "A pin to remove"),
  ]

  /// What is removed of a set: the named pins, or all.
  private struct Removal {
    let set: PinSet
    let pins: [Pin]

    var amount: String { pins.isEmpty ? "all pins" : "\(pins.count) of \(set.keys.count) pins" }

    var rest: PinSet { self.set.removing(Set(pins.isEmpty ? set.keys.map(\.pin) : pins)) }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let wanted = try hosts(arguments, context)
    var failures = ListFailures()
    var removals: [Removal] = []
    for (host, pins) in wanted {
      do {
        removals.append(try removal(of: host, pins, isProxy: arguments.proxy, session))
      } catch {
        failures.add(error, of: wanted.count, in: context)
      }
    }
    if let first = removals.first {
      let amount =
        removals.count == 1
        ? "\(first.amount) of \(first.set.pattern)" : "pins of \(removals.count) hosts"
      try await context.confirm("Remove \(amount)?", isAgreed: arguments.yes)
    }
    let all = removals
    try await session.pinning.change { sets in
      all.reduce(sets) { sets, removal in
        let pattern = removal.set.pattern
        return removal.pins.isEmpty
          ? sets.removing(pattern) : sets.removing(Set(removal.pins), from: pattern)
      }
    }
    for removal in removals {
      context.report(
        removal.rest, PinSet.rows, "removed \(removal.amount) of \(removal.set.pattern)")
    }
    context.warnOfSinglePins(in: removals.map(\.rest), policy: session.profile.pinPolicy)
    try failures.requireNone(of: wanted.count, to: "remove", "pins")
  }

  /// The host, or those of the list, each with the pins that follow it.
  private static func hosts(
    _ arguments: Arguments, _ context: Context
  ) throws -> [(host: String, pins: [Pin])] {
    var hosts: [(host: String, pins: [Pin])] = []
    for word in try context.expanded([arguments.host]) {
      if let pin = Pin(word), !hosts.isEmpty {
        hosts[hosts.count - 1].pins.append(pin)
      } else {
        hosts.append((word, []))
      }
    }
    guard hosts.count == 1 || arguments.pins.isEmpty, !hosts.isEmpty else {
      throw Failure.usage(
        hosts.isEmpty
          ? "could not remove pins: the list is empty"
          : "PIN is for one host; in a list pins follow their host")
    }
    hosts[0].pins += arguments.pins
    return hosts
  }

  private static func removal(
    of host: String, _ pins: [Pin], isProxy: Bool, _ session: ProfileSession
  ) throws -> Removal {
    guard let pattern = PinPattern(argument: host) else { throw Failure.notHost(host) }
    let set = try session.set(of: pattern.of(proxy: isProxy))
    for pin in pins where !set.keys.contains(where: { $0.pin == pin }) {
      throw Failure.notPinned(set.pattern, session.profile.name, pin)
    }
    return Removal(set: set, pins: pins)
  }
}

extension Pin: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> Pin {
    guard let pin = Pin(text) else { throw ValueError("not a pin such as sha256/BASE64") }
    return pin
  }
}
