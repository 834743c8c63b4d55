import Testing

@testable import Sandbox

@Suite("The UAF server reads TLV and keeps its counters")
struct UAFTests {
  @Test("elements fill their bytes, and the length is little-endian")
  func reads() throws {
    let elements = try TLV.all(in: [0x0B, 0x2E, 1, 0, 7, 0x0C, 0x2E, 0, 0])
    #expect(elements.map(\.tag) == [0x2E0B, 0x2E0C])
    #expect(elements.map { Array($0.value) } == [[7], []])
    #expect(Array(elements[0].encoded) == [0x0B, 0x2E, 1, 0, 7])
    let long = [0x0B, 0x2E, 0x00, 0x01] + [UInt8](repeating: 1, count: 256)
    #expect(try TLV.all(in: long[...]).first?.value.count == 256)
  }

  @Test("bytes that are no elements are refused", arguments: 1...8)
  func refuses(count: Int) {
    let bytes: [UInt8] = [0x0B, 0x2E, 5, 0, 1, 2, 3, 4, 5]
    #expect(throws: UAFRefusal.self) { try TLV.all(in: bytes.prefix(count)) }
  }

  @Test("a key is of its encoding, and a signature of its algorithm")
  func verifies() throws {
    let key = try PrivateKey()
    let raw = try key.sign([1, 2, 3])
    let der = Self.sequence([Array(raw.prefix(32)), Array(raw.suffix(32))])
    let info = try key.publicKey.der()
    for (bytes, encoding) in [(Array(info.suffix(65)), UInt16(0x100)), (info, 0x101)] {
      let read = try UAFKey(bytes, encoding: encoding)
      #expect(read.verifies(raw, of: [1, 2, 3], algorithm: 0x01))
      #expect(read.verifies(der, of: [1, 2, 3], algorithm: 0x02))
      #expect(!read.verifies(der, of: [1, 2, 3], algorithm: 0x01))
      #expect(!read.verifies(raw, of: [1, 2, 3], algorithm: 0x02))
      #expect(!read.verifies(raw, of: [1, 2], algorithm: 0x01))
      #expect(!read.verifies(raw, of: [1, 2, 3], algorithm: 0x05))
      #expect(throws: UAFRefusal.self) { try UAFKey(bytes, encoding: encoding ^ 1) }
      #expect(throws: UAFRefusal.self) { try UAFKey(bytes + [0], encoding: encoding) }
    }
  }

  /// The DER document of two positive numbers.
  private static func sequence(_ numbers: [[UInt8]]) -> [UInt8] {
    let elements = numbers.flatMap { number -> [UInt8] in
      let digits = Array(number.drop { $0 == 0 })
      let signed = (digits.first ?? 0) > 0x7F ? [0] + digits : digits
      return [0x02, UInt8(signed.count)] + signed
    }
    return [0x30, UInt8(elements.count)] + elements
  }

  @Test(
    "a model is four digits, '#' and four digits",
    arguments: [
      ("FFFF#0001", true), ("f1d0#1001", true), ("FFFF#000", false), ("FFFF#00011", false),
      ("FFFF-0001", false), ("GFFF#0001", false), ("", false),
    ])
  func models(text: String, isGood: Bool) { #expect(FIDOAuthenticator.isAAID(text) == isGood) }

  @Test("a session ends at its time, and with all others")
  func sessions() {
    var sessions = GatewaySessions()
    let session = GatewaySessions.Session(subject: "user-1", end: 100, usedFIDO: true)
    let (one, other) = (sessions.open(session), sessions.open(session))
    #expect(one != other)
    #expect(sessions.session(one, now: 99)?.usedFIDO == true)
    #expect(sessions.session(one, now: 100) == nil)
    #expect(sessions.session("x", now: 1) == nil)
    sessions.end()
    #expect(sessions.session(other, now: 1) == nil)
    #expect(sessions.generation == 1)
  }

  @Test("options take their values, and 'default' undoes them")
  func options() {
    var options = FIDOOptions()
    for (name, value) in [
      ("result", "jwt-field"), ("lifetime", "5"), ("attestation", "loaded"), ("late", "2"),
      ("status", "1500"), ("transaction", "Pay"), ("facets", "a,b"), ("app-id", ""),
      ("accept", "FFFF#0001"),
    ] {
      let isSet = options.set(name, value)
      #expect(isSet, "\(name)")
    }
    #expect(options.json != FIDOOptions().json)
    for name in FIDOOptions.names {
      let isUndone = options.set(name, "default")
      #expect(isUndone, "\(name)")
    }
    #expect(options.json == FIDOOptions().json)
    for (name, value) in [
      ("result", "x"), ("lifetime", "-1"), ("attestation", "x"), ("late", "x"), ("status", "1"),
      ("moon", "1"),
    ] {
      let isSet = options.set(name, value)
      #expect(!isSet, "\(name)")
    }
  }
}
