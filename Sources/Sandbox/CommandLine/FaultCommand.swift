/// `fault`: make something go wrong, list what can, or stop it all.
enum FaultCommand {
  static let verb = Verb(
    name: "fault", operands: "NAME|list|clear",
    summary: "make something go wrong, list what can, or end all faults",
    options: [
      .init(name: "times", value: "N", summary: "how often (1; 0 until cleared)"),
      .init(name: "on", value: "ENDPOINT", summary: "only there, for example: token"),
      Verb.json, Verb.directory,
    ], count: 1...1
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    let client = ControlClient(directory: directory)
    switch arguments.operands[0] {
    case "list": Output.text(arguments.flag("json") ? listJSON.pretty + "\n" : list)
    case "clear":
      _ = try client.ask("POST", "/clear")
      Output.text("No fault is armed.\n")
    case let name: try arm(name, arguments, client)
    }
    return 0
  }

  private static func arm(
    _ name: String, _ arguments: Arguments, _ client: ControlClient
  ) throws(Failure) {
    guard let fault = Fault(rawValue: name) else {
      throw Failure(
        "there is no fault '\(name)'", hint: "sdkctl-sandbox fault list", exit: .usage)
    }
    let times = try arguments.number("times", in: 0...1_000_000) ?? 1
    var query = Form(["fault": fault.rawValue, "times": "\(times)"])
    if let place = arguments.values["on"] {
      guard Endpoint(rawValue: place) != nil else {
        let known = Endpoint.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("--on takes one of: \(known)")
      }
      query.append("on", place)
    }
    _ = try client.ask("POST", query.appended(to: "/arm"))
    let often = times == 0 ? "until cleared" : times == 1 ? "once" : "\(times) times"
    Output.text("Armed \(often): \(fault.summary).\n")
  }

  private static var list: String {
    let width = Fault.allCases.map(\.rawValue.count).max() ?? 0
    return Fault.allCases.map { fault in
      let gap = String(repeating: " ", count: width - fault.rawValue.count + 2)
      return "\(fault.rawValue)\(gap)\(fault.summary)\n"
    }.joined()
  }

  private static var listJSON: JSON {
    .array(
      Fault.allCases.map {
        ["fault": .string($0.rawValue), "summary": .string($0.summary)]
      })
  }
}
