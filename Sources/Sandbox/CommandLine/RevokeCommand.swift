/// `revoke`: revoke identities that the enrolment services issued.
enum RevokeCommand {
  static let verb = Verb(
    name: "revoke", operands: "[SERIAL]",
    summary: "revoke the identities that were issued, or one of them",
    options: [Verb.json, Verb.directory], count: 0...1
  ) { arguments in
    let client = ControlClient(directory: try StateDirectory(arguments.values["dir"]))
    var query = Form()
    if let serial = arguments.operands.first { query.append("serial", serial) }
    let answer = try client.ask("POST", query.appended(to: "/revoke"))
    let count = answer["revoked"]?.int ?? 0
    Output.text(
      arguments.flag("json") ? answer.pretty + "\n" : "Revoked \(count) identities.\n")
    return 0
  }
}
