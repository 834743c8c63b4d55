import CCurl
import Testing

@testable import Curl

@Suite("Content codings")
struct ContentDecoderTests {
  /// `hello`, by gzip 1.12.
  static let hello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6,
    0x10, 0x36, 0x05, 0, 0, 0,
  ]

  private static func decoded(_ bytes: [UInt8], by pieces: Int) -> (text: [UInt8], mayEnd: Bool)? {
    guard let decoder = try? ContentDecoder.named("gzip"), (try? CurlLibrary.load()) != nil else {
      return nil
    }
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
      let isSound = piece.withUnsafeBytes { piece in
        (try? decoder.decode(piece) { part in
          text += part
          return true
        }) != nil
      }
      if !isSound { return nil }
    }
    return (text, decoder.mayEnd)
  }

  @Test("A body is decoded whatever its pieces are, and may end only where a member ends")
  func pieces() throws {
    for size in [1, 2, 10, 25] {
      let one = try #require(Self.decoded(Self.hello, by: size))
      #expect(one.text == Array("hello".utf8) && one.mayEnd)
      let two = try #require(Self.decoded(Self.hello + Self.hello, by: size))
      #expect(two.text == Array("hellohello".utf8) && two.mayEnd)
      #expect(Self.decoded(Self.hello + [0x1F], by: size)?.mayEnd == false)
      #expect(Self.decoded(Array(Self.hello.dropLast()), by: size)?.mayEnd == false)
      #expect(Self.decoded(Self.hello + [0x41, 0x42], by: size) == nil)
    }
    #expect(Self.decoded([], by: 1)?.mayEnd == true)
  }

  @Test("A body in zlib's format is one stream: nothing may follow it, not even another one")
  func joinedStreams() throws {
    try CurlLibrary.load()
    // `hello`, by zlib 1.2.13.
    let hello: [UInt8] = [
      0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x06, 0x2C, 0x02, 0x15,
    ]
    for (bytes, isSound) in [(hello, true), (hello + hello, false), (hello + [0], false)] {
      let decoder = try #require(try ContentDecoder.named("deflate"))
      let decoded = bytes.withUnsafeBytes { bytes in
        (try? decoder.decode(bytes) { _ in true }) != nil
      }
      #expect((decoded && decoder.mayEnd) == isSound)
    }
  }

  @Test("A field with one of the codings that are requested is accepted")
  func fields() throws {
    for field in ["", "identity", " none"] { #expect(try ContentDecoder.named(field) == nil) }
    for field in ["gzip", "X-GZIP ", "deflate"] { #expect(try ContentDecoder.named(field) != nil) }
    for field in ["compress", "br", "zstd", "gzip, gzip", "deflate, gzip", "gzip, foo", "gzip;q=1"]
    {
      #expect(throws: ContentDecoder.Failure.corrupt) { try ContentDecoder.named(field) }
    }
  }

  @Test("No bytes do not begin a body")
  func nothing() throws {
    let decoder = try #require(try ContentDecoder.named("gzip"))
    let bytes: [UInt8] = [0]
    try bytes.prefix(0).withUnsafeBytes { try decoder.decode($0) { _ in false } }
    #expect(decoder.mayEnd)
  }

  @Test("Who takes the bytes may refuse them")
  func refusal() throws {
    try CurlLibrary.load()
    let decoder = try #require(try ContentDecoder.named("gzip"))
    let error = #expect(throws: ContentDecoder.Failure.self) {
      try Self.hello.withUnsafeBytes { bytes in try decoder.decode(bytes) { _ in false } }
    }
    #expect(error == .refused)
  }
}
