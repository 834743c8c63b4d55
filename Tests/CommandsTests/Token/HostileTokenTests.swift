import JOSE
import JSON
import SDKCore
import TestSupport
import Testing

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
    "that cannot be read are not decoded",
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

  @Test("are refused before their work factor or their compression counts")
  func encrypted() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(
      #"{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAA"}"#, to: "key")
    for header in [
      #"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2c":2147483647,"p2s":"AAAA"}"#,
      #"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#, #"{"alg":"RSA1_5","enc":"A128GCM"}"#,
      #"{"alg":"dir","enc":"A1GCM"}"#,
    ] {
      let run = try await program.run(
        "token", "decode", "--key", file, "-", input: "\(Self.encoded(header))..AAAA.AAAA.AAAA")
      #expect(run.status == .status(.failure), "\(header)")
    }
  }

  @Test(
    "and keys: an exponent of one, a point beside the curve, another curve",
    arguments: [
      #"{"kty":"RSA","n":"\#(String(repeating: "_", count: 342))","e":"AQ"}"#,
      #"{"kty":"EC","crv":"P-256","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","y":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
    ])
  func keys(key: String) async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(key, to: "key")
    let run = try await program.run(
      "token", "verify", "--key", file, "-",
      input: Self.token(Self.header, Self.claims, Self.zeros))
    #expect(run.status == .status(.configuration), "\(run)")
    let other = try SigningKey.generate(.es384)
    let curve = try program.folder.write(other.publicKey.json.serialized(), to: "curve")
    let mismatch = try await program.run(
      "token", "verify", "--key", curve, "-",
      input: Self.token(Self.header, Self.claims, Self.zeros))
    #expect(mismatch.status == .status(.verification))
    #expect(mismatch.errors.contains("key: "))
  }
}
