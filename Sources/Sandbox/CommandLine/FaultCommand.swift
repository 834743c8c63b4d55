import Arguments
import JSON

/// `fault`: make something go wrong, list what can, or stop it all.
enum FaultCommand: Command {
  static let page = CommandInfo(
    name: "fault", summary: "Make something go wrong, list what can, or end all faults",
    description: """
      A fault strikes the next time, or `--times` times. A request may ask for one itself, by \
      `?fault=NAME` or by the field `Sandbox-Fault: NAME`; a login that asks for a fault of the ID \
      token or of the authorization response shows it at its end.

      `list` lists the faults, `clear` ends all that are armed.
      """,
    examples: [
      ("sdkctl-sandbox fault lost-rotation", "Lose the answer of the next refresh"),
      ("sdkctl-sandbox fault latency --delay 500ms --times 0 --on token", "Slow down one endpoint"),
      ("sdkctl-sandbox fault list", "List the faults"),
    ],
    output: OutputDoc(
      .list, [MemberDoc("fault", "the name"), MemberDoc("summary", "what goes wrong")],
      others: "Only `list` prints it."))

  struct Arguments: CommandArguments {
    var times = 1
    var place: Endpoint?
    var delay: Duration?
    var json = false
    var order = Order.list
  }

  enum Order: Sendable {
    case list, clear
    case arm(Fault)
  }

  static let options: [Option<Arguments>] = [
    .value(
      "times", "N", \.times, "How often (1; 0 until cleared)",
      parse: Int.within(0...1_000_000)),
    .choice("on", "ENDPOINT", \.place, "Only there, for example: token"),
    .value("delay", "TIME", \.delay, "How late an answer is with latency (3s)"),
    .json(\.json),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("FAULT", \.order, "Its name; list, or clear") { (text) throws(ValueError) in
      switch text {
      case "list": return .list
      case "clear": return .clear
      default:
        guard let fault = Fault(rawValue: text) else {
          throw ValueError("'sdkctl-sandbox fault list' lists the faults")
        }
        return .arm(fault)
      }
    }
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    switch arguments.order {
    case .list where arguments.json:
      context.print(
        .array(
          Fault.allCases.map {
            ["fault": .string($0.rawValue), "summary": .string($0.summary)]
          }))
    case .list:
      let width = Fault.allCases.map(\.rawValue.count).max() ?? 0
      for fault in Fault.allCases {
        let gap = String(repeating: " ", count: width - fault.rawValue.count + 2)
        context.print("\(fault.rawValue)\(gap)\(fault.summary)")
      }
    case .clear:
      _ = try context.client().ask("POST", "/clear")
      context.print("No fault is armed.")
    case .arm(let fault):
      let times = arguments.times
      var query = Form(["fault": fault.rawValue, "times": "\(times)"])
      query.append("on", arguments.place?.rawValue)
      query.append("delay", arguments.delay.map { "\($0 / .milliseconds(1))" })
      _ = try context.client().ask("POST", query.appended(to: "/arm"))
      let often = times == 0 ? "until cleared" : times == 1 ? "once" : "\(times) times"
      context.print("Armed \(often): \(fault.summary).")
    }
  }
}
