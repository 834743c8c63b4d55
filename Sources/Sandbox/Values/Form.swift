/// Names and values in the order of a query or a form body.
struct Form: Sendable, Equatable {
  struct Field: Sendable, Equatable {
    let name: String
    let value: String
  }

  private(set) var fields: [Field] = []

  init(_ pairs: KeyValuePairs<String, String> = [:]) {
    fields = pairs.map { Field(name: $0.key, value: $0.value) }
  }

  /// Reads `application/x-www-form-urlencoded` text.
  init(decoding text: some StringProtocol) {
    for pair in text.split(separator: "&", omittingEmptySubsequences: true) {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? PercentCoding.decode(halves[1], plusIsSpace: true) : ""
      fields.append(
        Field(name: PercentCoding.decode(halves[0], plusIsSpace: true), value: value))
    }
  }

  /// The first value of a name.
  ///
  /// An empty value counts as absent (RFC 6749 section 3.1).
  subscript(name: String) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value, !value.isEmpty else {
      return nil
    }
    return value
  }

  /// Every value of a name.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// A name of which there is more than one, apart from those that may repeat.
  func repeated(except allowed: Set<String> = ["resource", "audience"]) -> String? {
    var seen: Set<String> = []
    return fields.map(\.name).first { !allowed.contains($0) && !seen.insert($0).inserted }
  }

  mutating func append(_ name: String, _ value: String?) {
    guard let value else { return }
    fields.append(Field(name: name, value: value))
  }

  /// The fields as a query, after `?` or `&` as the address needs.
  func appended(to address: String) -> String {
    guard !fields.isEmpty else { return address }
    return address + (address.contains("?") ? "&" : "?") + encoded
  }

  var encoded: String {
    fields.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
      .joined(separator: "&")
  }
}
