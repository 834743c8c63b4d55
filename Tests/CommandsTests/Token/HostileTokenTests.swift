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
  ]

  @Test("that are malformed are not decoded", arguments: jws)
  func decode(name: String, text: String) async throws {
    let program = try TestProgram([:])
    let run = try await program.run("token", "decode", "-", input: text)
    #expect(run.status == .status(.failure), "\(run.output.prefix(300))")
    #expect(run.output == "")
  }
}
