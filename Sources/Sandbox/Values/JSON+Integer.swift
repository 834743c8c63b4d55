import JSON

extension JSON {
  /// The value, when this is a whole number.
  var integer: Int? { int.flatMap(Int.init(exactly:)) }
}
