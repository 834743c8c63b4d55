/// A secret, which describes itself as redacted: it may end up in a log.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
  /// The name of the type alone.
  public var description: String { "\(Self.self)(‹redacted›)" }

  /// Without members.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
