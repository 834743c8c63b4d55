/// A value in an object.
///
/// For large values that are copied often: a copy is one reference.
package final class Shared<Value: Sendable>: Sendable, CustomStringConvertible {
  package let value: Value

  @inlinable package init(_ value: Value) { self.value = value }

  package var description: String { "\(value)" }
}

extension Shared: Equatable where Value: Equatable {
  package static func == (left: Shared, right: Shared) -> Bool { left.value == right.value }
}

extension Shared: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Result {
  /// The result of asynchronous work.
  package init(of work: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
  }
}

extension TaskLocal {
  /// Runs the work with a value of the variable; its error keeps its type.
  package func with<Result: Sendable, Failure: Error>(
    _ value: Value, _ work: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await withValue(value) { await Swift.Result(of: work) }.get()
  }
}
