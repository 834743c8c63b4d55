import CoreTestSupport
import Glibc

@testable import SDKCore

@Suite("A store that cannot be written")
struct UnwritableStoreTests {
  @Test("sends no request whose response it could not store, and loses no refresh token")
  func refresh() async throws {
    await #expect(processExitsWith: .exitCode(42)) {
      // Root may write everywhere.
      if geteuid() == 0 { seteuid(65_534) }
      let world = try await World.registered()
      try await world.store("a1", lifetime: 0)
      world.grant("a2", ["refresh_token": "refresh-2"])
      // The lock is there already: only the tokens cannot be written.
      try await ProfileLock.acquire(.user, of: world.name, at: world.location).release()
      let directory = world.folder.path + "/state/profiles/work/credentials"
      chmod(directory, 0o500)
      defer { chmod(directory, 0o700) }
      let error = await expect(
        .store, "could not write '\(directory)/user.json': permission denied"
      ) { _ = try await world.session().tokens.valid(for: .user) }
      let hasRemedy = error?.remedy == .writableStore
      let isSpared = !world.transport.lines.contains("POST https://id.test/token")
      let isKept = try await world.stored()?.refreshToken == "refresh-1"
      chmod(directory, 0o700)
      _exit(hasRemedy && isSpared && isKept ? 42 : 1)
    }
  }
}
