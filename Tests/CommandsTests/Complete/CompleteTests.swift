import CoreTestSupport

@testable import Arguments
@testable import Commands

@Suite("__complete")
struct CompleteTests {
  /// The words that are offered, without their summaries.
  private static func words(_ line: [String], _ program: TestProgram) async throws -> [String] {
    let run = try await program.run(["__complete", "--"] + line)
    expect(run, .success, output: run.output)
    return run.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("prints the keys of profiles, and settings with their equals sign")
  func keys() async throws {
    let keys = SettingTable.ofProgram.keys.map(\.name)
    #expect(keys.contains("issuer"))
    #expect(try await Self.words(["profile", "unset", ""], TestProgram()) == keys)
    let settings = try await Self.words(["profile", "set", ""], TestProgram())
    #expect(Set(settings.map { String($0.prefix { $0 != "=" }) }) == Set(keys))
    #expect(settings.contains("issuer="))
    #expect(
      settings.filter { $0.hasPrefix("pinPolicy=") } == ["pinPolicy=enforce", "pinPolicy=report"])
    #expect(settings.filter { $0.hasPrefix("par=") } == ["par=true", "par=false"])
    #expect(settings.contains("reauthenticate=fido"))
  }
}
