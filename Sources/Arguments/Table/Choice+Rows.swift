// Rows whose values are the cases of an enumeration.
extension Option {
  /// Cases of an enumeration, by raw value; may be given many times.
  package static func choices<Value: Choice>(
    _ long: String, short: Character? = nil, _ name: String,
    _ path: any Path<[Value]>,
    _ summary: String
  ) -> Self {
    list(long, short: short, name, path, summary, parse: Value.choosing)
      .completing(.choices(Value.choices))
  }
}

extension Operand {
  /// Exactly one case of an enumeration, by raw value.
  package static func choice<Value: Choice>(
    _ name: String, _ path: any Path<Value>, _ summary: String
  ) -> Self {
    one(name, path, summary, parse: Value.choosing).completing(.choices(Value.choices))
  }
}
