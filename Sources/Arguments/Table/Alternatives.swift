/// The values that an option takes, made when a page or a shell needs them: not at each start.
package struct Alternatives: Sendable, Hashable {
  private let make: @Sendable () -> [String]

  package init(_ make: @escaping @Sendable () -> [String]) { self.make = make }

  package var values: [String] { make() }

  package static func == (left: Self, right: Self) -> Bool { left.values == right.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Completion {
  /// One of these values.
  package static func choices(_ values: @autoclosure @escaping @Sendable () -> [String]) -> Self {
    .alternatives(Alternatives(values))
  }
}
