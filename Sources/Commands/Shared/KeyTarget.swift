import JOSE
import POSIX
import Primitives
import SDKCore

/// Where keys and identities are written: standard output, or a file.
///
/// A private key is not written where others could read it.
struct KeyTarget {
  private let path: String?
  private let holdsKey: Bool
  private let context: Context

  /// Checks the place; `command` writes to it.
  init(
    _ path: String?, holdsKey: Bool, command: String, _ context: Context
  ) throws {
    self.path = path == "-" ? nil : path
    (self.holdsKey, self.context) = (holdsKey, context)
    guard holdsKey else { return }
    if let path = self.path {
      guard let status = try? FileStatus.of(path), status.kind == .file, !status.isPrivate else {
        return
      }
      throw Failure(
        .storePermissions,
        "could not write the key to '\(path)': others may read it (mode \(status.modeText))",
        hints: [Remedy.protect([FileProtection(.mode(0o600), of: [path])]).commandLine(for: nil)])
    }
    guard !context.output.isFileOfOthers else {
      throw Failure(
        .storePermissions,
        "could not print the key: others may read the file that standard output goes to",
        hints: ["sdkctl \(command) -o FILE"])
    }
  }

  /// Refuses to replace a file whose private key would be lost, and any file by a new key.
  ///
  /// `canReplace` says whether the command has `--replace`, which replaces the file all the same.
  func requireNoLoss(isNew: Bool, canReplace: Bool = true) throws {
    guard let path, let status = try? FileStatus.of(path), status.kind == .file, status.size > 0
    else { return }
    let hasKey = (try? FileReader.read(path, limit: 1 << 20)).map(Self.hasPrivateKey) ?? false
    guard isNew || hasKey else { return }
    throw Failure(
      .fileExists,
      "could not write the key: '\(Visible.line(path))' exists"
        + (hasKey ? ", and has a private key" : ""),
      hints: ["choose another file" + (canReplace ? ", or replace this one with --replace" : "")])
  }

  /// Whether a file has a private key or a shared secret, which may be encrypted.
  private static func hasPrivateKey(_ content: [UInt8]) -> Bool {
    if String(decoding: content, as: UTF8.self).containsText("PRIVATE KEY-----") { return true }
    let entries = (try? KeyFile(content))?.entries ?? []
    return entries.contains { $0.privateKey != nil }
  }

  /// Whether the output is standard output.
  var isOutput: Bool { path == nil }

  /// Whether a person would see what is written.
  var isTerminal: Bool { path == nil && context.isTerminal }

  /// Writes all bytes; a new file is for its owner only.
  func write(_ bytes: [UInt8]) throws {
    guard let path else { return context.output.write(bytes) }
    try Failure.writing { () throws(SystemError) in
      try AtomicFile.write(
        bytes, to: path, holdsKey ? .secret(newMode: 0o600) : .named(newMode: 0o600))
    }
  }
}
