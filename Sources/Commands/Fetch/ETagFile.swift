import HTTP
import POSIX

/// The file in which `--etag-save` keeps the ETag of a response, in curl's form: one line.
struct ETagFile: Sendable {
  let path: String

  /// The condition that the ETag in the file makes; `nil` if there is no file, or nothing in it.
  func load() throws -> HTTPField? {
    guard FileStatus.exists(path) else { return nil }
    let line = try Input.standard.read(path, "the ETag", limit: 1 << 16)
      .prefix { $0 != 0x0A && $0 != 0x0D }
    do {
      return line.isEmpty ? nil : try HTTPField("If-None-Match", bytes: Array(line))
    } catch {
      throw Failure(.inputUnreadable, "could not read the ETag: \(path) holds a control character")
    }
  }

  /// Opens the file, so that a request is not sent whose ETag cannot be saved.
  func opened() throws -> StagedFile {
    try Failure.writing { () throws(SystemError) in
      try StagedFile(path, .named(newMode: 0o600))
    }
  }

  /// Saves the ETag of a response; a response without one empties the file.
  static func save(_ response: HTTPResponse, to file: StagedFile) throws {
    let tag = response.fields.first("ETag")?.valueBytes ?? []
    try Failure.writing { () throws(SystemError) in
      try file.write(tag.isEmpty ? [] : tag + [0x0A])
      try file.commit()
    }
  }
}
