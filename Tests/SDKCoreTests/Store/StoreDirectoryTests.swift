import CoreTestSupport
import Foundation

@testable import SDKCore

/// Directories of the store that others may use.
@Suite("Store directories")
struct StoreDirectoryTests {
  private static let state = [
    "state", "state/profiles", "state/profiles/work", "state/profiles/work/credentials",
  ]
  private static let config = ["config", "config/profiles", "config/profiles/work"]

  @Test(
    "of secrets that others may list or change are refused at every level, with the remedy",
    arguments: state, [0o755, 0o710, 0o770, 0o707])
  func secret(level: String, mode: Int) async throws {
    let world = try await World.loggedIn(exchanges: false)
    let before = try world.folder.files()
    try world.folder.setMode(mode, of: level)
    let (path, file) = ("\(world.folder.path)/\(level)", "\(world.folder.path)/\(World.userFile)")
    let message =
      "could not trust '\(file)': others may use its directory '\(path)' "
      + "(mode 0\(String(mode, radix: 8)))"
    for attempt in [
      { _ = try await world.stored() }, { try await world.credentials(.user).proveWritable() },
    ] as [() async throws -> Void] {
      let error = await expect(.storePermissions, message) { try await attempt() }
      #expect(error?.remedy == .protect([FileProtection(.mode(0o700), of: [path])]))
    }
    #expect(try world.folder.files() == before)
    try world.folder.setMode(0o700, of: level)
    #expect(try await world.stored() != nil)
  }

  @Test("of secrets get no new secret, and no lock, when others may use them", arguments: state)
  func written(level: String) async throws {
    let world = try await World.loggedIn(exchanges: false)
    let before = try world.folder.files()
    try world.folder.setMode(0o777, of: level)
    await expect(.storePermissions) { try await world.store("new") }
    #expect(try world.folder.files() == before)
    guard level != Self.state.last else { return }
    await expect(.storePermissions) {
      try await world.session().environment.locked(.user) { () throws(SDKError) -> Void in }
    }
    #expect(try world.folder.files() == before)
  }

  @Test("that are shared are refused at every level when others may change them", arguments: config)
  func shared(level: String) async throws {
    let world = try World()
    try world.folder.setMode(0o755, of: level)
    _ = try world.store.profile(world.name)
    try world.folder.setMode(0o775, of: level)
    let path = "\(world.folder.path)/\(level)"
    let error = await expect(
      .storePermissions,
      "could not trust '\(world.folder.path)/config/profiles/work/profile.json': others may change "
        + "its directory '\(path)' (mode 0775)"
    ) { _ = try world.store.profile(world.name) }
    #expect(error?.remedy == .protect([FileProtection(.withoutForeignWriting, of: [path])]))
  }

  @Test("may be in one that others may list, but not in one that they may change")
  func home() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try world.folder.setMode(0o755, of: ".")
    #expect(try await world.stored() != nil)
    try world.folder.setMode(0o777, of: ".")
    for attempt in [
      { _ = try await world.stored() }, { _ = try world.store.profile(world.name) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: SDKError.self) { try await attempt() }
      #expect(
        error?.remedy
          == .protect([FileProtection(.withoutForeignWriting, of: [world.folder.path])]))
    }
    // As in /tmp, nobody can take our names away.
    try world.folder.setMode(0o1777, of: ".")
    #expect(try await world.stored() != nil)
  }

  @Test(
    "of another user are refused at every level, with the remedy",
    .enabled(if: getuid() == 0, "only root can give a directory away"), arguments: state + config)
  func foreign(level: String) async throws {
    let world = try await World.loggedIn(exchanges: false)
    let path = "\(world.folder.path)/\(level)"
    #expect(chown(path, 12345, 12345) == 0)
    let error = await expect(.storePermissions) {
      _ = try world.store.profile(world.name)
      _ = try await world.stored()
    }
    #expect(error?.message.hasSuffix("its directory '\(path)' belongs to user 12345") == true)
    #expect(error?.remedy == .protect([FileProtection(.owner(0), of: [path])]))
  }
}
