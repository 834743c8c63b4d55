import Foundation
import POSIX
import Testing

@testable import Commands

@Suite("Generated documents")
struct GenerateTests {
  @Test("are committed as the table makes them", arguments: ["man", "completions"])
  func committed(folder: String) async throws {
    let fresh = NSTemporaryDirectory() + "commands-tests-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: fresh) }
    let context = Context(globals: Globals(), ports: Ports(environment: Environment()))
    try await Generate.run(Generate.Arguments(directory: fresh), in: context)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(fresh)/\(folder)").sorted()
    #expect(try Repository.names(in: folder) == names)
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(fresh)/\(folder)/\(name)"))
      let isSame =
        try Repository.text(of: "\(folder)/\(name)") == String(decoding: data, as: UTF8.self)
      #expect(isSame, "\(folder)/\(name) is stale; run 'make docs'")
    }
  }

  @Test("carry the date of SOURCE_DATE_EPOCH")
  func date() async throws {
    let fresh = NSTemporaryDirectory() + "commands-tests-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: fresh) }
    let context = Context(
      globals: Globals(),
      ports: Ports(environment: Environment(["SOURCE_DATE_EPOCH": "951782400"])))
    try await Generate.run(Generate.Arguments(directory: fresh), in: context)
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(fresh)/man/sdkctl.1"))
    #expect(String(decoding: data, as: UTF8.self).contains(".Dd February 29, 2000\n"))
  }
}
