import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("profile store move")
struct ProfileStoreMoveTests {
  @Test("changes nothing if the secrets are there already, or the helper is missing")
  func unchanged() async throws {
    let program = try await TestProgram.loggedIn()
    let files = try program.folder.files()
    let same = try await program.run("profile", "store", "move", "files")
    #expect(same.errors.contains("the secrets of 'work' were in 'files' already"))
    let missing = try await program.run("profile", "store", "move", "helper:nosuch")
    #expect(missing.status == .status(.configuration))
    #expect(missing.errors.contains("there is no program 'docker-credential-nosuch' in PATH"))
    #expect(try await program.stored()?.accessToken == "u1")
    #expect(
      try program.folder.files().filter {
        !$0.key.hasSuffix(".lock") && !$0.key.contains("streams")
      } == files.filter { !$0.key.hasSuffix(".lock") && !$0.key.contains("streams") })
  }

  @Test("names places as a person types them")
  func places() {
    for text in ["files", "helper:pass", "helper:a-b_c.d"] {
      #expect((try? StorePlace(text))?.description == text)
    }
    for text in ["", "file", "helper", "helper:", "helper:.a", "helper:a/b", "helper:a b", "pass"] {
      #expect(throws: SDKError.self) { try StorePlace(text) }
    }
  }
}
