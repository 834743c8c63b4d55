import CoreTestSupport
import Glibc

@testable import Commands
@testable import SDKCore

@Suite("pin import of signed sets")
struct SignedPinImportTests {
  @Test("takes a file for the key, even if its name is a thumbprint")
  func fileOfThumbprint() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let program = try TestProgram([:])
      let key = try SigningKey.generate(.es256)
      let thumbprint = key.publicKey.thumbprint
      let words = ["pin", "import", "-", "--signed-by", thumbprint, "--yes"]
      let set = try #require(
        PinSet(host: "api.test", keys: [PinnedKey(pin: TestChain.pin("one"), role: .leaf)]))
      let input = try SignedPinSet.sign(
        [set], with: Array(key.pem.utf8), issued: TestProgram.now, expires: TestProgram.now + 60)
      let named = try await program.run(words, input: input)
      try program.folder.write("no key", to: thumbprint)
      guard chdir(program.folder.path) == 0 else { exit(1) }
      let read = try await program.run(words, input: input)
      let isRead = read.status != .status(.success)
      exit(named.status == .status(.success) && isRead ? 42 : 1)
    }
  }
}
