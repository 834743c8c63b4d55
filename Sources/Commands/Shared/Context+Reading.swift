import Arguments
import POSIX
import Primitives
import SDKCore
import Synchronization

/// What a command line names: files, standard input (`-`), and secrets.
///
/// Some are not inlined: the optimiser of Swift 6.3.1 crashes if they are part of an asynchronous function.
extension Context {
  /// The content of a file, or of standard input for `-`, without a byte order mark; `what` is for errors.
  func read(_ operand: String, _ what: String, limit: Int = 1 << 20) throws -> [UInt8] {
    try input.read(operand, what, limit: limit)
  }

  /// The content of a file, or of standard input, that may hold a private key.
  ///
  /// Whoever finds one calls ``requireProtection(of:)``.
  func readKeys(_ operand: String, _ what: String) throws -> SecretFile {
    guard operand != "-" else { return SecretFile(try read(operand, "the \(what)")) }
    return try SecretFile(operand, what, limit: 1 << 20)
  }

  /// Refuses a file with a private key that others can change or read.
  @inline(never)
  func requireProtection(of file: SecretFile) throws {
    try reading(orInput: "-") { () throws(SDKError) in try file.requireProtection() }
  }

  /// A secret of one line from a file or standard input, never from the command line; `nil` if none is given.
  ///
  /// Its option is called as the secret is, with `-file`, if no name is given.
  @inline(never)
  func secret(
    _ what: String, option: String? = nil, file: String?
  ) throws -> String? {
    guard let file else { return nil }
    let place = "--\(option ?? Self.option(what))-file -"
    return try SecretFile.line(in: try secretBytes(what, orInput: place, file: file), what)
  }

  /// The bytes of a secret: of a file, or of standard input for `-`; `place` names the latter.
  @inline(never)
  func secretBytes(_ what: String, orInput place: String, file: String) throws -> [UInt8] {
    guard file != "-" else {
      return try inputSecret.read { try input.read("-", "the \(what)", limit: 1 << 16) }
    }
    return try reading(orInput: place) { () throws(SDKError) in
      try SecretFile.bytes(of: file, what)
    }
  }

  /// A new secret from a file, from standard input, or typed twice.
  func newSecret(
    _ what: String, option: String? = nil, file: String?
  ) async throws -> String {
    if let given = try secret(what, option: option, file: file) {
      return given
    }
    let name = "--\(option ?? Self.option(what))-file"
    let first = try await typedSecret(
      "New \(what): ", what, withoutTerminal: .invalidRequest, options: [name])
    guard first == (try await typedSecret("The same again: ", what)) else {
      throw Failure(.declined, "could not set the \(what): the two differ")
    }
    return first
  }

  /// A secret that exists, from a file, from standard input, or typed.
  @inline(never)
  func oldSecret(_ what: String, of owner: String, file: String?) async throws -> String {
    if let given = try secret(what, file: file) { return given }
    return try await typedSecret(
      "\(what.prefix(1).uppercased())\(what.dropFirst()) of \(owner): ", what)
  }

  /// A secret of one line that a person types.
  func typedSecret(_ prompt: String, _ what: String) async throws -> String {
    try await typedSecret(
      prompt, what, withoutTerminal: .invalidRequest, options: ["--\(Self.option(what))-file"])
  }

  /// The same for a session: `question` is what is asked for, if that is more than the secret; `code` that of the error
  /// if there is no terminal, which names the options or settings that replace the question.
  // Inlined into a caller, it crashes the compiler (6.3) when that coroutine is split.
  @inline(never)
  func typedSecret(
    _ prompt: String, _ what: String, question: String? = nil,
    withoutTerminal code: SDKError.Code, options: [String] = []
  ) async throws(SDKError) -> String {
    let bytes: [UInt8]
    do throws(TerminalError) {
      bytes = try await terminal.readSecret(prompt)
    } catch {
      throw error.error(
        "could not ask for \(question ?? "the \(what)")", withoutTerminal: code, options: options)
    }
    guard !bytes.isEmpty else {
      throw SDKError(.denied, "could not use the \(what): it is empty")
    }
    return try SecretFile.line(in: bytes, what)
  }

  /// Runs a reader of secrets; a file that is exposed can be given on standard input in its place.
  private func reading<Value>(
    orInput place: String, _ body: () throws(SDKError) -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      var failure = Failure(error)
      if error.code == .storePermissions {
        let start = failure.hints.isEmpty ? "" : "or "
        failure.hints.append("\(start)give it on standard input: \(place)")
      }
      throw failure
    }
  }

  /// The failure of a command that could read standard input, which is a pipe or a file and not named: a person means
  /// what is in it, and a script must not lose it.
  func unnamedInput(_ open: OpenInput) -> Failure {
    let line = ShellWord.line(["sdkctl"] + ports.arguments)
    return .usage(
      "could not choose the input: standard input is a pipe or a file, but '\(open.word)' is missing",
      hints: [
        "\(line) \(open.word)", "\(line) \(open.substitute.map { "--\($0)" } ?? "</dev/null")",
      ])
  }

  private static func option(_ what: String) -> String {
    String(what.asciiLowercased.map { $0 == " " ? "-" : $0 })
  }
}

/// What standard input had if an option names it for a secret: several sessions of a run may need it.
final class InputSecret: Sendable {
  private let bytes = Mutex<[UInt8]?>(nil)

  /// What has been read, or what the body reads.
  func read<Failure>(_ body: () throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
    try bytes.withLock { bytes throws(Failure) in
      if let bytes { return bytes }
      let content = try body()
      bytes = content
      return content
    }
  }
}

extension Input {
  /// The content of a file, or of this input for `-`, without a byte order mark.
  func read(_ operand: String, _ what: String, limit: Int) throws -> [UInt8] {
    do throws(SystemError) {
      return try readOperand(operand, limit: limit).withoutByteOrderMark
    } catch {
      throw Failure.unreadable(what, error)
    }
  }
}

extension [UInt8] {
  /// The text without a byte order mark, which some servers and editors write (RFC 8259 section 8.1).
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}
