import OpenSSL
import Testing

@testable import JOSE

@Suite("The encryption of a content")
struct ContentEncryptionTests {
  @Test("is opened by a key of its own length alone", arguments: JWEEncryption.allCases)
  func keyLength(encryption: JWEEncryption) throws {
    let iv = try Random.bytes(encryption.ivByteCount)
    var others = 0
    for count in [16, 24, 32, 48, 64] {
      let key = try Random.bytes(count)
      // A key of another length encrypts too: as another of the algorithms, in part.
      guard let sealed = try? encryption.seal([1, 2], key: key, iv: iv, additional: [3]) else {
        continue
      }
      let opened = encryption.open(
        sealed.ciphertext, tag: sealed.tag, key: key, iv: iv, additional: [3])
      #expect(opened == (count == encryption.keyByteCount ? [1, 2] : nil))
      if count != encryption.keyByteCount { others += 1 }
    }
    #expect(others > 0)
  }
}
