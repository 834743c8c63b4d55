import Foundation

/// The files of this repository.
package enum Repository {
  package static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  package static func text(of name: String) throws -> String {
    try text(at: "\(path)/\(name)")
  }

  package static func names(in folder: String) throws -> [String] {
    try names(at: "\(path)/\(folder)")
  }

  /// The names of the files of a folder that differ from those of the same folder in another tree.
  package static func stale(_ folder: String, beside tree: String) throws -> [String] {
    let names = Set(try names(in: folder)).union(try Self.names(at: "\(tree)/\(folder)"))
    return names.sorted().filter { name in
      (try? text(of: "\(folder)/\(name)")) != (try? text(at: "\(tree)/\(folder)/\(name)"))
    }
  }

  private static func text(at path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  private static func names(at path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
