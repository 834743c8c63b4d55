import POSIX

/// Reads a ZIP archive with libarchive, which is opened on first use.
///
/// The files stay in memory: nothing is written to a path that the archive names. An archive is refused as a
/// whole if a name leads elsewhere or appears twice, if something is not a regular file, and if the content
/// is larger than a configuration can be.
enum ZIPArchive {
  /// The greatest size of a file, and of all of them.
  static let maximumSize = 4 << 20
  /// The greatest number of files.
  static let maximumCount = 256
  /// How many times as large as the archive its content may be.
  private static let maximumRatio = 200

  /// Whether the bytes begin as an archive does.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// The files of an archive, by their paths.
  ///
  /// - Throws: ``DocumentError`` if the archive is refused or damaged, and if libarchive is missing.
  static func files(in bytes: [UInt8]) throws(DocumentError) -> [String: [UInt8]] {
    guard let library = LibArchive.shared else {
      throw DocumentError(
        cause:
          "libarchive.so.13 is missing; install the package libarchive13, or unpack the archive "
          + "and import its folder")
    }
    guard let archive = library.make() else { throw DocumentError(cause: "there is no memory") }
    defer { _ = library.free(archive) }
    let result = bytes.withUnsafeBytes { buffer -> Result<[String: [UInt8]], DocumentError> in
      guard library.supportZIP(archive) == 0,
        library.open(archive, buffer.baseAddress, buffer.count) == 0
      else { return .failure(library.failure(archive)) }
      let limit = min(maximumSize, bytes.count * maximumRatio)
      do throws(DocumentError) {
        return .success(try files(in: archive, limit: limit, library))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func files(
    in archive: OpaquePointer, limit: Int, _ library: LibArchive
  ) throws(DocumentError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var (count, size) = (0, 0)
    while let entry = try library.nextEntry(archive) {
      count += 1
      guard count <= maximumCount else {
        throw DocumentError(cause: "it has more than \(maximumCount) files")
      }
      let path = try library.path(of: entry)
      if library.type(entry) & fileType == directory { continue }
      guard library.type(entry) & fileType == regularFile else {
        throw DocumentError(cause: "'\(path)' is not a regular file")
      }
      let content = try library.content(archive, limit: limit - size)
      size += content.count
      guard files.updateValue(content, forKey: path) == nil else {
        throw DocumentError(cause: "'\(path)' appears twice")
      }
    }
    return files
  }

  private static let fileType: UInt32 = 0o170000
  private static let regularFile: UInt32 = 0o100000
  private static let directory: UInt32 = 0o040000
}

/// The functions of libarchive.
// @unchecked: function pointers, which never change.
private struct LibArchive: @unchecked Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Entry = OpaquePointer

  // By its directory, which has the kinds of files; the other reader would take a cut archive.
  let make: @convention(c) () -> OpaquePointer?
  let supportZIP: @convention(c) (OpaquePointer) -> Int32
  let open: @convention(c) (OpaquePointer, UnsafeRawPointer?, Int) -> Int32
  let next: @convention(c) (OpaquePointer, UnsafeMutablePointer<Entry?>) -> Int32
  let name: @convention(c) (Entry) -> Text?
  let type: @convention(c) (Entry) -> UInt32
  let isEncrypted: @convention(c) (Entry) -> Int32
  let read: @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, Int) -> Int
  let errorText: @convention(c) (OpaquePointer) -> Text?
  let free: @convention(c) (OpaquePointer) -> Int32

  static let shared = try? DynamicLibrary.functions(
    LibArchive.self, of: ["libarchive.so.13", "libarchive.so"],
    named: [
      "archive_read_new", "archive_read_support_format_zip_seekable", "archive_read_open_memory",
      "archive_read_next_header", "archive_entry_pathname", "archive_entry_filetype",
      "archive_entry_is_encrypted", "archive_read_data", "archive_error_string",
      "archive_read_free",
    ])

  /// The next entry; `nil` at the end.
  func nextEntry(_ archive: OpaquePointer) throws(DocumentError) -> Entry? {
    var entry: Entry?
    switch next(archive, &entry) {
    case 0: break
    case 1: return nil
    default: throw failure(archive)
    }
    guard let entry else { return nil }
    guard isEncrypted(entry) == 0 else { throw DocumentError(cause: "it is encrypted") }
    return entry
  }

  /// The path of an entry, which stays below the folder of the archive.
  func path(of entry: Entry) throws(DocumentError) -> String {
    guard let name = name(entry), let path = String(validatingCString: name) else {
      throw DocumentError(cause: "it has a file whose name cannot be read")
    }
    let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
    let isSafe = trimmed.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !["", ".", ".."].contains($0)
    }
    guard isSafe, path.utf8.count <= 255,
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") || $0 == 0x20 })
    else { throw DocumentError(cause: "it has a file whose name leads elsewhere, or is not ASCII") }
    return String(trimmed)
  }

  /// The content of the current entry.
  func content(_ archive: OpaquePointer, limit: Int) throws(DocumentError) -> [UInt8] {
    var content: [UInt8] = []
    while true {
      var count = 0
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        count = read(archive, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      guard count >= 0 else { throw failure(archive) }
      if count == 0 { return content }
      content += part
      guard content.count <= limit else {
        throw DocumentError(cause: "its content is larger than a configuration can be")
      }
    }
  }

  func failure(_ archive: OpaquePointer) -> DocumentError {
    let text = errorText(archive).map { String(cString: $0) } ?? "it is damaged"
    return DocumentError(cause: "the archive cannot be read: \(text)")
  }
}
