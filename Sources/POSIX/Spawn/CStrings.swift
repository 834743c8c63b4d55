/// A list of byte strings for C: each ends with NUL, the list with a null pointer.
struct CStrings {
  private var bytes: [UInt8] = []
  private var starts: [Int] = []

  init(_ strings: [[UInt8]]) {
    for string in strings {
      starts.append(bytes.count)
      bytes += string
      bytes.append(0)
    }
  }

  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { buffer in
      let text = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = starts.map { start in text.map { $0 + start } } + [nil]
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}
