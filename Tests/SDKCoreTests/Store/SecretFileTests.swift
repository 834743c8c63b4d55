import CoreTestSupport

@testable import SDKCore

@Suite("Files with secrets")
struct SecretFileTests {
  @Test(
    "have one line without control characters, whose end is not part of the secret",
    arguments: [
      ("1234\n", "1234"), ("1234\r\n", "1234"), (" pass word ", " pass word "), ("ä", "ä"),
      ("1234\n\n", nil), ("12\u{1}34", nil), ("12\t34", nil), ("1234\u{7F}", nil), ("12\n34", nil),
      ("", nil), ("\n", nil), ("   ", nil), ("\u{1B}[A1234", nil),
    ])
  func line(content: String, line: String?) throws {
    #expect((try? SecretFile.line(in: Array(content.utf8), "Passcode")) == line)
    #expect((try? SecretFile.line(in: [0x31, 0xFF], "Passcode")) == nil)
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
}
