import Arguments
import Checkup
import JSON
import POSIX
import Primitives
import SDKCore

enum Doctor: Command {
  static let page = CommandInfo(
    name: "doctor", group: .tools, summary: "Find what is wrong with this installation",
    description: """
      Checks the machine, the store and all profiles, or one with --profile, and prints a line for each \
      result: `sdkctl doctor`. It makes no connection without --online, and changes nothing without --fix.

      The status of a line is `ok`, `warning`, `error`, or `fixed` for what --fix has mended. What is \
      checked is named by one of these words:

      * `umask`, `clock`, `libcurl`, `openssl`, `authorities`, `proxy`, `browser`, `loopback`: what \
      requests and logins need of the machine.
      * `permissions`: owner and permissions of every file and directory of the store, and whether it can be written.
      * `document`: a file that is damaged, or of a newer version of sdkctl.
      * `foreign-file`: what is not of sdkctl, or is a link, a pipe or a device in the place of a file.
      * `leftover`: what a killed command has left.
      * `lock`: the locks that processes of this machine hold.
      * `settings`, `pins`, `users`, `place`: as in {profile import}, {pin lint} and {profile store show}; that a \
      backup key is missing is a warning here.
      * `token`, `identity`, `registration`: what has expired or ends within 30 days.
      * `discovery`, `server-clock`, `keys`, `server-pins`, `shared-store`: what servers say, with --online. What \
      the server knows about the client is printed by {register show}: the response may replace credentials.

      The exit status is 11 if there is an error, or with --strict a warning.

      --fix takes permissions from other users, and removes what killed commands have left. It never \
      changes an owner, a setting or a secret.

      On a terminal the first line says how many errors and warnings there are.
      """,
    examples: [
      ("sdkctl doctor", "Check everything on this machine"),
      ("sdkctl doctor --online --profile work", "Check a profile at its servers too"),
      ("sdkctl doctor --fix", "Mend what is safe to mend"),
    ],
    exitCodes: [11], seeAlso: ["status", "profile import", "pin check", "security"],
    output: HealthReport.rows.document)

  struct Arguments: CommandArguments {
    var isOnline = false
    var fixes = false
    var onlyProblems = false
    var isStrict = false
  }

  static let options: [Option<Arguments>] = [
    .flag("online", \.isOnline, "Ask the servers of the profiles too"),
    .flag("fix", \.fixes, "Mend what is safe to mend"),
    .flag("problems", \.onlyProblems, "Print only what is not ok"),
    .flag("strict", \.isStrict, "Exit with 11 for warnings too"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let profiles = try chosenProfiles(context)
    var checkup = HealthCheckup(
      store, context.environment, context.network, try context.options().connections,
      browser: context.ports.browser.choice(context.environment), now: context.now()
    ) { name in
      try context.with(profile: name.description).session { options in
        options.writesNothing = true
      }
    }
    checkup.profiles = profiles
    checkup.isOnline = arguments.isOnline
    checkup.repairs = arguments.fixes
    checkup.others = { name, isOnline in
      let shared = await SharedStoreFindings(store, name, isOnline: isOnline)
      return (shared.findings, shared.isReadable)
    }
    var findings = await checkup.findings()
    // A file that cannot be read has been reported.
    findings += defaultsProblems(context).without(subjectsOfErrorsIn: findings)
    let report = HealthReport(findings: findings)
    report.print(arguments.onlyProblems, context)
    if report.hasErrors || arguments.isStrict && report.hasWarnings {
      throw Failure.silent(.verification)
    }
  }

  /// The profile of the option or the variable; `nil` for all.
  private static func chosenProfiles(_ context: Context) throws -> [ProfileName]? {
    guard context.globals.profile != nil || context.environment.profile != nil else { return nil }
    let name = try context.profileName()
    // A wrong name is a usage error, not a finding.
    _ = try context.store().bytes(of: name)
    return [name]
  }

  /// What is wrong with the defaults of options, which other commands then refuse.
  private static func defaultsProblems(_ context: Context) -> [Finding] {
    do {
      try PersonalDefaults(context.environment, in: context.store).requireUsable()
      return []
    } catch let error as SDKError {
      return [Finding(.settings, error)]
    } catch {
      return [Finding(.settings, .error, context.failure(error).message)]
    }
  }
}

/// What `doctor` prints.
private struct HealthReport {
  let findings: [Finding]

  var hasErrors: Bool { count(.error) > 0 }
  var hasWarnings: Bool { count(.warning) > 0 }

  private func count(_ severity: Finding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  static let rows = Rows<HealthReport>(
    .member("healthy", "whether there is no error") { !$0.hasErrors },
    .member("errors", "how many errors there are") { Int64($0.count(.error)) },
    .member("warnings", "how many warnings") { Int64($0.count(.warning)) },
    .member("fixed", "how many faults were mended") { Int64($0.count(.fixed)) },
    .list("findings", "what was checked", findingRows) { $0.findings })

  private static let findingRows = Rows<Finding>(
    .column(
      "status", "STATUS", "`ok`, `fixed`, `warning` or `error`",
      tone: { $0.severity == .error ? .bad : $0.severity == .warning ? .warning : .plain }
    ) { $0.severity.rawValue },
    .column("check", "CHECK", "one of the words above") { $0.check.rawValue },
    .column("profile", "PROFILE", "the profile") { $0.profile?.description },
    .column("subject", "SUBJECT", "what it is about") { $0.subject.map(LongName.init) },
    .column("message", "RESULT", "the result") { $0.text },
    .member("hint", "a command or a sentence") { $0.hint },
    .member("fixable", "whether `--fix` can mend it") { $0.repair != nil })

  func print(_ onlyProblems: Bool, _ context: Context) {
    guard !context.globals.json else { return context.print(Self.rows.json(self)) }
    let shown = findings.filter { !onlyProblems || $0.severity != .ok }.map { finding in
      var finding = finding
      if let local = finding.time.flatMap(context.localTime) { finding.text += " (\(local))" }
      return finding
    }
    if context.isTerminal {
      let counts = [(count(.error), "error"), (count(.warning), "warning")].map { count, noun in
        count.counted(noun)
      }
      context.print("\(counts.joined(separator: ", ")); \(findings.count) checks")
    }
    context.print(shown, Self.findingRows)
    // A person reads the table before the hints.
    if context.isTerminal { try? context.output.flush() }
    let problems = findings.filter { [.error, .warning].contains($0.severity) }
    for hint in problems.compactMap(\.hint).uniqued() { context.note("hint: \(hint)") }
  }
}

extension Finding {
  fileprivate var hint: String? {
    repair != nil ? "sdkctl doctor --fix" : remedy?.commandLine(for: profile)
  }
}

/// A path, whose end tells it from others.
private struct LongName: OutputValue {
  let text: String

  var json: JSON { .string(text) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    let parts = text.split(separator: "/")
    let isLong = text.hasPrefix("/") && parts.count > 3
    return .init(text, brief: isLong ? "…/" + parts.suffix(3).joined(separator: "/") : nil)
  }
}
