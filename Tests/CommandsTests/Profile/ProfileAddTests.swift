import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("profile add")
struct ProfileAddTests {
  private static let words = [
    "profile", "add", "lab", "--issuer", "https://id.test", "--resource-url", "https://api.test",
  ]

  /// A certificate of an authority, as PEM.
  private static func authority() throws -> String {
    try Certificate.selfSigned(
      by: try PrivateKey.generate(.ec(.p256)), commonName: "CA", from: TestProgram.now,
      to: TestProgram.now
    ).pem
  }

  @Test("writes the settings, and makes the first profile the current one")
  func adds() async throws {
    let program = try TestProgram()
    let file = try program.folder.write(try Self.authority(), to: "ca.pem")
    let run = try await program.run(
      Self.words + ["--scope", "a b", "--client-id", "c1", "--ca-file", file])
    expect(
      run, .success,
      errors: """
        sdkctl: created the profile 'lab'
        sdkctl: next: `sdkctl -p lab pin add`, `sdkctl -p lab login`

        """)
    #expect(
      try program.members(of: "lab") == [
        "issuer": "https://id.test", "resourceURL": "https://api.test", "scope": "a b",
        "clientID": "c1", "caFile": .string(file),
      ])
    #expect(try program.store.current()?.description == "lab")
    #expect(program.transport.sent.isEmpty)
  }

  @Test("with --preset prints commands that parse", arguments: ProfilePreset.all)
  func presetCommands(preset: ProfilePreset) {
    let words = preset.registering.flatMap { "--\($0)".split(separator: " ").map(String.init) }
    #expect(usageError(["register"] + words) == nil)
  }

  @Test("ends with the usage error if nothing is typed")
  func nothingTyped() async throws {
    let program = try TestProgram()
    program.terminal.connect(.input, .errors)
    program.terminal.fail(.endOfInput)
    let run = try await program.run("profile", "add", "lab")
    expect(run, .usage, errors: "sdkctl: error: --issuer is missing\n")
  }

  @Test(
    "with --pin pins a port as the hinted pin add does, so that another port has pins of its own")
  func pinsPorts() async throws {
    let program = try TestProgram()
    for (port, leaf) in [(4690, "one"), (4691, "two")] {
      program.show(.success(.trusted("id.test", leaf: leaf)), at: "id.test:\(port)")
    }
    _ = try await program.run(
      "profile", "add", "lab", "--issuer", "https://id.test:4690", "--resource-url",
      "https://id.test:4691", "--pin", "--yes")
    let list = try await program.run("pin", "list").output
    #expect(
      list.split(separator: "\n").map { $0.split(separator: "\t").prefix(2).joined(separator: " ") }
        == [
          "id.test:4690 \(TestChain.pin("one"))", "id.test:4691 \(TestChain.pin("two"))",
        ])
  }
}
