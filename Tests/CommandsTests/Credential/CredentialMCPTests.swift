import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential mcp")
struct CredentialMCPTests {
  @Test("prints the header field, for a server that the profile allows")
  func fields() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run("credential", "mcp")
    #expect(run.json == ["Authorization": "Bearer u1"], "\(run)")
    program.setVariable("CLAUDE_CODE_MCP_SERVER_URL", "https://api.test/mcp")
    #expect(try await program.run("credential", "mcp").json == ["Authorization": "Bearer u1"])
    for url in [
      "https://evil.test/", "http://api.test/", "api.test", "https://api.test?.evil.test/",
      "https://api.test#@evil.test/", "https://api.test\\@evil.test/", "https://a@api.test/",
    ] {
      program.setVariable("CLAUDE_CODE_MCP_SERVER_URL", url)
      let run = try await program.run("credential", "mcp")
      #expect(run.status == .status(.policy), "\(run)")
      #expect(run.output == "")
    }
  }

  @Test("install prints the configuration of a server")
  func install() async throws {
    let run = try await TestProgram.loggedIn().run("credential", "mcp", "install")
    let server = run.json?["mcpServers"]?["work"]
    #expect(server?["type"] == "http", "\(run)")
    #expect(server?["url"] == "https://api.test/v1")
    #expect(server?["headersHelper"]?.string?.hasSuffix(" -p work credential mcp") == true)
  }
}
