import JSON
import POSIX
import Primitives
import SDKCore

extension ProfileKey {
  /// The value of a text that a person typed: a relative path starts in the current directory, and the file of
  /// the authorities must have some.
  func typed(_ text: String) throws -> JSON {
    guard !text.isEmpty else {
      do {
        return try value(from: text)
      } catch {
        var failure = Failure(error)
        failure.hints = [ShellWord.sdkctl("profile", "unset", name)]
        throw failure
      }
    }
    guard isPath else { return try value(from: text) }
    let path = try Failure.absolutePath(text)
    if ["caFile", "extraCAFile"].contains(name) { try Self.requireAuthorities(in: path) }
    return try value(from: path)
  }

  private static func requireAuthorities(in path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.read(path, limit: 1 << 24)
    } catch {
      throw Failure.unreadable("the authorities", error)
    }
    guard String(decoding: bytes, as: UTF8.self).containsText(" CERTIFICATE-----") else {
      throw Failure(
        .failure, "input_unreadable",
        "could not read the authorities: '\(Visible.line(path))' has no certificate in PEM")
    }
  }
}
