import POSIX
import Synchronization

/// Names under which anybody can register: `com`, `co.uk`, `github.io`.
///
/// The list is libpsl's, a dependency of libcurl on Debian: the newer one of the list in the library
/// and that of the package `publicsuffix`. Pins that cover the subdomains of such a name would bind
/// hosts of others. Without libpsl only the top level is known to be public.
public enum PublicSuffix {
  /// Whether a normalised host is one.
  public static func contains(_ host: String) -> Bool {
    list.withLock { list in
      if list == nil { list = .some(List.open()) }
      return list??.contains(host) ?? !host.utf8.contains(UInt8(ascii: "."))
    }
  }

  private static let list = Mutex<List??>(nil)

  /// The list in memory; it is never freed.
  private struct List {
    // The list; as a number, because a pointer is not Sendable.
    let handle: UInt
    let isPublicSuffix: IsPublicSuffix

    static func open() -> List? {
      guard
        let functions = try? DynamicLibrary.functions(
          Functions.self, of: ["libpsl.so.5", "libpsl.so"],
          named: ["psl_latest", "psl_builtin", "psl_is_public_suffix"]),
        let list = functions.latest(nil) ?? functions.builtin()
      else { return nil }
      return List(
        handle: UInt(bitPattern: list), isPublicSuffix: functions.isPublicSuffix)
    }

    func contains(_ host: String) -> Bool {
      isPublicSuffix(OpaquePointer(bitPattern: handle), host) != 0
    }
  }

  private typealias IsPublicSuffix =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Int32

  private struct Functions {
    let latest: @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    let builtin: @convention(c) () -> OpaquePointer?
    let isPublicSuffix: IsPublicSuffix
  }
}

extension PublicSuffixes {
  /// The list of this machine.
  public static let system = PublicSuffixes { PublicSuffix.contains($0) }
}
