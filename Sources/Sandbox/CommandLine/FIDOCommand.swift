/// `fido`: show the UAF server, set how it behaves, load what is known of authenticators.
enum FIDOCommand {
  static let verb = Verb(
    name: "fido", operands: "[NAME=VALUE]...",
    summary: "show the FIDO UAF server, or change how it behaves",
    options: [
      .init(name: "load", value: "FILE", summary: "metadata statement, or certificates (PEM)"),
      .init(name: "end-sessions", summary: "end all cookies and JWTs of logins"),
      Verb.json, Verb.directory,
    ], count: 0...20
  ) { arguments in
    var orders = Form()
    for word in arguments.operands {
      let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, FIDOOptions.names.contains(String(halves[0])) else {
        throw Failure.usage("fido sets one of: \(FIDOOptions.names.joined(separator: ", "))")
      }
      orders.append(String(halves[0]), String(halves[1]))
    }
    if let file = arguments.values["load"] {
      orders.append("load", Base64URL.encode(try Start.read(file).utf8))
    }
    if arguments.flag("end-sessions") { orders.append("end-sessions", "1") }
    let client = ControlClient(directory: try StateDirectory(arguments.values["dir"]))
    let answer = try client.ask("POST", orders.appended(to: "/fido"))
    Output.text(arguments.flag("json") ? answer.pretty + "\n" : words(answer))
    return 0
  }

  private static func words(_ state: JSON) -> String {
    let options = FIDOOptions.names.map { name in
      let value = state["options"]?[name] ?? .null
      let text = value.string ?? value.int.map(String.init) ?? value.strings?.joined(separator: ",")
      return "  \(name)=\(text ?? "default")\n"
    }
    let keys = (state["keys"]?.array ?? []).map { key in
      "  \(key["aaid"]?.string ?? "") \(key["keyId"]?.string ?? "") "
        + "of \(key["subject"]?.string ?? ""), used \(key["signCounter"]?.int ?? 0) times\n"
    }
    return "Options:\n" + options.joined()
      + "Registrations: \(state["registrations"]?.int ?? 0)\n"
      + "Authentications: \(state["authentications"]?.int ?? 0)\n"
      + "Keys:\n" + (keys.isEmpty ? "  none\n" : keys.joined())
  }
}
