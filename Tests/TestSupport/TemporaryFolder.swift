import Foundation
import Glibc
import Synchronization

/// A directory of one test, removed with this object, or with the process: a scripted answer may hold
/// the object that holds the answer.
package final class TemporaryFolder: Sendable {
  package let path: String

  private static let existing = Mutex(Set<String>())
  private static let removalAtExit: Void = {
    atexit {
      for path in TemporaryFolder.existing.withLock({ $0 }) { TemporaryFolder.remove(path) }
    }
  }()

  package init() throws {
    Self.removalAtExit
    path = NSTemporaryDirectory() + "sdkctl-tests-" + UUID().uuidString
    Self.existing.withLock { _ = $0.insert(path) }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    Self.remove(path)
    Self.existing.withLock { _ = $0.remove(path) }
  }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file below the directory.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and the directories that it needs; returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws -> String {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    if mode & 0o111 == 0 {
      try Data(bytes).write(to: url)
    } else {
      try writeExecutable(bytes, to: url)
    }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    return url.path
  }

  /// By another process: a program that a test starts on another thread at this moment would inherit
  /// the descriptor, and a file that is open for writing cannot be executed.
  private func writeExecutable(_ bytes: [UInt8], to url: URL) throws {
    let source = url.appendingPathExtension("source")
    try Data(bytes).write(to: source)
    var words: [UnsafeMutablePointer<CChar>?] = []
    for word in ["cp", source.path, url.path] { words.append(strdup(word)) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    var status: Int32 = -1
    guard posix_spawn(&process, "/bin/cp", nil, nil, words, nil) == 0,
      waitpid(process, &status, 0) == process, status == 0
    else { throw CocoaError(.fileWriteUnknown) }
    try FileManager.default.removeItem(at: source)
  }

  /// Puts a symbolic link below the directory.
  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: file(name), withDestinationPath: file(target))
  }

  package func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  package func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  package func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  package func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: file(name))
  }

  package func mode(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// The number of a file, which is another one after it was replaced.
  package func number(of name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.systemFileNumber] as? NSNumber)?.intValue
  }

  /// What is in the directory, sorted.
  package var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }

  /// Every file below the directory with its content, by its path.
  package func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
      let isFile = attributes[.type] as? FileAttributeType == .typeRegular
      if isFile { files[name] = try text(of: name) }
    }
    return files
  }
}
