import Testing

@testable import HTTP

@Suite("A body of the type multipart/form-data")
struct MultipartBodyTests {
  private static func text(_ body: MultipartBody, reading size: Int = 7) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      guard let count = buffer.withUnsafeMutableBytes({ body.read(into: $0) }) else { return nil }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  private static func parts() -> [MultipartBody.Part] {
    [
      MultipartBody.Part(name: "a", data: .bytes(Array("1".utf8))),
      MultipartBody.Part(name: "none", data: .none),
      MultipartBody.Part(
        name: "file", data: .stream(Source("content"), length: 7), fileName: "f.txt",
        mimeType: "text/plain"),
    ]
  }

  private static let written =
    "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
    + "--B\r\nContent-Disposition: form-data; name=\"none\"\r\n\r\n\r\n"
    + "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n"
    + "Content-Type: text/plain\r\n\r\ncontent\r\n--B--\r\n"

  @Test("is the same for a buffer of each size", arguments: [1, 2, 3, 7, 64, 4096])
  func sizes(size: Int) {
    let body = MultipartBody(Self.parts(), boundary: "B")
    #expect(Self.text(body, reading: size) == Self.written)
    #expect(body.length == Int64(Self.written.utf8.count))
    #expect(Self.text(body, reading: size) == "")
    #expect(body.rewind())
    #expect(Self.text(body, reading: size) == Self.written)
  }

  @Test("without parts is the last boundary")
  func empty() {
    let body = MultipartBody([], boundary: "B")
    #expect(Self.text(body) == "--B--\r\n")
    #expect(body.length == 7)
  }

  @Test(
    "has names that cannot end their quotes or their line",
    arguments: [
      ("a", "a"), ("", ""), ("a\"; filename=\"x", "a%22; filename=%22x"),
      ("a\r\nX: y", "a%0D%0AX: y"), ("a\r", "a%0D"), ("a\n", "a%0A"), ("é😀", "é😀"),
      ("a\r\n\u{301}b", "a%0D%0A\u{301}b"), ("a\"\u{301}", "a%22\u{301}"), ("\\", "\\"),
      ("%22", "%22"), ("a\r\n\r\n--B--\r\n", "a%0D%0A%0D%0A--B--%0D%0A"),
    ])
  func names(name: String, written: String) {
    let part = MultipartBody.Part(name: name, data: .none, fileName: name)
    let text = Self.text(MultipartBody([part], boundary: "B"))
    let expected =
      "--B\r\nContent-Disposition: form-data; name=\"\(written)\"; filename=\"\(written)\"\r\n\r\n"
      + "\r\n--B--\r\n"
    #expect(text.map { Array($0.utf8) } == Array(expected.utf8))
  }

  @Test("has no length if that of a part is not known, and ends with that part")
  func unknownLength() {
    let part = MultipartBody.Part(name: "a", data: .stream(Source("xyz"), length: nil))
    let body = MultipartBody([part], boundary: "B")
    #expect(body.length == nil)
    #expect(
      Self.text(body) == "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nxyz\r\n--B--\r\n"
    )
  }

  @Test("takes no more of a file that grows than was announced")
  func growing() {
    let part = MultipartBody.Part(name: "a", data: .stream(Source("xyz and more"), length: 3))
    let body = MultipartBody([part], boundary: "B")
    let text = Self.text(body)
    #expect(text?.hasSuffix("\r\n\r\nxyz\r\n--B--\r\n") == true)
    #expect(body.length == text.map { Int64($0.utf8.count) })
  }

  @Test("fails if a file is shorter than announced, or cannot be read")
  func failing() {
    for source in [Source("xy"), Source("xyz", failsAt: 1), Source("", failsAt: 0)] {
      let part = MultipartBody.Part(name: "a", data: .stream(source, length: 3))
      #expect(Self.text(MultipartBody([part], boundary: "B")) == nil)
    }
  }

  @Test("is not read again if one of its parts can be read only once")
  func once() {
    let parts = [
      MultipartBody.Part(name: "a", data: .stream(Source("x"), length: 1)),
      MultipartBody.Part(name: "b", data: .stream(Source("x", isRepeatable: false), length: 1)),
    ]
    let body = MultipartBody(parts, boundary: "B")
    #expect(Self.text(body) != nil)
    #expect(!body.rewind())
  }

  @Test("waits for the descriptor of the part that it reads")
  func waiting() {
    let parts = [
      MultipartBody.Part(name: "a", data: .bytes([1])),
      MultipartBody.Part(name: "b", data: .stream(Source("x", descriptor: 9), length: 1)),
    ]
    let body = MultipartBody(parts, boundary: "B")
    #expect(body.awaitedDescriptor == nil)
    var buffer = [UInt8](repeating: 0, count: 1000)
    func read() -> Int? { buffer.withUnsafeMutableBytes { body.read(into: $0) } }
    for _ in 0..<4 { #expect(read() ?? 0 > 0) }
    _ = read()
    #expect(body.awaitedDescriptor == 9)
    while let count = read(), count > 0 {}
    #expect(body.awaitedDescriptor == nil)
  }
}

/// A file of a form; tests read it on one thread.
private final class Source: HTTPBodySource, @unchecked Sendable {
  private let bytes: [UInt8]
  private let failsAt: Int
  private let isRepeatable: Bool
  private var offset = 0
  let awaitedDescriptor: Int32?

  init(
    _ text: String, failsAt: Int = .max, isRepeatable: Bool = true, descriptor: Int32? = nil
  ) {
    bytes = Array(text.utf8)
    self.failsAt = failsAt
    self.isRepeatable = isRepeatable
    awaitedDescriptor = descriptor
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard offset < failsAt else { return nil }
    let count = min(buffer.count, bytes.count - offset, 2)
    buffer.copyBytes(from: bytes[offset..<(offset + count)])
    offset += count
    return count
  }

  func rewind() -> Bool {
    offset = 0
    return isRepeatable
  }
}
