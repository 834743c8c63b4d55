import POSIX
import Primitives
import SDKCore

/// Where an identity is written: standard output, or a file.
///
/// A private key is not written where others could read it.
struct IdentityTarget {
  private let path: String?
  private let context: Context

  /// Checks the place.
  init(_ path: String?, holdsKey: Bool, _ context: Context) throws {
    self.path = path == "-" ? nil : path
    self.context = context
    guard holdsKey else { return }
    if let path = self.path {
      guard let status = try? FileStatus.of(path), status.kind == .file, !status.isPrivate else {
        return
      }
      throw Failure(
        .configuration, "unsafe_permissions",
        "could not write the key to '\(path)': others may read it (mode \(status.modeText))",
        hints: [Remedy.protect([FileProtection(.mode(0o600), of: [path])]).commandLine(for: nil)])
    }
    guard !context.output.isFileOfOthers else {
      throw Failure(
        .configuration, "unsafe_permissions",
        "could not print the key: others may read the file that standard output goes to",
        hints: ["sdkctl identity export -o FILE"])
    }
  }

  /// Whether a person would see what is written.
  var isTerminal: Bool { path == nil && context.isTerminal }

  /// Writes all bytes; a new file is for its owner only.
  func write(_ bytes: [UInt8]) throws {
    guard let path else { return context.output.write(bytes) }
    do throws(SystemError) {
      let file = try StagedFile(path, .named(newMode: 0o600))
      do throws(SystemError) {
        try file.write(bytes)
        try file.commit()
      } catch {
        file.discard()
        throw error
      }
    } catch {
      throw Failure.unwritable(error)
    }
  }
}
