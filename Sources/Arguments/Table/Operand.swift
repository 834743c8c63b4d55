/// One operand of a command: its documentation, and the argument that it sets.
package struct Operand<Arguments: Sendable>: Sendable {
  package private(set) var doc: OperandDoc
  let apply: @Sendable (inout Arguments, String) throws(ValueError) -> Void
}

/// Everything that help, manual, completion and lexing must know of an operand.
package struct OperandDoc: Sendable {
  package enum Arity: Sendable, Hashable {
    case one, optional, any, some

    /// One or more words; from the first of them on, nothing is an option of ours.
    case verbatim
  }

  package let name: String
  package let arity: Arity
  package let summary: String
  package var completion = Completion.none
  /// The long names of options that stand in its place.
  var substitutes: [String] = []
  /// Whether `-` is standard input.
  var isInput = false
  /// Whether an empty word means something; a foreign command line may have any.
  var allowsEmpty: Bool

  init(name: String, arity: Arity, summary: String) {
    self.name = name
    self.arity = arity
    self.summary = summary
    allowsEmpty = arity == .verbatim
  }

  var isRequired: Bool { arity == .one || arity == .some || arity == .verbatim }
  var isMany: Bool { arity == .any || arity == .some || arity == .verbatim }

  /// As in a synopsis: `HOST`, `[FILE]`, `[HOST...]`, `HOST...`.
  package var synopsis: String {
    let word = isMany ? "\(name)..." : name
    return isRequired ? word : "[\(word)]"
  }
}

extension Operand {
  package typealias Path<Value> = WritableKeyPath<Arguments, Value> & Sendable

  /// Exactly one.
  package static func one<Value: ArgumentValue>(
    _ name: String, _ path: any Path<Value>, _ summary: String
  ) -> Self {
    one(name, path, summary, parse: Value.reading)
  }

  /// Exactly one, read by `parse`.
  package static func one<Value: SendableMetatype>(
    _ name: String, _ path: any Path<Value>, _ summary: String,
    parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) -> Self {
    single(OperandDoc(name: name, arity: .one, summary: summary), path, parse)
  }

  /// One, which may be left out.
  package static func optional<Value: ArgumentValue>(
    _ name: String, _ path: any Path<Value>, _ summary: String
  ) -> Self {
    optional(name, path, summary, parse: Value.reading)
  }

  /// One, which may be left out, read by `parse`.
  package static func optional<Value: SendableMetatype>(
    _ name: String, _ path: any Path<Value>, _ summary: String,
    parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) -> Self {
    single(OperandDoc(name: name, arity: .optional, summary: summary), path, parse)
  }

  /// Exactly one case of an enumeration, by raw value.
  package static func choice<Value: Choice>(
    _ name: String, _ path: any Path<Value>, _ summary: String
  ) -> Self {
    one(name, path, summary, parse: Value.choosing).completing(.choices(Value.choices))
  }

  /// Any number, zero included.
  package static func any<Value: ArgumentValue>(
    _ name: String, _ path: any Path<[Value]>, _ summary: String
  ) -> Self {
    several(OperandDoc(name: name, arity: .any, summary: summary), path, Value.reading)
  }

  /// One or more.
  package static func some<Value: ArgumentValue>(
    _ name: String, _ path: any Path<[Value]>, _ summary: String
  ) -> Self {
    several(OperandDoc(name: name, arity: .some, summary: summary), path, Value.reading)
  }

  /// A foreign command line: one or more words, options and all, kept as they are.
  package static func verbatim(
    _ name: String, _ path: any Path<[String]>, _ summary: String
  ) -> Self {
    several(OperandDoc(name: name, arity: .verbatim, summary: summary), path, String.reading)
  }

  /// What shells offer for it.
  package func completing(_ completion: Completion) -> Self {
    changing { $0.completion = completion }
  }

  /// Is a file, where `-` is standard input, which only one argument may name.
  package func input() -> Self {
    changing { $0.isInput = true }
  }

  /// Takes an empty word too, which any other operand refuses.
  package func allowingEmpty() -> Self {
    changing { $0.allowsEmpty = true }
  }

  /// Not required, and not allowed, beside one of these options.
  package func replaced(by options: String...) -> Self {
    changing { $0.substitutes = options }
  }

  private func changing(_ change: (inout OperandDoc) -> Void) -> Self {
    var copy = self
    change(&copy.doc)
    return copy
  }

  private static func single<Value: SendableMetatype>(
    _ doc: OperandDoc, _ path: any Path<Value>,
    _ parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) -> Self {
    Self(doc: doc) { (arguments, text) throws(ValueError) in
      arguments[keyPath: path] = try parse(text)
    }
  }

  private static func several<Value: SendableMetatype>(
    _ doc: OperandDoc, _ path: any Path<[Value]>,
    _ parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) -> Self {
    Self(doc: doc) { (arguments, text) throws(ValueError) in
      arguments[keyPath: path].append(try parse(text))
    }
  }
}
