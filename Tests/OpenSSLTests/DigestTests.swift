import TestSupport

@testable import OpenSSL

struct DigestTests {
  @Test(
    "digests are those of FIPS 180-4",
    arguments: [
      (DigestAlgorithm.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        .sha384, "abc",
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
          + "8086072ba1e7cc2358baeca134c825a7"
      ),
      (
        .sha512, "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ])
  func digest(algorithm: DigestAlgorithm, text: String, expected: String) throws {
    let bytes = Array(text.utf8)
    #expect(try Hex.encode(Digest.hash(bytes, with: algorithm)) == expected)
    #expect(Hex.decode(expected.utf8)?.count == algorithm.byteCount)
  }

  /// RFC 4231, cases 2 and 6, and an HMAC without key and message.
  private static let hmacs: [(DigestAlgorithm, key: [UInt8], message: String, String)] = [
    (.sha256, jefe, question, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (
      .sha384, jefe, question,
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
        + "8e2240ca5e69e2c78b3239ecfab21649"
    ),
    (
      .sha512, jefe, question,
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
    (
      .sha256, [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (.sha256, [], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ]
  private static let jefe = Array("Jefe".utf8)
  private static let question = "what do ya want for nothing?"

  @Test("HMACs are those of RFC 4231", arguments: hmacs)
  func hmac(algorithm: DigestAlgorithm, key: [UInt8], message: String, expected: String) throws {
    let mac = try HMAC.authenticate(Array(message.utf8), key: key, with: algorithm)
    #expect(Hex.encode(mac) == expected)
  }

  @Test("random bytes have their number and do not repeat")
  func random() throws {
    #expect(try Random.bytes(0).isEmpty)
    #expect(try Random.bytes(32).count == 32)
    #expect(try Random.bytes(32) != Random.bytes(32))
  }

  @Test(
    "comparison in constant time compares",
    arguments: [
      ([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1, 2], [1], false),
      ([], [0], false),
    ] as [([UInt8], [UInt8], Bool)])
  func constantTime(left: [UInt8], right: [UInt8], equal: Bool) {
    #expect(ConstantTime.equal(left, right) == equal)
  }
}
