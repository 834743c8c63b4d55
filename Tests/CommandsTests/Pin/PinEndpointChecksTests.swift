import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("pin check of addresses")
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
    let row = PinCheckTests.line("api.test", "OK", "issuing").dropLast(3)
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
}
