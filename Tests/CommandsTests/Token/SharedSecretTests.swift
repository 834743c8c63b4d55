import CoreTestSupport

@testable import Commands

@Suite("The shared secret of token verify")
struct SharedSecretTests {
  private static func token(_ secret: [UInt8]) throws -> String {
    try JWS.sign(
      header: [:], payload: Array(#"{"exp":4102444800}"#.utf8), secret: secret, algorithm: .hs256)
  }

  @Test("is one line of text without its end, or other bytes as they are")
  func content() async throws {
    let program = try TestProgram([:])
    let random: [UInt8] = [0, 0xFF, 0x0A] + (try Random.bytes(32)) + [0x0A]
    let text = Array(String(repeating: "s", count: 40).utf8)
    let latin = [UInt8](repeating: 0xE9, count: 40) + [0x0A]
    for (content, secret) in [
      (text, text), (text + [0x0A], text), (text + [0x0D, 0x0A], text), (random, random),
      (text + [0x0A] + text, text + [0x0A] + text), (latin, latin),
    ] {
      let file = try program.folder.write(content, to: "secret")
      let run = try await program.run(
        "token", "verify", "--secret-file", file, "-", input: Self.token(secret))
      #expect(run.status == .status(.success), "\(run)")
    }
  }
}
