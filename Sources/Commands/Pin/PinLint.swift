import Arguments
import Checkup
import Pinning
import Primitives
import SDKCore

enum PinLint: Command {
  static let page = CommandInfo(
    name: "lint", summary: "Check the pins of the profile without a connection",
    description: """
      Reads the pins of the profile and prints what makes a host unusable, now or soon, or \
      protects less than it seems: `sdkctl pin lint`. Nothing is printed if all is well.

      * `malformed`: something cannot be read (error).
      * `public-suffix`: subdomains of a name under which anybody can register (error).
      * `expired`: the pins have expired, and the host is refused (error).
      * `no-backup`: a set has only one key (error; warning if the policy is `report`).
      * `expires-soon`: the pins expire within `--within` (warning).
      * `short-lived-leaf`: only leaf keys are pinned, of certificates that last less than 100 \
      days (warning).
      * `weak-key`: an RSA key of less than 2048 bits (warning).
      * `duplicate`: a pin appears twice in a set (warning).
      * `same-pins`: two sets have the same pins (warning).
      * `not-enforced`: the policy of the profile or a set is `report` (warning).
      * `unpinned`: nothing is pinned, so the hosts of the profile have no pins (error).

      The exit status is 8 if nothing is pinned, or 2 if the profile does not name a host either; \
      else 11 if there is an error, or with `--strict` a warning.
      """,
    examples: [("sdkctl pin lint --strict", "Check in CI")],
    exitCodes: [8, 11], seeAlso: ["pin check", "pin plan", "pins"],
    output: rows.list)

  private static let rows = Rows<Finding>(
    .column("host", "HOST", "the pattern") { $0.subject },
    .column(
      "severity", "SEVERITY", "`error` or `warning`",
      tone: { $0.severity == .error ? .bad : .warning }
    ) { $0.severity.rawValue },
    .column("problem", "PROBLEM", "one of the words above") { $0.problem?.rawValue },
    .column("pin", "PIN", "the pin") { $0.pin },
    .column("message", "MESSAGE", "the explanation") { $0.text })

  struct Arguments: CommandArguments {
    var within = TimeSpan.days(30)
    var strict = false
  }

  static let options: [Option<Arguments>] = [
    .value("within", "SPAN", \.within, "Report what expires within this time: 30d, 2w")
      .more("The default is 30d."),
    .flag("strict", \.strict, "Exit with 11 for warnings too"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let name = try context.profileName()
    let store = try context.store()
    let now = context.now()
    let profile = try store.profile(name)
    let problems = try PinStore(store.location, name).lint(
      policy: profile.pinPolicy, hosts: profile.pinEndpoints.map(\.name), at: now,
      until: now + arguments.within)
    let hasErrors = problems.contains { $0.severity == .error }
    if !hasErrors, try context.pinSets().sets.isEmpty {
      throw Failure.usage(
        "could not check the pins: no host is pinned",
        hints: [ShellWord.sdkctl(of: name, "pin", "add", "HOST")])
    }
    context.print(problems, rows)
    if problems.contains(where: { $0.problem == .unpinned }) { throw Failure.silent(.pin) }
    if hasErrors || arguments.strict && !problems.isEmpty { throw Failure.silent(.verification) }
  }
}
