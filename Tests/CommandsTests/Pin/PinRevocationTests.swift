import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("Revoked certificates")
struct PinRevocationTests {
  private static func program(_ status: StapledStatus?) async throws -> TestProgram {
    let program = try await PinCheckTests.program(["api.test": "issuing"])
    var chain = PresentedChain.trusted("api.test")
    chain.revocation = status
    program.show(.success(chain), at: "api.test:443")
    return program
  }

  @Test(
    "are reported by pin check only if asked for, and others only if it must be known",
    arguments: [
      (.good, ["OK", "OK", "OK"]), (.revoked, ["OK", "REVOKED", "REVOKED"]),
      (.unknown, ["OK", "OK", "NO-STATUS"]), (.none, ["OK", "OK", "NO-STATUS"]),
      (.invalid, ["OK", "OK", "NO-STATUS"]),
    ] as [(StapledStatus.State, [String])])
  func rules(state: StapledStatus.State, statuses: [String]) async throws {
    let program = try await Self.program(
      StapledStatus(state, updated: TestProgram.now, reason: "keyCompromise"))
    let lines = [[], ["--revocation"], ["--revocation", "--require-status"]]
    for (words, status) in zip(lines, statuses) {
      let run = try await program.run(["pin", "check", "--within", "1h", "--json"] + words)
      #expect(run.json?.array?.first?["status"]?.string == status)
      #expect(run.json?.array?.first?["revocation"]?.string == state.rawValue)
      #expect(run.status == .status(status == "OK" ? .success : .verification), "\(run)")
    }
  }

  @Test("do not hide what is worse")
  func worse() async throws {
    let program = try await PinCheckTests.program(["api.test": "other"])
    var chain = PresentedChain.trusted("api.test")
    chain.revocation = StapledStatus(.revoked)
    program.show(.success(chain), at: "api.test:443")
    let run = try await program.run("pin", "check", "--revocation")
    #expect(run.output.hasPrefix("api.test\tMISMATCH\t"), "\(run)")
  }

  @Test("are shown by pin show, which reports nothing of them")
  func shown() async throws {
    let status = StapledStatus(
      .revoked, updated: TestProgram.now, next: TestProgram.now + 60, revoked: 0,
      reason: "keyCompromise")
    let program = try await Self.program(status)
    let run = try await program.run("pin", "show", "api.test")
    #expect(run.status == .status(.success), "\(run)")
    #expect(
      run.output.contains(
        "revocation: revoked on 1970-01-01T00:00:00Z, keyCompromise (OCSP response of "
          + "2027-01-15T08:00:00Z, the next one on 2027-01-15T08:01:00Z)\n"), "\(run)")
    let json = try await program.run("pin", "show", "api.test", "--json").json?.array?.first
    #expect(json?["revocation"]?["state"] == "revoked")
    #expect(json?["revocation"]?["reason"] == "keyCompromise")
    let usage = try await program.run("pin", "check", "--require-status")
    #expect(usage.status == .status(.usage))
  }
}
