/// An enumeration whose raw values are what a person types.
package typealias Choice = CaseIterable & RawRepresentable<String> & SendableMetatype

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  static var choices: [String] { allCases.map(\.rawValue) }

  static func choosing(_ text: String) throws(ValueError) -> Self {
    guard let value = Self(rawValue: text) else {
      throw ValueError("expected \(Phrase.alternatives(choices))")
    }
    return value
  }
}
