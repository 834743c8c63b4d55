/// One option of a command: its documentation, and the argument that it sets.
///
/// Rows are built by key path (`.flag`, `.value`, `.choice`, …) and refined by chaining:
/// `.value("profile", short: "p", "NAME", \.profile, "Use this profile").completing(.dynamic("profiles"))`.
package struct Option<Arguments: Sendable>: Sendable {
  package private(set) var doc: OptionDoc
  let apply: @Sendable (inout Arguments, Setting) throws(ValueError) -> Void

  init(
    _ doc: OptionDoc,
    apply: @escaping @Sendable (inout Arguments, Setting) throws(ValueError) -> Void
  ) {
    self.doc = doc
    self.apply = apply
  }
}

/// The setting that one occurrence of an option makes.
package enum Setting: Sendable, Hashable {
  case on
  case off
  case text(String)
}

extension Option {
  /// What shells offer for the value.
  package func completing(_ completion: Completion) -> Self {
    changing { $0.completion = completion }
  }

  /// The environment variable with the same meaning, which the command reads.
  package func environment(_ name: String) -> Self {
    changing { $0.environment = name }
  }

  /// The heading under which documents list the option.
  package func group(_ heading: Heading) -> Self {
    changing { $0.group = heading }
  }

  /// Longer prose for `--help` and the manual.
  package func more(_ text: String) -> Self {
    changing { $0.text = text }
  }

  /// Cannot be used together with the other options of the set.
  package func exclusive(_ set: String) -> Self {
    changing { $0.exclusiveSet = set }
  }

  /// Takes an empty value too, which any other option refuses.
  package func allowingEmpty() -> Self {
    changing { $0.allowsEmpty = true }
  }

  /// Refused unless one of these options is given too; global ones as well.
  package func needs(_ options: String...) -> Self { needs(options) }

  /// Refused unless one of these options is given too; global ones as well.
  package func needs(_ options: [String]) -> Self {
    changing { $0.needs = options }
  }

  /// Refused if one of these options is given too; global ones as well.
  package func excludes(_ options: String...) -> Self { excludes(options) }

  /// Refused if one of these options is given too; global ones as well.
  package func excludes(_ options: [String]) -> Self {
    changing { $0.excludes += options }
  }

  /// Reads the file that a value names, where `-` is standard input, which only one argument may name.
  package func input(
    _ path: @escaping @Sendable (String) throws -> String? = { $0 }
  ) -> Self {
    changing { $0.inputFile = path }
  }

  private func changing(_ change: (inout OptionDoc) -> Void) -> Self {
    var copy = self
    change(&copy.doc)
    return copy
  }
}
