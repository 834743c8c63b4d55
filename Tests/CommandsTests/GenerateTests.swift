import CoreTestSupport
import Foundation

@testable import Commands

@Suite("Generated documents")
struct GenerateTests {
  @Test("are committed as the table makes them", arguments: ["man", "completions"])
  func committed(folder: String) async throws {
    let fresh = try TemporaryFolder()
    let context = Context(globals: Globals(), ports: Ports(environment: Environment()))
    try await Generate.run(Generate.Arguments(directory: fresh.path), in: context)
    #expect(try Repository.stale(folder, beside: fresh.path) == [], "run 'make docs'")
    let path = "docs/profile.schema.json"
    let isSame = try Repository.text(of: path) == fresh.text(of: path)
    #expect(isSame, "\(path) is stale; run 'make docs'")
  }

  @Test("carry the date of SOURCE_DATE_EPOCH")
  func date() async throws {
    let fresh = try TemporaryFolder()
    let context = Context(
      globals: Globals(),
      ports: Ports(environment: Environment(["SOURCE_DATE_EPOCH": "951782400"])))
    try await Generate.run(Generate.Arguments(directory: fresh.path), in: context)
    #expect(try fresh.text(of: "man/sdkctl.1").contains(".Dd February 29, 2000\n"))
  }
}
