import Arguments
import JSON
import POSIX

/// What a login asks for beyond scopes (RFC 9396 section 2): JSON as typed, or `@FILE` with it.
enum AuthorizationDetails: Sendable, ArgumentValue {
  case typed(String)
  case file(String)

  static func reading(_ text: String) throws(ValueError) -> AuthorizationDetails {
    if text.hasPrefix("@") { return .file(String(text.dropFirst())) }
    if let problem = problem(in: text) { throw ValueError(problem) }
    return .typed(text)
  }

  /// The file that it names.
  var file: String? { if case .file(let path) = self { path } else { nil } }

  /// The JSON, on one line.
  func text(_ input: Input) throws -> String {
    let text: String
    switch self {
    case .typed(let typed): text = typed
    case .file(let path):
      text = String(
        decoding: try input.read(path, "the authorization details", limit: 1 << 16), as: UTF8.self)
      if let problem = Self.problem(in: text) {
        throw Failure.usage("could not use the authorization details of '\(path)': \(problem)")
      }
    }
    return (try? JSON(parsing: text))?.serialized() ?? text
  }

  private static func problem(in text: String) -> String? {
    let document: JSON
    do {
      document = try JSON(parsing: text)
    } catch {
      return "expected JSON or @FILE: \(error)"
    }
    guard let rows = document.array, !rows.isEmpty,
      rows.allSatisfy({ $0["type"]?.string?.isEmpty == false })
    else { return "expected an array of objects that have a type" }
    return nil
  }
}
