import HTTP
import POSIX

/// The file in which `--etag-save` keeps the ETag of a response, in curl's form: one line.
struct ETagFile: Sendable {
  let path: String

  /// The ETag in the file; `nil` if there is no file, or nothing in it.
  func load() throws(Failure) -> String? {
    guard FileStatus.exists(path) else { return nil }
    do {
      let text = String(decoding: try FileReader.read(path, limit: 1 << 12), as: UTF8.self)
      let line = text.prefix { $0 != "\n" && $0 != "\r\n" }
      return line.isEmpty ? nil : String(line)
    } catch {
      throw .unreadable("the ETag", error)
    }
  }

  /// Saves the ETag of a response; a response without one empties the file.
  func save(_ response: HTTPResponse) throws(Failure) {
    do {
      let file = try StagedFile(path, .named(newMode: 0o600))
      try file.write(Array((response.fields["ETag"].map { $0 + "\n" } ?? "").utf8))
      try file.commit()
    } catch {
      throw .unwritable(error)
    }
  }
}
