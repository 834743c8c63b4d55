import CoreTestSupport

@testable import Commands
@testable import HTTP
@testable import SDKCore

/// The program of one script, and what the script has said of its surroundings.
final class ScriptPlayer {
  private var made: TestProgram?
  private var input: String?
  private var answers: [String: [FakeTransport.Response]] = [:]
  private var seen = ScriptOutcome.Seen()

  /// A line with the directory of the script in place of `$DIR`.
  func expanded(_ line: String) -> String {
    let line = ScriptText.hidden(line)
    guard line.contains("$DIR"), let path = try? program().folder.path else { return line }
    return line.replacing("$DIR", with: path)
  }

  /// The text of the lines of a block.
  func text(of block: [String]) -> String { expanded(ScriptText.text(of: block)) }

  private func program() throws -> TestProgram {
    if let made { return made }
    let program = try TestProgram([:])
    made = program
    return program
  }

  // MARK: Runs

  /// Runs a command line; returns the lines of all that came out of it.
  func run(_ words: [String]) async throws -> [String] {
    let program = try program()
    for (url, responses) in answers { program.transport.respond(url, responses) }
    answers = [:]
    defer { input = nil }
    switch words.first {
    case "sdkctl":
      let redirection = words.lastIndex(of: ">")
      var run = try await program.run(Array(words[1..<(redirection ?? words.count)]), input: input)
      if let redirection {
        try program.folder.write(run.output, to: words[redirection + 1], mode: 0o600)
        run.output = ""
      }
      return ScriptOutcome.lines(of: run, program, &seen)
    case "cat": return try ScriptOutcome.lines(ofFile: words[1], program)
    case "ls": return try ScriptOutcome.lines(ofDirectory: words[1], program)
    default: throw WordError(word: words.first ?? "")
    }
  }

  /// A word that no script may have there.
  struct WordError: Error, CustomStringConvertible {
    let word: String
    var description: String { "unknown word '\(word)'" }
  }

  // MARK: States

  /// Does what a line before the command lines says.
  func prepare(_ verb: String, _ words: [String], _ block: String) async throws {
    switch (verb, words.first) {
    case ("no", "profile"): made = try TestProgram()
    case ("profile", _):
      made = try TestProgram(Dictionary(uniqueKeysWithValues: try Self.settings(words)))
    case ("logged-in", _): made = try await loggedIn(words)
    default: try await change(try program(), verb, words, block)
    }
  }

  private func change(
    _ program: TestProgram, _ verb: String, _ words: [String], _ block: String
  ) async throws {
    let word = words.first ?? ""
    switch verb {
    case "client":
      try await program.register(
        isConfidential: word != "public",
        JSONObject(try Self.settings(word == "public" ? Array(words.dropFirst()) : words)))
    case "token": try await store(words, in: program)
    case "metadata":
      answers[FakeServer.metadataURL] = [
        .json(FakeServer.metadata(with: block.replacing("\n", with: "")))
      ]
    case "answer": answers[word, default: []].append(try Self.response(words, block))
    case "file":
      let mode = words.count > 1 ? Int(words[1], radix: 8) : 0o600
      try program.folder.write(block, to: word, mode: mode ?? 0o600)
    case "bytes":
      let bytes = try Base64.decode(Array((words.last ?? "").utf8)).required(word)
      try program.folder.write(bytes, to: word)
    case "remove": try program.folder.remove(word)
    case "variable": program.setVariable(word, words.count > 1 ? words[1] : nil)
    case "terminal": program.terminal.connect(Set(words.compactMap(Self.stream)))
    case "width": program.terminal.setWidth(Int(word) ?? 80)
    case "type": program.terminal.type(word)
    case "input": input = block
    case "time": program.now = try Timestamp(word).required(word)
    case "directory": program.directory = program.folder.file(word)
    case "trust": for host in words { program.show(.success(.trusted(host)), at: "\(host):443") }
    case "chain": try show(words, in: program)
    case "addresses": program.resolve(word, to: Array(words.dropFirst()))
    case "fido-server": try await serve(program, hasKey: word == "registered")
    case "enrolment":
      let enrolment = FakeEnrolment(commonName: "new", lifetime: 30 * 86_400) { identity in
        if word == "refuses" { throw WordError(word: word) }
        return identity
      }
      program.enrol(at: enrolment)
    case "no" where word == "browser": program.browser.remove()
    case "no" where word == "network": program.removeNetwork()
    default: throw WordError(word: verb)
    }
  }

