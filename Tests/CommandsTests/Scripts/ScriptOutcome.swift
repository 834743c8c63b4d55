import CoreTestSupport

@testable import Commands

/// What came out of a run, as the lines of a script.
enum ScriptOutcome {
  /// How much of what a program remembers was shown before.
  struct Seen {
    var requests = 0
    var prompts = 0
    var pages = 0
    var checks = 0
  }

  /// Questions, pages in the browser, requests, standard output, standard error and the status.
  static func lines(of run: ProgramRun, _ program: TestProgram, _ seen: inout Seen) -> [String] {
    let sent = program.transport.sent
    let (prompts, pages) = (program.terminal.prompts, program.browser.opened)
    let checks = program.verifiedPlaces
    var lines = prompts.dropFirst(seen.prompts).flatMap { ScriptText.lines("?", $0 + "\n") }
    lines += checks.dropFirst(seen.checks).map { "@ check \($0)" }
    lines += pages.dropFirst(seen.pages).map { "@ browse \($0)" }
    lines += sent.dropFirst(seen.requests).flatMap(Self.lines)
    if let replacement = program.replacement { lines += Self.lines(of: replacement) }
    lines += ScriptText.lines("|", run.output) + ScriptText.lines("!", run.errors)
    if run.status != .status(.success) { lines.append("= \(text(of: run.status))") }
    seen = Seen(
      requests: sent.count, prompts: prompts.count, pages: pages.count, checks: checks.count)
    return lines.map { named($0, program) }
  }

  /// A line with names for what differs between machines.
  private static func named(_ line: String, _ program: TestProgram) -> String {
    let names: [(path: String?, name: String)] = [
      (program.folder.path, "$DIR"), (Paths.executable, "$PROGRAM"), (Repository.path, "$ROOT"),
    ]
    return names.reduce(line) { line, place in
      place.path.map { line.replacing($0, with: place.name) } ?? line
    }
  }

  /// A file below the directory of the script.
  static func lines(ofFile name: String, _ program: TestProgram) throws -> [String] {
    let path = name.hasPrefix("/") ? String(name.dropFirst(program.folder.path.count + 1)) : name
    guard program.folder.exists(path) else { return ["= no such file"] }
    return ScriptText.lines("|", try program.folder.text(of: path)).map { named($0, program) }
  }

  /// The names and modes of the files of a directory.
  static func lines(ofDirectory name: String, _ program: TestProgram) throws -> [String] {
    let files = try program.folder.files().keys.filter {
      name == "." || $0 == name || $0.hasPrefix(name + "/")
    }.filter { !$0.hasPrefix("streams/") }
    return try files.sorted().map { file in
      "| 0\(String(try program.folder.mode(of: file), radix: 8)) \(file)"
    }
  }

  private static func lines(of sent: FakeTransport.Sent) -> [String] {
    // What each request of the program's own has.
    let usual = ["Accept": "application/json", "Accept-Encoding": "identity"]
    let isUsual = usual.allSatisfy { sent.fields.values(of: $0.key) == [$0.value] }
    var lines = ["> \(sent.line)" + (isUsual ? " (json)" : "")]
    lines += sent.fields.filter { !isUsual || usual[$0.name] == nil }.map {
      "> \($0.name): \(ScriptText.visible($0.value))"
    }
    if sent.certificate != nil { lines.append("> (with a client certificate)") }
    return lines + ScriptText.lines("> :", sent.body).filter { $0 != "\\" }
  }

  private static func lines(of replacement: Replacement) -> [String] {
    ["@ exec \(([replacement.program] + replacement.arguments).joined(separator: " "))"]
      + replacement.environment.names.map {
        "@ \($0)=\(ScriptText.visible(replacement.environment[$0] ?? ""))"
      }
  }

  private static func text(of status: Ending.Status) -> String {
    switch status {
    case .status(let code): "\(code.rawValue)"
    default: "\(status)"
    }
  }
}
