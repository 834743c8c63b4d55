import Primitives
import TestSupport
import Testing

@testable import Commands

@Suite("token --sasl")
struct SASLTests {
  private static func message(_ words: String...) async throws -> String {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run(["token"] + words)
    #expect(run.status == .status(.success), "\(run)")
    let bytes = try #require(Base64.decode(Array(run.output.dropLast().utf8)))
    return String(decoding: bytes, as: UTF8.self).map { $0 == "\u{1}" ? "^" : String($0) }.joined()
  }

  @Test("prints the messages of RFC 7628 and of its precursor")
  func messages() async throws {
    #expect(
      try await Self.message("--sasl", "user@example.com")
        == "n,a=user@example.com,^auth=Bearer u1^^")
    #expect(
      try await Self.message("--sasl", "a=b,c", "--sasl-server", "mail.example.com:143")
        == "n,a=a=3Db=2Cc,^host=mail.example.com^port=143^auth=Bearer u1^^")
    #expect(
      try await Self.message("--sasl", "a=b,c", "--sasl-mechanism", "xoauth2")
        == "user=a=b,c^auth=Bearer u1^^")
  }

  @Test("refuses a name that would end its field, and other forms beside it")
  func refused() async throws {
    let program = try await TestProgram.loggedIn()
    for words in [
      ["--sasl", "a\u{1}auth=Bearer x"], ["--sasl", "a\n"], ["--sasl", "a", "--header"],
      ["--sasl", "a", "--json"], ["--sasl-mechanism", "xoauth2"],
      ["--sasl", "a", "--sasl-server", "mail.example.com"],
      ["--sasl", "a", "--sasl-server", "mail.example.com:0"],
      ["--sasl", "a", "--sasl-server", "a\u{1}b:1"],
    ] {
      let run = try await program.run(["token"] + words)
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.output == "")
    }
  }
}
