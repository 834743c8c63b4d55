import Foundation

/// A folder that is there for one test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "sdkcore-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file below the folder, and the directories that it needs.
  func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }

  /// Puts a symbolic link below the folder.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: path + "/" + target)
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  func mode(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// Every file below the folder with its content, by its path.
  func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      let isFile = attributes[.type] as? FileAttributeType == .typeRegular
      if isFile { files[name] = try text(of: name) }
    }
    return files
  }
}
