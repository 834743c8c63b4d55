import JOSE
import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token decode, from other forms")
struct TokenDecodeInputTests {
  @Test("finds the tokens of a token response, and of a quoted header line")
  func responses() async throws {
    let program = try TestProgram([:])
    let token = TestToken.text(#"{"sub":"alice"}"#)
    let response: JSON = [
      "access_token": "opaque", "id_token": .string(token), "token_type": "Bearer",
    ]
    let run = try await program.run(
      "token", "decode", "--json", "-", input: response.serialized(.pretty))
    #expect(run.status == .status(.success), "\(run)")
    let lines = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines.count == 2)
    #expect(lines[0] == ["name": "access_token", "opaque": true])
    #expect(lines[1]["name"] == "id_token")
    #expect(lines[1]["payload"]?["sub"] == "alice")
    for text in ["Authorization: Bearer \(token)", "'\(token)'", " \"bearer  \(token)\"\n"] {
      let run = try await program.run("token", "decode", "--json", "-", input: text)
      #expect(run.json?["payload"]?["sub"] == "alice", "\(text)")
    }
  }

  @Test("draws the lifetime on a terminal")
  func lifetime() throws {
    let lifetime = Lifetime(start: 1000, end: 2000)
    #expect(lifetime.bar(at: 1500, width: 10) == "issued [=====>----] expires  (50 % passed)")
    #expect(lifetime.bar(at: 900, width: 10) == "issued [>---------] expires  (not yet valid)")
    #expect(lifetime.bar(at: 2000, width: 10) == "issued [==========] expires  (expired)")
    #expect(Lifetime(start: 5, end: 5).bar(at: 5, width: 10) == nil)
  }
}
