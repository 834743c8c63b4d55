/// A list of the names under which anybody can register: `com`, `co.uk`, `github.io`.
///
/// The module has no list of its own: `SDKCore` gives that of libpsl to the sets of a profile.
public struct PublicSuffixes: Sendable {
  private let isListed: @Sendable (String) -> Bool

  /// Takes a function that tells whether a normalised host is on the list.
  public init(_ isListed: @escaping @Sendable (String) -> Bool) { self.isListed = isListed }

  /// No list: only the top level is public.
  public static let topLevel = PublicSuffixes { !$0.utf8.contains(UInt8(ascii: ".")) }

  /// Whether a normalised host is a public suffix.
  public func contains(_ host: String) -> Bool { isListed(host) }

  /// Whether a public suffix lies between a host and one of its parents, or is the parent.
  ///
  /// Then others than the owner of the parent may own the host.
  func separates(_ host: String, from parent: String) -> Bool {
    if contains(parent) { return true }
    var name = host[...]
    while let dot = name.firstIndex(of: ".") {
      name = name[name.index(after: dot)...]
      guard name.utf8.count > parent.utf8.count else { return false }
      if contains(String(name)) { return true }
    }
    return false
  }
}
