import SDKCore
import Testing

@testable import Commands

@Suite("version")
struct VersionTests {
  @Test("prints the version and that of the network library")
  func text() async throws {
    expect(
      try await TestProgram().run("version"), .success,
      output: "sdkctl \(Version.text)\nlibcurl/0 OpenSSL/0\n")
  }

  @Test("with --json prints an object")
  func json() async throws {
    expect(
      try await TestProgram().run("version", "--json"), .success,
      output: #"{"network":"libcurl/0 OpenSSL/0","sdkctl":"\#(Version.text)"}"# + "\n")
  }

  @Test("says that libcurl is missing, and does not fail")
  func missing() async throws {
    let program = try TestProgram()
    program.removeNetwork()
    expect(
      try await program.run("version"), .success,
      output: "sdkctl \(Version.text)\nlibcurl is missing or unsuitable\n")
    expect(
      try await program.run("version", "--json"), .success,
      output: #"{"network":null,"sdkctl":"\#(Version.text)"}"# + "\n")
  }

  @Test("--version prints one line without the network library")
  func option() async throws {
    expect(
      try await TestProgram().run("--version"), .success, output: "sdkctl \(Version.text)\n")
  }
}
