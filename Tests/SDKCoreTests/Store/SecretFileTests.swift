import CoreTestSupport

@testable import SDKCore

@Suite("Files with secrets")
struct SecretFileTests {
  @Test("have one line, whose end is not part of the secret")
  func line() async throws {
    let folder = try TemporaryFolder()
    for (text, line) in [
      ("p", "p"), ("p\n", "p"), (" p w \r\n", " p w "), ("p\u{E9}", "p\u{E9}"),
    ] {
      let file = try folder.write(text, to: "file")
      #expect(try await SecretFile.line(of: file, "password") == line)
    }
    for bytes: [UInt8] in [[], [0x0A], [0x20, 0x20, 0x0A], Array("a\nb".utf8), [0x61, 0], [0xFF]] {
      let file = try folder.write(bytes, to: "file")
      let error = await expect(.invalidRequest) { try await SecretFile.line(of: file, "password") }
      #expect(error?.message == "could not use the password: it is empty or not one line of text")
    }
  }

  @Test("are refused if others can read them, with the remedy; or if there is none")
  func exposed() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("p", to: "file", mode: 0o644)
    let error = await expect(.storePermissions) { try await SecretFile.line(of: file, "password") }
    #expect(
      error?.message == "could not read the password: \(file): others may read it (mode 0644)")
    #expect(error?.remedy == .protect([.init(.mode(0o600), of: [file])]))
    // What may turn out to be no secret is read first.
    let content = try SecretFile(file, "key")
    #expect(content.bytes == Array("p".utf8))
    #expect(throws: SDKError.self) { try content.requireProtection() }
    await expect(.localData) { try await SecretFile.line(of: folder.file("missing"), "password") }
  }

  @Test("of an enrolment service are judged as all others, and nothing is sent")
  func enrolment() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("p\n", to: "file", mode: 0o644)
    let settings: JSONObject = [
      "identity.obtain": "est", "identity.url": "https://ca.test", "identity.user": "alice",
      "identity.passwordFile": .string(file),
    ]
    let world = try World(settings)
    let service = try #require(
      try world.session().identities.obtainer as? EnrolmentService)
    await expect(.storePermissions) { try await service.context.password(of: "alice") }
    try folder.setMode(0o600, of: "file")
    #expect(try await service.context.password(of: "alice") == "p")
  }
}
