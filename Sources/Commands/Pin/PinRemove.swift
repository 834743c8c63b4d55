import Arguments
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin remove` -- remove pins of a host.
enum PinRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Remove pins of a host",
    description: """
      Removes the pins that are named, or all pins of the host. A host without pins is refused, \
      unless the policy of the profile is `report`. Only the set of exactly this host or pattern \
      changes: the set of `**.api.test` is not that of `api.test`.

      The command asks on a terminal; without one it needs `--yes`.
      """,
    examples: [("sdkctl pin remove api.example.com --yes", "Remove all pins of a host")],
    exitCodes: [8],
    output: PinSet.rows.document, needs: .terminal)

  struct Arguments: CommandArguments {
    var host = ""
    var pins: [Pin] = []
    var proxy = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("proxy", \.proxy, "Remove pins of an HTTPS proxy"),
    .flag("yes", short: "y", \.yes, "Remove without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.host, "The host, or a pattern").completing(.dynamic("pinned-hosts")),
    .any("PIN", \.pins, "A pin to remove"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let pattern = PinPattern(argument: arguments.host) else {
      throw Failure.notHost(arguments.host)
    }
    let session = try context.session()
    let place = pattern.of(proxy: arguments.proxy)
    let set = try session.set(of: place)
    for pin in arguments.pins where !set.keys.contains(where: { $0.pin == pin }) {
      throw Failure.notPinned(place, session.profile.name, pin)
    }
    let amount =
      arguments.pins.isEmpty ? "all pins" : "\(arguments.pins.count) of \(set.keys.count) pins"
    try await context.confirm("Remove \(amount) of \(place)?", isAgreed: arguments.yes)
    try await session.pinning.change { sets in
      arguments.pins.isEmpty
        ? sets.removing(place) : sets.removing(Set(arguments.pins), from: place)
    }
    let removed = arguments.pins.isEmpty ? set.keys.map(\.pin) : arguments.pins
    let left = set.removing(Set(removed))
    context.report(left, PinSet.rows, "removed \(amount) of \(place)")
    context.warnOfSinglePins(in: [left], policy: session.profile.pinPolicy)
  }
}

extension Pin: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> Pin {
    guard let pin = Pin(text) else { throw ValueError("not a pin such as sha256/BASE64") }
    return pin
  }
}
