import Arguments
import JSON

/// `status`: whether the sandbox runs, where, and what it has done.
enum Status: Command {
  static let page = CommandInfo(
    name: "status", summary: "Show whether the sandbox runs and what it counted",
    description: """
      The exit code is 1 if it does not run. With `--json`, `counts` has the requests by endpoint, \
      the token requests by grant and the faults that struck.
      """,
    examples: [
      ("sdkctl-sandbox status", "Show where it is"),
      (
        "sdkctl-sandbox status --json | jq .counts.grants.refresh_token",
        "Count the refreshes of a script"
      ),
    ],
    output: output.or("If it does not run", OutputDoc(.document, [running])))

  private static let running = MemberDoc("running", "whether it runs")

  private static let output = OutputDoc(
    .document,
    [running, MemberDoc("pid", "the number of its process")] + Summary.place + [
      MemberDoc("gateways", "the addresses of the other gateways"),
      MemberDoc("fidoURL", "the FIDO UAF server"),
      MemberDoc("initialAccessToken", "what registers a client of a closed sandbox"),
      MemberDoc("users", "people and their passwords"),
      MemberDoc("gateway", "the client of the resource gateway, which introspects tokens"),
      MemberDoc("clients", "the number of clients"), MemberDoc("counts", "what it counted"),
      MemberDoc("reuses", "how often a used refresh token or code came back"),
      MemberDoc("enrolments", "what the enrolment services issued"),
      MemberDoc("faults", "the faults that are armed"), MemberDoc("fido", "what {fido} shows"),
    ])

  struct Arguments: CommandArguments {
    var json = false
  }

  static let options: [Option<Arguments>] = [.json(\.json)]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard InstanceLock.isHeld(try context.directory()) else {
      arguments.json
        ? context.print(["running": false]) : context.print("The sandbox is not running.")
      throw Failure("")
    }
    let status = try context.client().ask("GET", "/status")
    arguments.json ? context.print(status) : context.print(words(status))
  }

  private static func words(_ status: JSON) -> String {
    func text(_ member: String) -> String { status[member]?.string ?? "" }
    func number(_ member: String) -> Int { status[member]?.integer ?? 0 }
    func counts(_ member: String) -> String {
      let counts = status["counts"]?[member]?.object ?? [:]
      return counts.isEmpty
        ? "none"
        : counts.sorted.map { "\($0.key) \($0.value.integer ?? 0)" }.joined(separator: ", ")
    }
    let faults = (status["faults"]?.array ?? []).compactMap { $0["fault"]?.string }
    let gateways = (status["gateways"]?.object ?? [:]).sorted
      .map { "  gateway    \($0.value.string ?? "") (\($0.key))\n" }.joined()
    return """
      The sandbox is running.
        process    \(number("pid"))
        issuer     \(text("issuer"))
        resources  \(text("resourceURL"))
        mutual TLS \(text("mtlsURL"))
        FIDO UAF   \(text("fidoURL"))
      \(gateways)\
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
