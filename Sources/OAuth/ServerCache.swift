/// Values from servers, by name, kept between uses.
///
/// A value that is lost costs one more request, so failures are not reported.
package protocol ServerCache<Value>: Sendable {
  associatedtype Value: Sendable

  /// The value of that name; `nil` if there is none that can be used.
  func value(of name: String) -> Value?

  /// Keeps a value, in place of an older one.
  func keep(_ value: Value, of name: String)
}
