/// What a person has set for an option that a command line does not give.
package struct OptionDefault: Sendable {
  /// Its place, for errors: `/home/me/config.json: defaults.fetch.retry`.
  package let origin: String
  /// Several for an option that may be given more than once.
  package let settings: [Setting]

  package init(origin: String, settings: [Setting]) {
    self.origin = origin
    self.settings = settings
  }
}

/// Returns the default of an option of the command with these words; `nil` without one.
package typealias OptionDefaults =
  @Sendable (_ path: [String], _ option: OptionDoc) throws
  -> OptionDefault?

extension Syntax {
  /// Adds the defaults of the options that are not given and can be used with those that are.
  mutating func add(_ defaults: OptionDefaults, _ catalog: CommandCatalog) throws {
    let ownDocs = command?.options ?? []
    let typed = own.map { ownDocs[$0.option] } + globals.map { catalog.globals[$0.option] }
    let substitutes = Set(command?.operands.flatMap(\.substitutes) ?? [])
    var given = Set(typed.map(\.long))
    let path = path

    func found(_ docs: [OptionDoc]) throws -> [Assignment] {
      var added: [Assignment] = []
      for (index, doc) in docs.enumerated() {
        guard !given.contains(doc.long), !substitutes.contains(doc.long),
          !typed.contains(where: { $0.rulesOut(doc) }),
          doc.needs.isEmpty || doc.needs.contains(where: given.contains),
          let value = try defaults(path, doc)
        else { continue }
        if !value.settings.isEmpty { given.insert(doc.long) }
        added += value.settings.map {
          Assignment(option: index, spelling: value.origin, setting: $0, isConfiguration: true)
        }
      }
      return added
    }
    let (addedGlobals, addedOwn) = (try found(catalog.globals), try found(ownDocs))
    globals = addedGlobals + globals
    own = addedOwn + own
  }
}

extension OptionDoc {
  /// Whether the other option cannot be given beside this one; it may be the same.
  func rulesOut(_ other: OptionDoc) -> Bool {
    if other.long == long { return repetition != .append && repetition != .count }
    if excludes.contains(other.long) || other.excludes.contains(long) { return true }
    return exclusiveSet != nil && exclusiveSet == other.exclusiveSet
  }
}
