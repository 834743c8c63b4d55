import CPOSIX

/// A shared library that may or may not be on the machine.
///
/// It is never closed: functions of it may be in use anywhere.
package enum DynamicLibrary {
  package struct Unusable: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file or the function that is missing.
    package let description: String
  }

  /// Opens the first of the files that can be opened.
  ///
  /// The type is a structure of `@convention(c)` functions and of nothing else, in the order of the names.
  package static func functions<Functions>(
    _ type: Functions.Type, of files: [String], named names: [String]
  ) throws(Unusable) -> Functions {
    precondition(
      MemoryLayout<Functions>.size == names.count * MemoryLayout<UnsafeRawPointer>.size,
      "there are not \(names.count) functions in the structure")
    let lists = [files, names].map { list in
      Array(list.map { "\($0)\0" }.joined().utf8CString)
    }
    let table = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
    defer { table.deallocate() }
    let reason: String? = lists[0].withUnsafeBufferPointer { files in
      lists[1].withUnsafeBufferPointer { names in
        var library = cposix_library()
        library.files = files.baseAddress
        library.functions = names.baseAddress
        library.table = UnsafeMutableRawPointer(table)
        return cposix_open(&library).map { String(cString: $0) }
      }
    }
    if let reason { throw Unusable(description: reason) }
    return table.pointee
  }
}
