import HTTP
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("HTTP/3 of fetch")
struct FetchHTTP3Tests {
  @Test("--http3 is asked for on each hop, and not without it")
  func preference() async throws {
    let program = try TestProgram.loggedIn([:])
    program.transport.respond(
      "https://api.test/v1/me", [.redirect(302, to: "https://api.test/v1/you"), .json("1")])
    program.transport.respond("https://api.test/v1/you", [.json("2")])
    expect(try await program.run("fetch", "--http3", "/me"), .success, output: "2")
    #expect(program.transport.sent.map(\.prefersHTTP3) == [true, true])
    expect(try await program.run("fetch", "/me"), .success, output: "1")
    #expect(program.transport.sent.last?.prefersHTTP3 == false)
  }

  @Test("--http3 counts for all requests of a batch")
  func batch() async throws {
    let program = try TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", [.json("1"), .json("1")])
    let lines = "{\"path\":\"/me\"}\n{\"path\":\"/me\"}\n"
    let run = try await program.run("fetch", "--http3", "--batch", "-", input: lines)
    #expect(run.status == .status(.success))
    #expect(program.transport.sent.map(\.prefersHTTP3) == [true, true])
  }

  @Test("A libcurl that cannot use HTTP/3 is a usage error before any request")
  func refusal() async throws {
    let program = try TestProgram.loggedIn([:])
    program.http3Refusal = "libcurl 7.88.1 does not have HTTP/3"
    for words in [["/me"], ["--batch", "-"]] {
      let run = try await program.run(["fetch", "--http3"] + words)
      expect(
        run, .usage,
        errors: "sdkctl: error: could not use HTTP/3: libcurl 7.88.1 does not have HTTP/3\n")
    }
    #expect(program.transport.sent.isEmpty)
  }

  @Test("--as-curl has --http3, whatever libcurl can do")
  func curl() async throws {
    let program = try TestProgram.loggedIn([:])
    program.http3Refusal = "no"
    let run = try await program.run("fetch", "--http3", "--as-curl", "/me")
    #expect(run.status == .status(.success))
    #expect(run.output.contains(" --http3 "))
  }
}
