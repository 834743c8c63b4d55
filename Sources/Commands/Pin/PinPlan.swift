import Arguments
import Pinning
import Primitives
import SDKCore

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
      """,
    examples: [("sdkctl pin plan", "Plan the rotation of all pins")],
    seeAlso: ["pin backup", "pin history", "pin update", "pins"],
    output: rows.list, needs: .network)

  private static let steps = Rows<PinStep>(
    .column("action", "ACTION", "one of the words above") { $0.action.rawValue },
    .column("time", "DATE", "the date of the action") { $0.time },
    .column("pin", "PIN", "the pin") { $0.key?.pin },
    .column("role", "ROLE", "its role") { $0.key?.role.rawValue },
    .column("reason", "REASON", "why") {
      $0.mayBeBackup ? $0.reason + ", or pin it with --role backup" : $0.reason
    })

  private static let rows = Rows<PinRotationPlan>(
    .column("host", "HOST", ShownHost.meaning) { ShownHost($0.endpoint) },
    .member("port", "its port") { Int64($0.endpoint.port) },
    .list("steps", "what to do", steps) { $0.steps })

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
        of: finding.endpoint, showing: finding.presented, cause: finding.cause,
        session.pins.set(for: finding.endpoint.host, port: finding.endpoint.port),
        observations: history.of([finding.endpoint]), at: now,
        until: end)
    }
    context.print(plans, rows)
    if findings.contains(where: { $0.status == .unpinned }) { throw Failure.silent(.pin) }
  }
}
