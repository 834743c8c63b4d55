// Options with a value. No secret is one: command lines are visible to every process.
extension Option {
  /// A value of a type that reads itself: text, a number, a duration, or an optional of these.
  package static func value<Value: ArgumentValue>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<Value>,
    _ summary: String
  ) -> Self {
    value(long, short: short, name, path, summary, parse: Value.reading)
  }

  /// A value that `parse` reads; its error is the reason: "not a date".
  package static func value<Value: SendableMetatype>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<Value>,
    _ summary: String, parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) -> Self {
    let doc = valued(long, short: short, name, summary, .once)
    return Self(doc) { (arguments, setting) throws(ValueError) in
      arguments[keyPath: path] = try parse(setting.text)
    }
  }

  /// A value that `reading` makes, or not: `reading: Pin.init, expected: "a pin"`.
  package static func value<Value: SendableMetatype>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<Value?>,
    _ summary: String, reading: @escaping @Sendable (String) -> Value?, expected: String
  ) -> Self {
    value(long, short: short, name, path, summary) { (text) throws(ValueError) in
      guard let value = reading(text) else { throw ValueError("expected \(expected)") }
      return value
    }
  }

  /// One of the cases of an enumeration, by raw value.
  package static func choice<Value: Choice>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<Value>,
    _ summary: String
  ) -> Self {
    value(long, short: short, name, path, summary, parse: Value.choosing)
      .completing(.choices(Value.choices))
  }

  /// One of the cases of an enumeration, by raw value, or nil.
  package static func choice<Value: Choice>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<Value?>,
    _ summary: String
  ) -> Self {
    value(long, short: short, name, path, summary) { (text) throws(ValueError) in
      try Value.choosing(text)
    }
    .completing(.choices(Value.choices))
  }

  /// A value that may be given many times; all are kept, in order.
  package static func list<Value: ArgumentValue>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<[Value]>,
    _ summary: String
  ) -> Self {
    list(long, short: short, name, path, summary, parse: Value.reading)
  }

  /// A value that may be given many times, read by `parse`.
  package static func list<Value: SendableMetatype>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<[Value]>,
    _ summary: String, parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) -> Self {
    let doc = valued(long, short: short, name, summary, .append)
    return Self(doc) { (arguments, setting) throws(ValueError) in
      arguments[keyPath: path].append(try parse(setting.text))
    }
  }

  /// Cases of an enumeration, by raw value; may be given many times.
  package static func choices<Value: Choice>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<[Value]>,
    _ summary: String
  ) -> Self {
    list(long, short: short, name, path, summary, parse: Value.choosing)
      .completing(.choices(Value.choices))
  }

  /// The option `--NAME-file` of a secret; the summary says what it is: `the password`.
  package static func secret(
    _ name: String, _ path: any Path<String?>, _ what: String
  ) -> Self {
    value("\(name)-file", "FILE", path, "Read \(what) from a file (- is stdin)")
      .completing(.file).input()
  }

  private static func valued(
    _ long: String, short: Character? = nil, _ name: String, _ summary: String,
    _ repetition: Repetition
  ) -> OptionDoc {
    var doc = OptionDoc(long: long, short: short, valueName: name, summary: summary)
    doc.repetition = repetition
    return doc
  }
}

extension Setting {
  /// The value; empty for a switch, which the parser never passes here.
  fileprivate var text: String {
    guard case .text(let text) = self else { return "" }
    return text
  }
}

/// An enumeration whose raw values are what a person types.
package typealias Choice = CaseIterable & RawRepresentable<String> & SendableMetatype

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  package static var choices: [String] { allCases.map(\.rawValue) }

  /// The case of a raw value.
  package static func choosing(_ text: String) throws(ValueError) -> Self {
    guard let value = Self(rawValue: text) else {
      throw ValueError("expected \(Phrase.alternatives(choices))")
    }
    return value
  }
}
