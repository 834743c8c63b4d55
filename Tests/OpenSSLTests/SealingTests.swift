import OpenSSL
import TestSupport

@Suite("Sealed secrets")
struct SealingTests {
  private static let cheap = ScryptCost(n: 16, r: 1, p: 1)

  @Test("open with their passphrase and purpose only")
  func opened() throws {
    let secret = Array("secret".utf8)
    let passphrase: [UInt8] = [0x00, 0xFF, 0x70]
    let sealed = try Sealing.seal(secret, with: passphrase, purpose: "key", cost: Self.cheap)
    #expect(try Sealing.open(sealed, with: passphrase, purpose: "key") == secret)
    #expect(try Sealing.open(sealed, with: [0x00, 0xFF], purpose: "key") == nil)
    #expect(try Sealing.open(sealed, with: [], purpose: "key") == nil)
    #expect(try Sealing.open(sealed, with: passphrase, purpose: "token") == nil)
    var changed = sealed.ciphertext
    changed[0] ^= 1
    let damaged = SealedSecret(
      cost: Self.cheap, salt: sealed.salt, iv: sealed.iv, ciphertext: changed, tag: sealed.tag)
    #expect(try Sealing.open(damaged, with: passphrase, purpose: "key") == nil)
  }

  @Test("are different each time")
  func fresh() throws {
    let one = try Sealing.seal([1], with: [1], purpose: "", cost: Self.cheap)
    let two = try Sealing.seal([1], with: [1], purpose: "", cost: Self.cheap)
    #expect(one.salt != two.salt)
    #expect(one.iv != two.iv)
  }

  @Test(
    "that ask for more than a guess may cost are refused",
    arguments: [
      ScryptCost(n: 1 << 21, r: 8, p: 1), ScryptCost(n: 15, r: 1, p: 1),
      ScryptCost(n: 16, r: 0, p: 1), ScryptCost(n: 16, r: 1, p: 17),
      ScryptCost(n: 1 << 20, r: 16, p: 1), ScryptCost(n: -16, r: 1, p: 1),
    ])
  func bounded(cost: ScryptCost) throws {
    let sealed = SealedSecret(cost: cost, salt: [1], iv: [1], ciphertext: [1], tag: [1])
    #expect(throws: CryptoError.self) { try Sealing.open(sealed, with: [1], purpose: "") }
  }

  /// The second vector of RFC 7914 section 12 gives the key; the cipher is tested by itself.
  @Test("are AES-256-GCM under the key of scrypt")
  func vector() throws {
    let key = try #require(
      Hex.decode("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162".utf8))
    let iv = [UInt8](repeating: 7, count: 12)
    let (ciphertext, tag) = try AES.seal(
      Array("text".utf8), key: key, iv: iv, additional: Array("purpose".utf8))
    let sealed = SealedSecret(
      cost: ScryptCost(n: 1024, r: 8, p: 16), salt: Array("NaCl".utf8), iv: iv,
      ciphertext: ciphertext, tag: tag)
    let opened = try Sealing.open(sealed, with: Array("password".utf8), purpose: "purpose")
    #expect(opened == Array("text".utf8))
  }
}
