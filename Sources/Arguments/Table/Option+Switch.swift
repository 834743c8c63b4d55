// Options without a value.
extension Option {
  package typealias Path<Value> = WritableKeyPath<Arguments, Value> & Sendable

  /// A switch: `--json`; with `negatable`, also `--no-json`.
  package static func flag(
    _ long: String, short: Character? = nil, _ path: any Path<Bool>,
    _ summary: String,
    negatable: Bool = false
  ) -> Self {
    var doc = OptionDoc(long: long, short: short, valueName: nil, summary: summary)
    doc.isNegatable = negatable
    return Self(doc) { (arguments, setting) throws(ValueError) in
      arguments[keyPath: path] = setting != .off
    }
  }

  /// A switch that stands for one value among several: `--user`, `--anonymous`.
  package static func flag<Value: Sendable>(
    _ long: String, short: Character? = nil, _ path: any Path<Value>,
    setting value: Value,
    _ summary: String
  ) -> Self {
    let doc = OptionDoc(long: long, short: short, valueName: nil, summary: summary)
    return Self(doc) { (arguments, _) throws(ValueError) in arguments[keyPath: path] = value }
  }

  /// A switch whose occurrences are counted: `-v -v`, `-vv`.
  package static func counted(
    _ long: String, short: Character? = nil, _ path: any Path<Int>,
    _ summary: String
  ) -> Self {
    var doc = OptionDoc(long: long, short: short, valueName: nil, summary: summary)
    doc.repetition = .count
    return Self(doc) { (arguments, _) throws(ValueError) in arguments[keyPath: path] += 1 }
  }
}
