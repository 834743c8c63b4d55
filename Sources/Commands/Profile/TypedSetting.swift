import JSON
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
    if ["caFile", "extraCAFile"].contains(name) { try TrustedAuthorities.require(in: path) }
    return try value(from: path)
  }
}
