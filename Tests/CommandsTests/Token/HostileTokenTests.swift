import CoreTestSupport

@testable import Commands

@Suite("Hostile tokens")
struct HostileTokenTests {
  private static func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

  private static func token(_ header: String, _ claims: String, _ signature: String) -> String {
    "\(encoded(header)).\(encoded(claims)).\(signature)"
  }

  private static let header = #"{"alg":"ES256"}"#
  private static let claims = #"{"exp":4102444800}"#
  private static let zeros = Base64URL.encode([UInt8](repeating: 0, count: 64))
  private static let zeroR = Base64URL.encode(
    [UInt8](repeating: 0, count: 32) + [UInt8](repeating: 7, count: 32))
  private static let zeroS = Base64URL.encode(
    [UInt8](repeating: 7, count: 32) + [UInt8](repeating: 0, count: 32))
  /// The order of P-256, which r and s must be below.
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6,
    0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]
  private static let der = Base64URL.encode([0x30, 0x06, 2, 1, 1, 2, 1, 1])

  private static let jws: [(name: String, text: String)] = [
    ("repeated claim", token(header, #"{"exp":4102444800,"exp":1}"#, zeros)),
    ("repeated header member", token(#"{"alg":"ES256","alg":"none"}"#, claims, zeros)),
    ("10 MB", token(header, String(repeating: "a", count: 10 << 20), zeros)),
    (
      "depth 10,000",
      token(
        header,
        String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000), zeros)
    ),
    (
      "not UTF-8",
      "\(encoded(header)).\(Base64URL.encode(Array("{\"a\":\"".utf8) + [0xFF, 0x22, 0x7D])).\(zeros)"
    ),
    ("padding", "\(encoded(header)).\(encoded(claims))=.\(zeros)"),
    ("stray bits", "\(encoded(header)).e31.\(zeros)"),
    ("unsigned", token(#"{"alg":"none"}"#, claims, "")),
    ("unknown algorithm", token(#"{"alg":"nOnE"}"#, claims, "")),
    ("r and s are zero", token(header, claims, zeros)), ("r is zero", token(header, claims, zeroR)),
    ("s is zero", token(header, claims, zeroS)),
    ("r and s are the order", token(header, claims, Base64URL.encode(order + order))),
    ("MAC with the public key", token(#"{"alg":"HS256"}"#, claims, String(zeros.prefix(43)))),
    ("DER signature", token(header, claims, der)),
    ("empty kid", token(#"{"alg":"ES256","kid":""}"#, claims, zeros)),
    ("critical extension", token(#"{"alg":"ES256","crit":["x"],"x":1}"#, claims, zeros)),
    ("detached payload", token(#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, claims, zeros)),
    ("kid as path", token(#"{"alg":"ES256","kid":"../../dev/null"}"#, claims, zeros)),
    ("foreign keys", token(#"{"alg":"ES256","jku":"https://x.test/k"}"#, claims, zeros)),
  ]

  @Test("are never verified, alone or among others", arguments: jws.map(\.name))
  func verify(name: String) async throws {
    let text = try #require(Self.jws.first { $0.name == name }).text
    let program = try TestProgram([:])
    let key = try SigningKey.generate(.es256)
    let file = try program.folder.write(key.publicKey.json.serialized(), to: "key")
    let good = try key.sign(header: [:], payload: Array(Self.claims.utf8))
    let alone = try await program.run("token", "verify", "--key", file, "-", input: text)
    #expect(alone.status == .status(.verification), "\(alone.errors.prefix(300))")
    let lines = [good, text, good].joined(separator: "\n")
    let many = try await program.run("token", "verify", "--key", file, "-", input: lines)
    #expect(many.status == .status(.verification))
    let verdicts = many.output.split(separator: "\n").map { $0.prefix(10).description }
    #expect(verdicts == ["1: valid", "2: invalid", "3: valid"])
  }

  @Test(
    "that are malformed are not decoded",
    arguments: [
      "repeated claim", "repeated header member", "10 MB", "depth 10,000", "not UTF-8", "padding",
      "stray bits",
    ])
  func decode(name: String) async throws {
    let text = try #require(Self.jws.first { $0.name == name }).text
    let program = try TestProgram([:])
    let run = try await program.run("token", "decode", "-", input: text)
    #expect(run.status == .status(.failure), "\(run.output.prefix(300))")
    #expect(run.output == "")
  }

  private static func verify(
    _ token: String, publishing keys: [JSON], _ words: String...
  ) async throws -> ProgramRun {
    let program = try TestProgram([:])
    let set: JSON = ["keys": .array(keys)]
    program.transport.respond("https://id.test/jwks", [.json(set.serialized())])
    return try await program.run(["token", "verify", "-"] + words, input: token)
  }
}
