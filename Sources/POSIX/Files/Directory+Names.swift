import Glibc

extension Directory {
  /// The name of a file in its directory: any bytes but NUL and the slash.
  struct FileName {
    let bytes: [UInt8]

    /// The name as text; `nil` if it is not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }
    /// The name as C takes it.
    var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
  }

  /// The names that are left in an open directory, without `.` and `..`.
  static func names(
    in stream: OpaquePointer, path: String
  ) throws(SystemError) -> [FileName] {
    var names: [FileName] = []
    while let name = try nextName(in: stream, path: path) { names.append(name) }
    return names
  }

  /// The next name that a directory lists, without those of itself and its parent; `nil` at its end.
  static func nextName(
    in stream: OpaquePointer, path: String
  ) throws(SystemError) -> FileName? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last("read", path: path) }
        return nil
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes != Array(".".utf8), bytes != Array("..".utf8) { return FileName(bytes: bytes) }
    }
  }
}
