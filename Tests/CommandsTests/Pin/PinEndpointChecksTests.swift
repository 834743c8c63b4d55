import HTTP
import JSON
import Pinning
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("pin check of addresses and protocols")
struct PinEndpointChecksTests {
  @Test("has a row for each address with --all-addresses, and names it in every form")
  func addresses() async throws {
    let program = try await PinCheckTests.program(["api.test": "issuing"])
    program.resolve("api.test", to: ["192.0.2.1", "2001:db8::1", "192.0.2.9"])
    program.trust("api.test")
    for place in ["api.test:443@192.0.2.1", "api.test:443@2001:db8::1"] {
      program.show(.success(.trusted("api.test")), at: place)
    }
    let words = ["pin", "check", "--all-addresses", "--within", "12h"]
    let run = try await program.run(words)
    #expect(run.status == .status(.network))
    let row = PinCheckTests.line("api.test", "OK", "issuing").dropLast()
    #expect(
      run.output == "\(row)\t192.0.2.1\n\(row)\t2001:db8::1\n"
        + "api.test\tUNREACHABLE\t-\t-\t-\t-\t192.0.2.9\n")
    #expect(run.errors.hasPrefix("sdkctl: api.test at 192.0.2.9: "))
    let json = try await program.run(["--json"] + words).json?.array ?? []
    #expect(json.map { $0["address"]?.string } == ["192.0.2.1", "2001:db8::1", "192.0.2.9"])
    let junit = try await program.run(words + ["--junit", "-"]).output
    #expect(junit.containsText("name=\"api.test at 2001:db8::1\""))
    let problems = try await program.run(words + ["--problems"]).errors
    #expect(problems.containsText("3 addresses: 2 OK, 1 UNREACHABLE"))
    let metrics = try await program.run(words + ["--prometheus", "-"]).output
    #expect(metrics.containsText("address=\"192.0.2.1\""))
  }

  @Test("leaves one row for a host whose addresses are not known")
  func noAddresses() async throws {
    let program = try await PinCheckTests.program(["api.test": "issuing"])
    program.trust("api.test")
    expect(
      try await program.run("pin", "check", "--all-addresses", "--within", "12h"), .success,
      output: PinCheckTests.line("api.test", "OK", "issuing"))
  }

  @Test("speaks the protocol of the pin, of the URL or of --starttls")
  func startTLS() async throws {
    let program = try await PinCheckTests.program([:])
    program.show(.success(.trusted("mail.test")), at: "smtp://mail.test:25")
    program.show(.success(.trusted("mail.test")), at: "smtp://mail.test:587")
    #expect(
      try await program.run("pin", "add", "smtp://mail.test", "--yes").status == .status(.success))
    let line = PinCheckTests.line("smtp://mail.test", "OK", "mail.test leaf")
    let ways = [
      [], ["mail.test"], ["mail.test:25"], ["smtp://mail.test"],
      ["--starttls", "smtp", "mail.test"],
    ]
    for words in ways {
      expect(
        try await program.run(["pin", "check", "--within", "12h"] + words), .success, output: line)
    }
    let json = try await program.run("pin", "check", "--within", "12h", "--json").json
    #expect(json?.array?.first?["startTLS"]?.string == "smtp")
    #expect(
      try await program.run("pin", "list", "--json").json?.array?.first?["startTLS"]?.string
        == "smtp")
    expect(
      try await program.run("pin", "export", "--format", "tlsa", "mail.test:25"), .success,
      output:
        "_25._tcp.mail.test. IN TLSA 1 1 1 \(Hex.encode(TestChain.pin("mail.test leaf").sha256))\n")
    _ = try await program.run("pin", "add", "smtp://mail.test:587", "--host", "mail.test", "--yes")
    expect(
      try await program.run("pin", "check", "--within", "12h", "mail.test"), .success,
      output: line + PinCheckTests.line("smtp://mail.test:587", "OK", "mail.test leaf"))
    _ = try await program.run("pin", "remove", "smtp://mail.test:587", "--yes")
    #expect(try await program.run("pin", "list").output.containsText("587") == false)
  }

  @Test("refuses --starttls without a host, and beside the URL of another protocol")
  func wrongStartTLS() async throws {
    let program = try await PinCheckTests.program(["api.test": "issuing"])
    let bare = try await program.run("pin", "check", "--starttls", "smtp")
    #expect(bare.status == .status(.usage))
    #expect(bare.errors.containsText("--starttls needs a host"))
    for text in ["imap://a.test", "https://a.test", "smtps://a.test"] {
      let run = try await program.run("pin", "check", "--starttls", "smtp", text)
      #expect(run.status == .status(.usage))
      #expect(run.errors.containsText("'\(text)' is not a server of smtp"))
    }
  }
}
