internal import COpenSSL

/// Bytes that are overwritten when they go out of use.
///
/// There is one owner and no copy: read them where they are, and convert them to
/// anything that cannot be wiped (an array, a string) only at the last moment.
// @unchecked: the one owner is also the only one who can reach the memory.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  package init(copying bytes: UnsafeRawBufferPointer) {
    buffer = .allocate(byteCount: bytes.count, alignment: 16)
    buffer.copyMemory(from: bytes)
  }

  package init(copying bytes: [UInt8]) {
    buffer = .allocate(byteCount: bytes.count, alignment: 16)
    buffer.copyBytes(from: bytes)
  }

  deinit {
    OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    buffer.deallocate()
  }

  package var count: Int { buffer.count }

  package borrowing func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(buffer))
  }
}
