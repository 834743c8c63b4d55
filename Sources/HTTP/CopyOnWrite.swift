/// A value in an object, for values that are copied often: a copy is one reference.
///
/// A change copies the value first if there is another reference to it.
struct CopyOnWrite<Value: Sendable>: Sendable, CustomStringConvertible {
  /// The object.
  // Sendable: it is changed only while there is no other reference to it.
  final class Object: @unchecked Sendable {
    // Unchecked: a change has the only reference, so nothing else reads the value at the same time.
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var object: Object

  init(_ value: Value) { object = Object(value) }

  /// The value.
  var value: Value { object.value }

  /// The value as text.
  var description: String { "\(value)" }

  /// The object to change, which no other copy has.
  mutating func own() -> Object {
    if !isKnownUniquelyReferenced(&object) { object = Object(object.value) }
    return object
  }
}
