package import JSON

extension JSONObject {
  /// The settings of a profile's document by their keys, with dots between levels; those that no key names too, but not
  /// the members that say what the document is.
  package var settings: [(path: String, value: JSON)] {
    sorted.flatMap { name, value -> [(path: String, value: JSON)] in
      if ["$schema", "version"].contains(name) { return [] }
      guard let inner = value.object, ProfileKey.named(name) == nil, !inner.isEmpty else {
        return [(name, value)]
      }
      return inner.sorted.map { ("\(name).\($0.key)", $0.value) }
    }
  }
}
