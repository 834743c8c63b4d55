import Arguments
import JSON
import POSIX
import PinFormats
import Pinning
import Primitives
import SDKCore

enum PinCheck: Command {
  static let page = CommandInfo(
    name: "check", summary: "Check whether servers still use the pinned keys",
    description: """
      Connects to each host and compares the keys of its validated certificate chain with the \
      pins: `sdkctl pin check` checks all pinned hosts, or the hosts of the profile if none is \
      pinned. It sends no request.

      In a list (`@FILE`, see {pins}) a host can be followed by pins, which are then used instead of \
      those of the profile.

      The status of a host is one of these:

      * `OK`: a pinned key is in the chain.
      * `WILL-EXPIRE`: as `OK`, but the certificate of the pinned key or the pins end within \
      `--within`.
      * `BACKUP-ONLY`: only a backup key is in the chain: the keys were rotated, and there is no \
      backup any more.
      * `DRIFT`: a pinned key is in the chain, but the leaf, intermediate or root key that was \
      pinned as well is not.
      * `MISMATCH`: no pinned key is in the chain; requests are refused.
      * `EXPIRED`, `UNPINNED`: the pins have expired, or there are none; requests are refused.
      * `REVOKED`: with `--revocation`, the issuer has revoked the certificate.
      * `NO-STATUS`: with `--require-status`, the server staples no OCSP response that says that the \
      certificate is good.
      * `UNTRUSTED`: the chain or the host name does not validate.
      * `UNREACHABLE`: there was no handshake.

      The exit status is 8 if a host has `MISMATCH`, `EXPIRED` or `UNPINNED`; else 11 if a host \
      has `WILL-EXPIRE`, `BACKUP-ONLY`, `DRIFT`, `REVOKED`, `NO-STATUS` or `UNTRUSTED`; else 2 if a line \
      of the list cannot be read (`INVALID`); else 6 if a host has `UNREACHABLE`. If there is no host to \
      check, it is 2. `NOT-CHECKED` are patterns of which no host is known, and proxies.

      With `--all-addresses` each address of a host, at most 64, has a row of its own: servers behind one \
      name may have different certificates.
      """,
    examples: [
      ("sdkctl pin check", "Check all pinned hosts, for example from cron"),
      ("sdkctl pin check --within 14d --junit pins.xml", "Check in CI, with a report"),
      ("sdkctl pin check --all-addresses api.example.com", "Check each server behind a name"),
      ("sdkctl pin check @hosts.txt", "Check the hosts of a list"),
      ("sdkctl pin check --against Info.plist", "Check servers against the pins of an app"),
      (
        "sdkctl pin check --prometheus /var/lib/node_exporter/pins.prom",
        "Write metrics for a collector"
      ),
    ],
    exitCodes: [11], seeAlso: ["pin lint", "pin plan", "pins"],
    output: PinCheckRow.rows.list, needs: .network)

  struct Arguments: CommandArguments {
    var hosts: [String] = []
    var within = TimeSpan.days(30)
    var parallel = 50
    var allAddresses = false
    var junit: String?
    var prometheus: String?
    var onlyProblems = false
    var revocation = false
    var requiresStatus = false
    var against: String?
    var connection = ConnectionArguments()

    var rule: RevocationRule { requiresStatus ? .required : revocation ? .soft : .ignored }
  }

  private static let reportOptions: [Option<Arguments>] = [
    .value("junit", "FILE", \.junit, "Write a JUnit XML report; - is standard output")
      .completing(.file),
    .value("prometheus", "FILE", \.prometheus, "Write metrics for Prometheus; - is standard output")
      .completing(.file)
      .more(
        """
        In the text format, for the textfile collector of the node exporter: `sdkctl_pin_ok`, and the \
        times at which certificates and pins end.
        """),
  ]

