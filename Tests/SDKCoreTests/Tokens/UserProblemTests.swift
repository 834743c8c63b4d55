import Foundation
import TestSupport
import Testing

@testable import SDKCore

@Suite("Problems of users")
struct UserProblemTests {
  private static let users = "state/profiles/work/users"

  @Test("are none of a profile that does not exist: that is an error")
  func missing() async throws {
    let world = try World()
    await expect(.noProfile, "could not find the profile 'other'") {
      _ = try await world.store.userProblems(of: try ProfileName("other"))
    }
    #expect(try await world.store.userProblems(of: world.name) == [])
  }

  @Test("are entries that are not the directory of a user", arguments: ["default", "a b", ".x"])
  func unknown(entry: String) async throws {
    let world = try World()
    try world.folder.write("{}", to: "\(Self.users)/\(entry)/x.json")
    let problems = try await world.store.userProblems(of: world.name)
    #expect(problems.map(\.kind) == [.unknownUser])
    #expect(problems.map(\.path) == ["users/\(entry)"])
  }

  @Test("are a directory that others may use")
  func exposed() async throws {
    let world = try World()
    try world.folder.write("{}", to: Self.users + "/bob/x.json")
    #expect(try await world.store.userProblems(of: world.name) == [])
    try world.folder.setMode(0o750, of: Self.users + "/bob")
    let problems = try await world.store.userProblems(of: world.name)
    #expect(problems.map(\.kind) == [.foreignOwner])
    #expect(problems.map(\.text) == ["others may use it (mode 0750)"])
  }

  @Test(
    "are a directory that belongs to another user",
    .enabled(if: geteuid() == 0, "only root can give a directory away"))
  func foreign() async throws {
    let world = try World()
    try world.folder.write("{}", to: Self.users + "/bob/x.json")
    #expect(chown(world.folder.file(Self.users + "/bob"), 12345, 12345) == 0)
    let problems = try await world.store.userProblems(of: world.name)
    #expect(problems.map(\.kind) == [.foreignOwner])
    #expect(problems.map(\.text) == ["it belongs to the user 12345 of the system"])
  }

  @Test("are damaged documents in files, but not those of a former place")
  func damaged() async throws {
    let world = try World()
    try world.folder.write("{", to: World.userFile)
    try world.folder.write("{", to: World.dpopFile)
    let problems = try await world.store.userProblems(of: world.name)
    #expect(problems.map(\.kind) == [.damagedUser, .damagedUser])
    #expect(problems.map(\.path) == ["credentials/user.json", "dpop.json"])
    try world.folder.write(
      #"{"version":1,"place":"program:memory/p","id":""}"#, to: "state/profiles/work/place.json")
    #expect(try await world.store.userProblems(of: world.name) == [])
  }
}
