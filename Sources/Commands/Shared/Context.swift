import HTTP
import JSON
import POSIX
import Pinning
import Primitives
import SDKCore

/// The options of a command, and the ports to the world outside.
///
/// A command has one: those of its profiles and its renewals derive from it, so that the time, the trace and what was
/// reported are the command's.
package struct Context: Sendable {
  package private(set) var globals: Globals
  package private(set) var ports: Ports
  /// When the command must have ended; `nil` for no bound.
  private(set) var deadline: ContinuousClock.Instant?
  let unpinnedHosts = UnpinnedHosts()
  /// Whether files of other users that name a profile have been reported.
  let ignoredFiles = OnceFlag()
  /// The secret on standard input, read once.
  let inputSecret = InputSecret()
  private(set) var warnings: Warnings
  /// The file of `--trace`, or standard error for `-vv`.
  let traceFile: TraceFile?
  /// The value to print in place of JSON documents; `nil` for whole documents.
  let field: FieldSelection?

  package init(globals: Globals, ports: Ports) {
    self.globals = globals
    field = globals.field.map(FieldSelection.init)
    traceFile = globals.traceFile.map(TraceFile.init)
    var ports = ports
    if ports.environment.forbidsQuestions {
      ports.terminal = ports.terminal.withoutQuestions
    } else if let program = ports.environment["SDKCTL_ASKPASS"], !program.isEmpty {
      ports.terminal = ports.terminal.asking(by: program, ports.environment.forHelpers)
    }
    ports.terminal = ports.terminal.prompting(after: ports.output)
    if ports.terminal.isTerminal(.output), ports.terminal.isTerminal(.errors) {
      ports.errors = ports.errors.ending(linesOf: ports.output)
    }
    self.ports = ports
    deadline = globals.deadline
    warnings = Warnings(globals, ports)
  }

  /// The same command with other options or ports.
  func deriving(_ change: (inout Globals, inout Ports) -> Void) -> Context {
    var context = self
    change(&context.globals, &context.ports)
    context.warnings = Warnings(context.globals, context.ports)
    return context
  }

  /// The same command with another profile chosen, if one is named.
  func with(profile name: String?) -> Context {
    guard let name else { return self }
    return deriving { globals, _ in globals.profile = name }
  }

  /// The same command at the start of another renewal, each of which may take the time of `--timeout`.
  func renewing() -> Context {
    var context = self
    context.deadline = globals.deadline
    return context
  }

  /// The time that the command still has; `nil` for no bound.
  var remaining: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  var environment: Environment { ports.environment }
  var input: Input { ports.input }
  var output: Output { ports.output }
  var errors: Output { ports.errors }
  var terminal: TerminalPort { ports.terminal }
  var network: Network { ports.network }

  func now() -> Timestamp { ports.now() }

  /// Finds the local time of an instant, which is shown behind it if a person reads the data.
  var localTime: @Sendable (Timestamp) -> String? {
    guard isTerminal else { return { _ in nil } }
    return ports.localTime
  }

  /// Writes a line of data, and never more than one, whatever is in it.
  func print(_ line: String) { output.write(Visible.line(line) + "\n") }

  /// Writes a line that begins with a label, below which the rest of a long line stands.
  func print(_ line: String, label: Int) {
    let width = isTerminal ? terminal.width().map { max(20, $0 - 1 - label) } : nil
    let lines = Visible.lines(String(line.dropFirst(label)), width: width)
    print(String(line.prefix(label)) + lines[0])
    for rest in lines.dropFirst() { print(String(repeating: " ", count: label) + rest) }
  }

  /// Writes a row of fields, separated by tabs that no field can have.
  func print(fields: [String]) {
    output.write(fields.map(Visible.line).joined(separator: "\t") + "\n")
  }

  /// Writes a document for another program: as it is, but not onto a terminal.
  func write(document: String) {
    output.write(isTerminal ? Visible.text(document) : document)
  }

  /// Writes a JSON document, or the one value of it that `--field` names.
  ///
  /// Without a layout, it is laid out for a person on a terminal, else on one line. The writer of documents has escaped
  /// whatever acts on a terminal. `fallback` makes a document in which `--field` also looks.
  func print(
    _ document: JSON, _ layout: JSON.Layout? = nil, fallback: () -> JSON? = { nil }
  ) {
    guard let field else {
      let layout = layout ?? (isTerminal ? .pretty : .compact)
      return output.write(document.serialized(layout) + "\n")
    }
    let lines = field.lines(of: document, fallback: fallback).map { Visible.text($0) + "\n" }
    output.write(field.released(lines.joined()))
  }

  /// Tells a person something that is not data.
  func note(_ text: String) {
    if !globals.quiet { warn(text) }
  }

  /// Tells a person something that `--quiet` does not silence.
  func warn(_ text: String) {
    for line in Visible.lines(text, width: noteWidth) { errors.write("sdkctl: \(line)\n") }
  }

  /// The columns of a line on standard error, behind its mark; `nil` if nobody reads it, or that is not known.
  var noteWidth: Int? {
    guard terminal.isTerminal(.errors) else { return nil }
    return terminal.width().map { max(20, $0 - 1 - "sdkctl: ".count) }
  }

  /// Warns a person of something: with `--json`, the program that reads standard error.
  func warning(_ text: String, details: [String] = [], hint: String? = nil) {
    warnings.write(text, details: details, hint: hint)
  }

  /// Shows a URL alone on its line, so that a person can copy it.
  func warn(url: HTTPURL) { warn(url: url.description) }

  /// The same, for a URL whose secrets have been redacted.
  func warn(url text: String) { errors.write("\(Visible.line(text))\n") }

  /// Whether a person reads the data.
  var isTerminal: Bool { terminal.isTerminal(.output) }

  /// Whether a user can answer questions: never assumed for a pipe.
  var isInteractive: Bool { terminal.isTerminal(.input) && terminal.isTerminal(.errors) }

  func store() throws -> ProfileStore { try ports.store(storeOptions) }

  /// Opens the profile of ``profileName()``; the closure changes the options of the session.
  func session(
    _ change: (inout SessionOptions) -> Void = { _ in }
  ) throws -> ProfileSession {
    let name = try profileName()
    let store = try store()
    let injected = try EnvironmentToken.find(environment)
    var options = try self.options()
    options.userID = try userID()
    options.injectedTokenName = injected?.variable
    options.pinReport = pinReport
    options.clockReport = clockReport
    options.noticeReport = noticeReport
    options.identityService = ports.identityService
    options.sealPasscode = sealPasscode(named: globals.passcodeFile)
    try askForIdentities(&options)
    change(&options)
    ports.configure(&options)
    let changed = options
    return try ProfileSession(
      name, in: store, injectedToken: injected?.token, options: changed, now: ports.now,
      pause: ports.pause, network: network)
  }

  /// The user who was chosen by the option or the variable; `nil` for the current one of the profile.
  func userID() throws -> UserID? {
    if let id = globals.userID { return id }
    return try environment["SDKCTL_USER_ID"].flatMap { $0.isEmpty ? nil : try UserID($0) }
  }

  /// What the policy lets pass is reported too.
  var pinReport: @Sendable (PinFailure) -> Void {
    { failure in
      if failure.isEnforced { return }
      unpinnedHosts.note(failure.host)
      var lines: [String] = []
      if case .mismatch(let mismatch, _) = failure.verdict { lines = mismatch.lines }
      warning(
        "no key in the chain of \(failure.host) is pinned; the profile lets it pass",
        details: lines)
    }
  }

  /// A clock that is wrong explains refusals that nothing else explains.
  private var clockReport: @Sendable (Int64) -> Void {
    { behind in
      warning(
        "this machine's clock is \(behind.magnitude) seconds "
          + "\(behind > 0 ? "behind" : "ahead of") the authorization server's")
    }
  }

  /// A command that limits a login reports it.
  private var noticeReport: @Sendable (SessionNotice) -> Void {
    { notice in
      switch notice {
      case .endedClient, .unpinned: note(notice.text)
      default: warning(notice.text)
      }
    }
  }

  var trace: (@Sendable (String) -> Void)? {
    guard globals.verbosity > 0 else { return nil }
    let errors = errors
    return { errors.write("sdkctl: \(Visible.line($0))\n") }
  }
}

extension Environment {
  var profile: String? {
    self["SDKCTL_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  var caDirectory: String? {
    self["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The file of curl's variable; without it, that of OpenSSL's.
  var caFile: String? {
    [self["CURL_CA_BUNDLE"], self["SSL_CERT_FILE"]].compactMap { $0 }.first { !$0.isEmpty }
  }
}