  static let options: [Option<Arguments>] =
    [
      .value("within", "SPAN", \.within, "Report what ends within this time: 30d, 2w")
        .more("The default is 30d."),
      .value(
        "parallel", "NUMBER", \.parallel, "Check at most this many hosts at once (50)",
        parse: Int.within(1...500)
      )
      .more("The default is 50, the maximum 500."),
      .flag("revocation", \.revocation, "Report revoked certificates")
        .more(
          """
          As servers prove it by OCSP responses that they staple; one that sends none is not reported. No other \
          server is asked, and lists of revoked certificates (CRL) are not read.
          """),
      .flag("require-status", \.requiresStatus, "Report certificates not known to be good")
        .needs("revocation"),
      .flag("problems", \.onlyProblems, "Print only what is not OK, and a summary"),
      .value("against", "FILE", \.against, "Compare with the pins of a document, not the profile's")
        .completing(.file).input()
        .more(
          "The document of an app in a format of {pin import} that names hosts; nothing is imported."
        ),
    ]
    + .group("Reports", reportOptions)
    + .group(
      .connection,
      [
        .flag("all-addresses", \.allAddresses, "Check each address of each host")
      ] + ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .any("HOST", \.hosts, "A host, HOST:PORT, a URL or @FILE")
      .completing(.dynamic("pinned-hosts")).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try ReportFile.requireOneOutput(
      ["junit": arguments.junit, "prometheus": arguments.prometheus], context)
    let session = try context.session { arguments.connection.apply(to: &$0) }
    let document = try arguments.against.map {
      PinSets(try PinFile($0).read(context).sets)
    }
    let targets = try PinTargets(
      arguments.hosts, session, context, pins: document)
    let junit = try arguments.junit.map { try ReportFile($0) }
    let metrics = try arguments.prometheus.map { try ReportFile($0) }
    let end = context.now() + arguments.within
    let start = ContinuousClock.now
    let endpoints =
      arguments.allAddresses
      ? await session.pinning.addressed(targets.endpoints, parallel: arguments.parallel)
      : targets.endpoints
    let findings = await session.pinning.check(
      endpoints, with: targets.pins, until: end, revocation: arguments.rule,
      parallel: arguments.parallel)
    // No host is to blame for settings that cannot be used.
    if let error = findings.lazy.compactMap(\.error).first(where: {
      $0.code == .invalidConfiguration
    }) {
      throw error
    }
    await remember(findings, of: session, in: context)
    let report = PinReportTable(
      findings: findings, unchecked: targets.unchecked, context: context)
    if let junit {
      let suite = JUnitSuite(
        name: session.profile.name.description, time: context.now(),
        duration: start.duration(to: .now), findings: findings, unchecked: targets.unchecked)
      try junit.write(suite.text, in: context)
    }
    if let metrics {
      let families = findings.metrics(of: session.profile.name.description, at: context.now())
      try metrics.write(families.map(\.text).joined(), in: context)
    }
    if junit?.isOutput != true, metrics?.isOutput != true {
      report.print(onlyProblems: arguments.onlyProblems)
    }
    let changed = findings.filter { $0.status == .mismatch }.map(\.endpoint.name)
    if !changed.isEmpty, document == nil, !context.globals.json {
      context.note(
        "if the new key is right: "
          + "`\(ShellWord.sdkctl(of: session.profile.name, "pin", "update", changed[0]))`")
    }
    let exits = findings.map(\.status.exit) + targets.unchecked.map(\.status.exit)
    if let exit = exits.worst { throw Failure.silent(exit) }
  }
}

/// Adds what a check saw to the history; a failure to write it does not fail the check.
func remember(
  _ findings: [PinFinding], of session: ProfileSession, in context: Context
) async {
  do throws(SDKError) {
    try await session.pinning.record(findings)
  } catch {
    context.warning("could not keep the history of keys: \(error.message)")
  }
}

extension [PinFinding] {
  /// The exit status that the worst of them calls for; `nil` if all are well.
  var exit: ExitCode? { map(\.status.exit).worst }
}

extension [ExitCode] {
  /// The first in the order of the help; `nil` if all hosts are well.
  fileprivate var worst: ExitCode? {
    [.pin, .verification, .usage, .network].first(where: contains)
  }
}

extension PinTargets.Unchecked.Status {
  fileprivate var exit: ExitCode { self == .invalid ? .usage : .success }
}

extension PinFinding.Status {
  var exit: ExitCode {
    switch self {
    case .ok: .success
    case .mismatch, .expired, .unpinned: .pin
    case .willExpire, .backupOnly, .drift, .untrusted, .revoked, .noStatus: .verification
    case .unreachable: .network
    }
  }
}
