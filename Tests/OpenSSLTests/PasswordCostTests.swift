import TestSupport

@testable import OpenSSL

/// Files whose password needs a number of iterations that the file says.
@Suite("Iterations of a password")
struct PasswordCostTests {
  private static let limit = 10_000_000

  /// Small enough to be tried, if it is not refused: some seconds.
  private static let tooMany: [Int] = [limit + 1, Int(Int32.max), 1 << 40]

  @Test("above 10,000,000 are refused for an encrypted key, before one is done", arguments: tooMany)
  func key(rounds: Int) throws {
    let der = Self.encryptedKey(derivation: Self.pbkdf2(rounds))
    let pem = Array(PEM.encode(der, label: "ENCRYPTED PRIVATE KEY").utf8)
    for bytes in [der, pem] {
      let error = expect(.costly) { try KeyMaterial.items(in: bytes, password: "p") }
      #expect(error?.reasons == ["its password needs more than 10,000,000 iterations"])
    }
  }

  @Test("of scrypt count by all its numbers")
  func scrypt() {
    for (n, r, p, kind) in [
      (1 << 20, 8, 2, .costly), (1 << 40, 8, 1, .costly), (2, 1, 1 << 24, .costly),
      (16, 1, 1, .wrongPassword),
    ] as [(Int, Int, Int, CryptoError.Kind)] {
      let der = Self.encryptedKey(derivation: Self.scrypt(n, r, p))
      let error = #expect(throws: CryptoError.self) {
        try KeyMaterial.items(in: der, password: "p")
      }
      #expect(error?.kind == kind, "\(n) \(r) \(p)")
    }
  }

  @Test("that cannot be read are refused")
  func unreadable() {
    let der = Self.encryptedKey(
      derivation: DERWriter.sequence([Self.pbkdf2Name, DERWriter.octets([1])]))
    expect(.costly) { try KeyMaterial.items(in: der, password: "p") }
  }

  @Test("are refused wherever a PKCS #12 file has them", arguments: tooMany)
  func pkcs12(rounds: Int) throws {
    let der = try Self.file(password: "p")
    let file = try #require(DERValue(der)?.children)
    #expect(file.count == 3)
    // MAC, certificate, key: without a MAC the others are read at once.
    let mac = DERWriter.sequence([file[0].der, file[1].der, file[2].with(rounds)])
    let certificate = DERWriter.sequence([file[0].der, file[1].with(rounds)])
    let key = DERWriter.sequence([file[0].der, file[1].with(rounds, from: 1)])
    for (index, bytes) in [mac, certificate, key].enumerated() {
      let error = #expect(throws: CryptoError.self) { try PKCS12.read(bytes, password: "p") }
      #expect(error?.kind == .costly, "\(index)")
    }
    // The same files with as many iterations as before are not refused for that.
    #expect(
      try PKCS12.read(DERWriter.sequence(file.map { $0.with(100_000) }), password: "p").keys
        .count == 1)
    #expect(
      try PKCS12.read(
        DERWriter.sequence([file[0].der, file[1].with(100_000)]), password: "p"
      ).keys.count == 1)
  }

  @Test("of all that one file needs count together: both forms of an empty password are tried once")
  func total() throws {
    let file = try #require(DERValue(try Self.file(password: "p"))?.children)
    let bytes = DERWriter.sequence([file[0].der, file[1].der, file[2].with(Self.limit / 2 + 1)])
    expect(.costly) { try PKCS12.read(bytes, password: nil) }
    let pem = PEM.encode(
      Self.encryptedKey(derivation: Self.pbkdf2(Self.limit / 2 + 1)), label: "ENCRYPTED PRIVATE KEY"
    )
    expect(.costly) { try KeyMaterial.items(in: Array((pem + pem).utf8), password: "p") }
    let half = DERWriter.sequence([file[0].der, file[1].der, file[2].with(Self.limit / 2)])
    expect(.wrongPassword) { try PKCS12.read(half, password: nil) }
  }

  private static func file(password: String) throws -> [UInt8] {
    let key = try PrivateKey.generate(.ec(.p256))
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "alice", from: 1_700_000_000, to: 4_000_000_000)
    return try PKCS12.encode(key, certificate, password: password, name: "alice")
  }

  private static let pbkdf2Name: [UInt8] = [
    0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C,
  ]

  private static func pbkdf2(_ rounds: Int) -> [UInt8] {
    DERWriter.sequence([
      pbkdf2Name, DERWriter.sequence([DERWriter.octets([1, 2, 3, 4]), number(rounds)]),
    ])
  }

  private static func scrypt(_ n: Int, _ r: Int, _ p: Int) -> [UInt8] {
    DERWriter.sequence([
      [0x06, 9, 0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B],
      DERWriter.sequence([DERWriter.octets([1, 2, 3, 4]), number(n), number(r), number(p)]),
    ])
  }

  /// Nothing that decrypts: PBES2 with AES-256-CBC.
  private static func encryptedKey(derivation: [UInt8]) -> [UInt8] {
    let cipher = DERWriter.sequence([
      [0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A],
      DERWriter.octets([UInt8](repeating: 7, count: 16)),
    ])
    return DERWriter.sequence([
      DERWriter.sequence([
        [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D],
        DERWriter.sequence([derivation, cipher]),
      ]),
      DERWriter.octets([UInt8](repeating: 9, count: 48)),
    ])
  }

  static func number(_ value: Int) -> [UInt8] {
    DERWriter.integer(withUnsafeBytes(of: value.bigEndian) { Array($0) })
  }
}

extension DERValue {
  fileprivate var der: [UInt8] { DERWriter.element(tag, content) }

  /// The value with another number of iterations, in place of those that are written here; the first
  /// ones stay.
  fileprivate func with(_ rounds: Int, from start: Int = 0) -> [UInt8] {
    var seen = 0
    return changed(rounds, start, &seen)
  }

  private func changed(_ rounds: Int, _ start: Int, _ seen: inout Int) -> [UInt8] {
    if integer == 100_000 {
      seen += 1
      return seen > start ? PasswordCostTests.number(rounds) : der
    }
    if let children {
      return DERWriter.element(tag, children.flatMap { $0.changed(rounds, start, &seen) })
    }
    // The parts of a file are DER in OCTET STRING.
    if tag == 0x04, let inner = DERValue(content), inner.tag == DERValue.sequence {
      return DERWriter.element(tag, inner.changed(rounds, start, &seen))
    }
    return der
  }
}