  /// What a server shows in handshakes: `PLACE KIND`, or `PLACE fails CODE MESSAGE`.
  private func show(_ words: [String], in program: TestProgram) throws {
    let (options, words) = Self.options(words)
    guard words.count > 1 else { throw WordError(word: words.first ?? "") }
    let place = words[0].contains(":") ? words[0] : "\(words[0]):443"
    let host = String(words[0].prefix { $0 != ":" })
    if words.count == 4, words[1] == "fails" {
      let code = TransportError.Code(description: words[2])
      return program.show(.failure(TransportError(code, words[3])), at: place)
    }
    var chain: PresentedChain
    switch words[1] {
    case "trusted": chain = .trusted(host, leaf: options["leaf"])
    case "untrusted": chain = .untrusted(host)
    case "incomplete": chain = .incomplete(host, published: options["issuer"])
    case "of-another-host": chain = .ofAnotherHost(host)
    case "hashed": chain = TestChain.hashed
    case "with-stranger": chain = .withStranger
    default: throw WordError(word: words[1])
    }
    if let state = options["status"] {
      chain.revocation = StapledStatus(
        try StapledStatus.State(rawValue: state).required(state), updated: TestProgram.now,
        next: TestProgram.now + 60, revoked: 0, reason: "keyCompromise")
    }
    program.show(.success(chain), at: place)
  }

  private func loggedIn(_ words: [String]) async throws -> TestProgram {
    let (options, settings) = Self.options(words)
    return try await TestProgram.loggedIn(
      Dictionary(uniqueKeysWithValues: try Self.settings(settings)),
      lifetime: Self.number(options["lifetime"], 3600),
      refreshToken: Self.text(options["refresh"], "refresh-1"))
  }

  /// A FIDO server, which has a key with the passcode 271828 if `hasKey`.
  private func serve(_ program: TestProgram, hasKey: Bool) async throws {
    _ = FakeFIDOServer(program.transport)
    guard hasKey else { return }
    let words = ["fido", "register", "--passcode-file", "-"]
    let run = try await program.run(words, input: "271828\n")
    _ = ScriptOutcome.lines(of: run, program, &seen)
  }

  private func store(_ words: [String], in program: TestProgram) async throws {
    let (options, rest) = Self.options(Array(words.dropFirst(2)))
    guard words.count >= 2, rest.isEmpty, let slot = CredentialSlot(rawValue: words[0]) else {
      throw WordError(word: words.first ?? "")
    }
    try await program.store(
      words[1], lifetime: Self.number(options["lifetime"], 3600),
      refreshToken: Self.text(options["refresh"], "refresh-1"),
      scope: Self.text(options["scope"], "a b"), type: options["type"] ?? "Bearer",
      idToken: options["id-token"], in: slot)
  }

  // MARK: Words

  /// The words `--name=value` by their names, and the others.
  private static func options(_ words: [String]) -> ([String: String], [String]) {
    var options: [String: String] = [:]
    for word in words where word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      options[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    return (options, words.filter { !$0.hasPrefix("--") })
  }

  /// `none` is an absent value.
  private static func text(_ word: String?, _ standard: String) -> String? {
    word == "none" ? nil : word ?? standard
  }

  private static func number(_ word: String?, _ standard: Int64) -> Int64? {
    word == "none" ? nil : word.flatMap { Int64($0) } ?? standard
  }

  /// `name=text` and `name:=JSON`.
  private static func settings(_ words: [String]) throws -> [(String, JSON)] {
    try words.map { word in
      guard let index = word.firstIndex(of: "=") else { throw WordError(word: word) }
      let value = String(word[word.index(after: index)...])
      let isJSON = word[..<index].hasSuffix(":")
      let name = String(isJSON ? word[..<index].dropLast() : word[..<index])
      return (name, isJSON ? try JSON(parsing: value) : .string(value))
    }
  }

  private static func stream(_ word: String) -> StandardStream? {
    switch word {
    case "input": .input
    case "output": .output
    case "errors": .errors
    default: nil
    }
  }

  /// `STATUS` with fields, an empty line and a body, or a JSON document alone; or `fails CODE MESSAGE`.
  private static func response(
    _ words: [String], _ block: String
  ) throws -> FakeTransport.Response {
    if words.count == 4, words[1] == "fails" {
      return .failure(TransportError.Code(description: words[2]), words[3])
    }
    let status = try (words.count > 1 ? Int(words[1]) : 200).required(words.last ?? "")
    // A block ends with a line; a body does not.
    let text = block.hasSuffix("\n") ? String(block.dropLast()) : block
    if text.hasPrefix("{") || text.hasPrefix("[") { return .json(text, status: status) }
    var fields: HTTPFields = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst(), !line.isEmpty {
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      fields.append(try HTTPField(parts[0], parts.count > 1 ? parts[1] : ""))
    }
    return FakeTransport.Response(
      status: status, fields: fields, body: lines.joined(separator: "\n"))
  }
}

extension Optional {
  /// The value, or an error that names the word.
  fileprivate func required(_ word: String) throws -> Wrapped {
    guard let self else { throw ScriptPlayer.WordError(word: word) }
    return self
  }
}
