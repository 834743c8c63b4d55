import Primitives
import TestSupport
import Testing

@testable import JOSE

@Suite("Reading tokens in bulk")
struct BulkReadingTests {
  /// The decoder is used again, as for many tokens.
  private static func decode(_ decoder: inout Base64URLDecoder, _ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { decoder.decode($0) { Array($0) } }
  }

  @Test("base64url is decoded as strictly as elsewhere, at each length and with each character")
  func base64() {
    var decoder = Base64URLDecoder()
    var dice = Dice(state: 3)
    for count in 1..<70 {
      let bytes = (0..<count).map { _ in UInt8(dice.next() & 0xFF) }
      let text = Array(Base64URL.encode(bytes).utf8)
      #expect(Self.decode(&decoder, text) == bytes)
      for index in Set([0, text.count / 2, text.count - 1]) {
        for byte in UInt8.min...UInt8.max {
          var changed = text
          changed[index] = byte
          #expect(
            Self.decode(&decoder, changed) == Base64.decode(changed, alphabet: .url),
            "\(changed)")
        }
      }
      #expect(Self.decode(&decoder, text + [0x41]) == Base64.decode(text + [0x41], alphabet: .url))
    }
    let long = [UInt8](repeating: 0x5A, count: 10_000)
    #expect(Self.decode(&decoder, long) == Base64.decode(long, alphabet: .url))
    #expect(Self.decode(&decoder, []) == nil)
  }

  @Test("a string with any character that is not plain ASCII is left to the JSON parser")
  func strings() {
    for count in [1, 7, 8, 9, 16, 19] {
      for index in 0..<count {
        for byte in UInt8.min...UInt8.max {
          var value = [UInt8](repeating: 0x61, count: count)
          value[index] = byte
          let claims = Array(#"{"iss":""#.utf8) + value + Array(#"","exp":2000}"#.utf8)
          let issuer = claims.withUnsafeBufferPointer { bytes in
            ClaimScanner(bytes, audiences: []).map {
              Array($0.issuer ?? .init(rebasing: bytes[..<0]))
            }
          }
          let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
          #expect(issuer == (isPlain ? value : nil), "\(byte) at \(index) of \(count)")
        }
      }
    }
  }
}
