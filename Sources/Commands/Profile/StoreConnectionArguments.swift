import Arguments
import POSIX
import Primitives
import SDKCore

/// How this machine reaches a shared store, as options of the commands that begin to use one.
struct StoreConnectionArguments: Sendable {
  var keyFile: String?
  var authoritiesFile: String?
  var certificateFile: String?

  /// The files by their absolute paths: other commands run in other directories.
  func connection() throws -> StoreConnection {
    StoreConnection(
      caFile: try authoritiesFile.map(Self.absolute),
      certificateFile: try certificateFile.map(Self.absolute)
    )
  }

  /// The text of the key file; `nil` if none is named.
  func key(_ context: Context) throws -> String? {
    try context.secret("key of the shared store", option: "store-key", file: keyFile)
  }

  private static func absolute(_ path: String) throws -> String {
    do throws(SystemError) { return try Paths.absolute(path) } catch {
      throw Failure.unreadable("file", error)
    }
  }
}

extension StoreConnectionArguments {
  /// `--store-key-file`, `--store-ca-file` and `--store-certificate-file`.
  static var options: [Option<Self>] {
    .group(
      .sharedStore,
      [
        .secret("store-key", \.keyFile, "the key of the shared store"),
        .value(
          "store-ca-file", "FILE", \.authoritiesFile,
          "Trust these authorities for the shared store"
        ).completing(.file),
        .value(
          "store-certificate-file", "FILE", \.certificateFile,
          "Show this certificate to the shared store"
        )
        .more(
          """
          A PEM file with the certificate and its private key, which only you can read. It stays where it is, \
          and is read for each request: who renews the certificate replaces the file.
          """
        ).completing(.file),
      ])
  }
}
