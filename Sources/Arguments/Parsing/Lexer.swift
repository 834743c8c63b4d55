/// A piece of a command line, independent of any command.
enum Lexeme: Hashable, Sendable {
  case short(Character)
  case long(String)
  case operand(String)
}

/// Cuts raw arguments into lexemes, as GNU getopt_long does.
///
/// The lexer does not know which options take a value: the caller asks for it with `value()`.
/// `-abc` is three switches; `-oVALUE` takes all that is left, a leading `=` included;
/// `--long=VALUE` takes what follows the first `=`; a value that is not attached is the next
/// argument, whatever it looks like. `--` ends options, `-` is an operand. Arguments that are not
/// UTF-8 are refused, by position.
struct Lexer {
  private enum State {
    case ready
    /// Within `-abc`: the scalars that were not read yet.
    case cluster(Substring.UnicodeScalarView)
    /// After `--long=`: the option, and its value, which was not read yet.
    case attached(option: String, value: String)
  }

  private let arguments: [[UInt8]]
  private var state = State.ready

  private(set) var position = 0

  /// Whether everything that follows is an operand.
  private(set) var isOperandsOnly = false

  init(_ arguments: [[UInt8]]) {
    self.arguments = arguments
  }

  /// The next lexeme, or nil at the end.
  ///
  /// An attached value that was not read is an error: the option takes no value.
  mutating func next() throws(UsageError) -> Lexeme? {
    switch state {
    case .ready: break
    case .attached(let option, _):
      state = .ready
      throw UsageError("option \(Phrase.quoted(option)) takes no value")
    case .cluster(var rest):
      if let letter = rest.popFirst() {
        state = .cluster(rest)
        return .short(Character(letter))
      }
      state = .ready
    }
    guard let text = try nextArgument() else { return nil }
    if text == "--", !isOperandsOnly {
      endOptions()
      return try next()
    }
    return lexeme(text)
  }

  /// The value of the option just read: attached, or the next argument; nil at the end.
  mutating func value() throws(UsageError) -> String? {
    if let attached = takeAttached() { return attached }
    return try nextArgument()
  }

  /// What is attached to the option just read: `=VALUE` of a long one, the rest of a cluster.
  mutating func takeAttached() -> String? {
    defer { state = .ready }
    switch state {
    case .ready: return nil
    case .attached(_, let value): return value
    case .cluster(let rest): return rest.isEmpty ? nil : String(Substring(rest))
    }
  }

  /// Whether the long option just read has `=VALUE`.
  var hasAttachedValue: Bool {
    if case .attached = state { true } else { false }
  }

  mutating func endOptions() {
    isOperandsOnly = true
  }

  /// The raw arguments that were not read yet.
  mutating func takeRemaining() -> [[UInt8]] {
    defer { position = arguments.count }
    return Array(arguments[position...])
  }

  private mutating func lexeme(_ text: String) -> Lexeme {
    let scalars = text.unicodeScalars
    guard !isOperandsOnly, scalars.first == "-", scalars.count > 1 else { return .operand(text) }
    let body = scalars.dropFirst()
    guard body.first == "-" else {
      var rest = body
      let letter = rest.removeFirst()
      state = .cluster(rest)
      return .short(Character(letter))
    }
    let long = body.dropFirst()
    if let equals = long.firstIndex(of: "=") {
      let name = String(Substring(long[..<equals]))
      let value = String(Substring(long[long.index(after: equals)...]))
      state = .attached(option: "--\(name)", value: value)
      return .long(name)
    }
    return .long(String(Substring(long)))
  }

  private mutating func nextArgument() throws(UsageError) -> String? {
    guard position < arguments.count else { return nil }
    let bytes = arguments[position]
    position += 1
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("argument \(position) is not valid UTF-8: \(Phrase.quoted(bytes))")
    }
    return text
  }
}
