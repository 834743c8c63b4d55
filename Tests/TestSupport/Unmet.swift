/// What a test needs did not come, for a `guard` whose pattern `#require` cannot take.
package struct Unmet: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
