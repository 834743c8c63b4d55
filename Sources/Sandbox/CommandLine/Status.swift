/// `status`: whether the sandbox runs, where, and what it has done.
enum Status {
  static let verb = Verb(
    name: "status", summary: "show whether the sandbox runs and what it counted",
    options: [Verb.json, Verb.directory]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    guard InstanceLock.isHeld(directory) else {
      Output.text(
        arguments.flag("json")
          ? JSON.object(["running": false]).pretty + "\n" : "The sandbox is not running.\n")
      return Failure.Exit.other.rawValue
    }
    let status = try ControlClient(directory: directory).ask("GET", "/status")
    Output.text(arguments.flag("json") ? status.pretty + "\n" : words(status))
    return 0
  }

  private static func words(_ status: JSON) -> String {
    func text(_ member: String) -> String { status[member]?.string ?? "" }
    func number(_ member: String) -> Int { status[member]?.int ?? 0 }
    func counts(_ member: String) -> String {
      let counts = status["counts"]?[member]?.object ?? [:]
      return counts.isEmpty
        ? "none"
        : counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.int ?? 0)" }
          .joined(separator: ", ")
    }
    let faults = (status["faults"]?.array ?? []).compactMap { $0["fault"]?.string }
    return """
      The sandbox is running.
        process    \(number("pid"))
        issuer     \(text("issuer"))
        resources  \(text("resourceURL"))
        mutual TLS \(text("mtlsURL"))
        FIDO UAF   \(text("fidoURL"))
        CA file    \(text("caFile"))
        clients    \(number("clients"))
        initial access token  \(text("initialAccessToken"))
        requests   \(counts("endpoints"))
        grants     \(counts("grants"))
        reuses     \(number("reuses"))
        faults     \(faults.isEmpty ? "none" : faults.joined(separator: ", "))

      """
  }
}
