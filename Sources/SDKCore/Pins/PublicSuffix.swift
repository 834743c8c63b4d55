import POSIX

/// Names under which strangers register: `com`, `co.uk`, `github.io`.
///
/// The list is libpsl's, which every libcurl of Debian brings along. Pins that cover
/// the subdomains of such a name would bind hosts of other people.
public enum PublicSuffix {
  /// Whether a normalised host is one.
  public static func contains(_ host: String) -> Bool {
    // Without the list only the top level is known to be public.
    guard host.contains(".") else { return true }
    guard let library = DynamicLibrary(["libpsl.so.5", "libpsl.so"]),
      let list = library.function("psl_builtin", as: Builtin.self),
      let ask = library.function("psl_is_public_suffix", as: IsPublicSuffix.self)
    else { return false }
    return ask(list(), host) != 0
  }

  private typealias Builtin = @convention(c) () -> OpaquePointer?
  private typealias IsPublicSuffix =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Int32
}
