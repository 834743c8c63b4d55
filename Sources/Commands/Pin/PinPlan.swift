import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin plan` -- plan the rotation of pins.
enum PinPlan: Command {
  static let page = CommandInfo(
    name: "plan", summary: "Plan which pins to add and which to remove, and when",
    description: """
      Connects to the pinned hosts, as `pin check` does, and prints what to do about each pin: \
      `sdkctl pin plan` looks at all pinned hosts. It changes nothing.

      The actions, with the meaning of their date: `add` a key before that date; `extend` the \
      pins before they end; `keep` a pin until its certificate ends; `remove` a pin from that date \
      on; `repair` what prevents a check. A date that is not known is `-`. A key can be \
      removed when its last certificate in `pin history`, or that with which it was pinned, has ended; then \
      {pin update} removes it. The exit status is 8 if a host has no pins.

      Each line has these fields, separated by tabs: host, action, date, pin, role, and reason; \
      on a terminal they are a table.
      """,
    examples: [("sdkctl pin plan", "Plan the rotation of all pins")],
    seeAlso: ["pin backup", "pin history", "pin update", "pins"],
    json: """
      An array of objects: `host`, `port` and `steps`, an array of objects with `action`, `time` \
      (or null), `pin` (or null), `role` (or null) and `reason`.
      """,
    needs: .network)

  struct Arguments: CommandArguments {
    var hosts: [String] = []
    var within = TimeSpan.days(30)
  }

  static let options: [Option<Arguments>] = [
    .value("within", "SPAN", \.within, "Plan for what ends within this time: 30d, 2w")
      .more("The default is 30d.")
  ]

  static let operands: [Operand<Arguments>] = [
    .any("HOST", \.hosts, "A host, HOST:PORT, a URL or @FILE")
      .completing(.dynamic("pinned-hosts")).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let targets = try PinTargets(arguments.hosts, session, context)
    try targets.explain(in: context)
    let now = context.now()
    let end = now + arguments.within
    let findings = await session.pinning.check(targets.endpoints, until: end)
    let history = try session.pinning.history()
    await remember(findings, of: session, in: context)
    let plans = findings.map { finding in
      PinRotationPlan(
        finding, session.pins.set(for: finding.endpoint.host, port: finding.endpoint.port),
        observations: history.of([finding.endpoint]), at: now,
        until: end)
    }
    if context.globals.json {
      context.print(.array(plans.map(\.json)))
    } else {
      let rows = plans.flatMap { plan in plan.steps.map { $0.cells(of: plan) } }
      context.print(TextTable("HOST", "ACTION", "DATE", "PIN", "ROLE", "REASON", rows: rows))
    }
    if findings.contains(where: { $0.status == .unpinned }) { throw Failure.silent(.pin) }
  }
}

extension PinStep {
  /// The reason, with the option that helps.
  private var words: String { mayBeBackup ? reason + ", or pin it with --role backup" : reason }

  fileprivate func cells(of plan: PinRotationPlan) -> [TextTable.Cell] {
    [
      .init(plan.endpoint.name), .init(action.rawValue), time.map { .init($0) } ?? "-",
      .init(key?.pin), .init(key?.role.rawValue ?? "-"), .init(words),
    ]
  }

  fileprivate var json: JSON {
    [
      "action": .string(action.rawValue), "time": JSON(time?.description),
      "pin": JSON(key?.pin.description), "role": JSON(key?.role.rawValue),
      "reason": .string(words),
    ]
  }
}

extension PinRotationPlan {
  fileprivate var json: JSON {
    [
      "host": .string(endpoint.host), "port": .int(Int64(endpoint.port)),
      "steps": .array(steps.map(\.json)),
    ]
  }
}
