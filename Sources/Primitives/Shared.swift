/// A value in an object.
///
/// For large values that are copied often: a copy is one reference.
package final class Shared<Value: Sendable>: Sendable, CustomStringConvertible {
  /// The value.
  package let value: Value

  /// Puts a value in an object.
  @inlinable package init(_ value: Value) { self.value = value }

  /// The value as text.
  package var description: String { "\(value)" }
}

extension Shared: Equatable where Value: Equatable {
  /// Whether the values are equal.
  package static func == (left: Shared, right: Shared) -> Bool { left.value == right.value }
}

extension Shared: Hashable where Value: Hashable {
  /// Adds the value.
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
