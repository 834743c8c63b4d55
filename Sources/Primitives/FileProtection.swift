/// A change of owner or permissions that protects files from other users.
public struct FileProtection: Sendable, Hashable {
  /// What must change.
  public enum Change: Sendable, Hashable {
    /// The files must belong to the user with this number.
    case owner(UInt32)
    /// The files must have exactly this mode, such as 0o600.
    case mode(UInt32)
    /// Group and others must not be able to write.
    case withoutForeignWriting
  }

  /// What must change.
  public let change: Change
  /// The files and directories that it must change for, at least one.
  public let paths: [String]

  /// Makes the description of a change.
  public init(_ change: Change, of paths: [String]) {
    self.change = change
    self.paths = paths
  }
}
