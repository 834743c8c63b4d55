/// What servers have told, by name, kept between uses.
///
/// A value that is lost costs one more request; nothing here fails.
package protocol ServerCache<Value>: Sendable {
  associatedtype Value: Sendable

  /// What is kept of that name; `nil` if it is nothing that could be used.
  func value(of name: String) -> Value?

  /// Keeps a value, in place of an older one.
  func keep(_ value: Value, of name: String)
}
