import Foundation
import JSON
import POSIX
import Primitives
import TestSupport
import Testing

@testable import SDKCore

/// What a kill between the steps of a renaming leaves; see `ProfileStore+Rename.swift`.
@Suite("Interrupted renaming and copying")
struct ProfileRenameTests {
  private let folder: TemporaryFolder
  private let store: ProfileStore
  private let (old, new): (ProfileName, ProfileName)

  init() async throws {
    folder = try TemporaryFolder()
    store = ProfileStore(StoreLocation(home: folder.path))
    old = try ProfileName("old")
    new = try ProfileName("new")
    try store.add(try Profile(name: old, members: ["issuer": "https://id.test"]))
    try await CredentialStore(
      ProfileSecrets(location: store.location, profile: old), .user, issuer: "https://id.test"
    ).save(
      TokenSet(
        accessToken: "a1", expires: nil, scope: nil, refreshToken: nil, obtained: 0))
  }

  private func token(_ name: ProfileName) async throws -> String? {
    try await CredentialStore(
      ProfileSecrets(location: store.location, profile: name), .user, issuer: "https://id.test"
    ).load()?.accessToken
  }

  private func linkState() throws {
    for (path, target) in [("old/.renamed", "new"), ("new", "old")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("state/profiles/\(path)"), withDestinationPath: target)
    }
  }

  @Test("before the configuration is renamed leaves the old profile, and can be repeated")
  func uncommitted() async throws {
    try linkState()
    #expect(try await token(old) == "a1")
    #expect(try store.names() == [old])
    try await store.rename(old, to: new)
    #expect(try store.names() == [new])
    #expect(try await token(new) == "a1")
    #expect(!folder.exists("state/profiles/old"))
    #expect(!folder.exists("state/profiles/new/.renamed"))
  }

  @Test("does not touch the state of a profile that has got the new name meanwhile")
  func takenMeanwhile() async throws {
    try store.add(try Profile(name: new))
    try folder.write("{}", to: "state/profiles/new/registration.json")
    #expect(throws: SDKError.self) { try store.makeRoom(for: new) }
    #expect(throws: SDKError.self) { try store.create(new, settings: [:], pins: nil) }
    #expect(folder.exists("state/profiles/new/registration.json"))
  }

  @Test("before the configuration is renamed lets another profile have the new name")
  func otherWithNewName() async throws {
    try linkState()
    try store.add(try Profile(name: new))
    #expect(try await token(old) == "a1")
    #expect(try await token(new) == nil)
  }

  @Test("after the configuration is renamed leaves the new profile, with its tokens")
  func committed() async throws {
    try linkState()
    try Directory.rename(
      store.location.configuration(of: old), to: store.location.configuration(of: new))
    #expect(try store.names() == [new])
    #expect(try await token(new) == "a1")
    // Whoever takes the old name does not take the tokens.
    try store.add(try Profile(name: old))
    #expect(try await token(new) == "a1")
    #expect(try await token(old) == nil)
    #expect(!folder.exists("state/profiles/new/.renamed"))
    try await store.remove(old)
    #expect(try await token(new) == "a1")
  }

  @Test("after the configuration is renamed lets an export take the old name, without the tokens")
  func committedThenImported() async throws {
    try linkState()
    try Directory.rename(
      store.location.configuration(of: old), to: store.location.configuration(of: new))
    try store.add(
      ProfileExport(settings: ["issuer": "https://id.test"], pins: nil), as: old)
    #expect(try await token(new) == "a1")
    #expect(try await token(old) == nil)
  }

  @Test("after the configuration is renamed lets the new profile be renamed or removed whole")
  func committedThenChanged() async throws {
    try linkState()
    try Directory.rename(
      store.location.configuration(of: old), to: store.location.configuration(of: new))
    let third = try ProfileName("third")
    try await store.rename(new, to: third)
    #expect(try await token(third) == "a1")
    #expect(try store.names() == [third])
    try await store.rename(third, to: old)
    try linkState()
    try Directory.rename(
      store.location.configuration(of: old), to: store.location.configuration(of: new))
    try await store.remove(new)
    #expect(
      try folder.files().keys.filter { $0.hasPrefix("state") && $0 != "state/profiles.lock" } == [])
  }

  @Test("is no reason to take the state of a profile that is not being renamed")
  func foreignLink() async throws {
    try store.add(try Profile(name: new))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("state/profiles/new"), withDestinationPath: "old")
    try await store.remove(new)
    #expect(try store.names() == [old])
    #expect(try await token(old) == "a1")
  }

  @Test("refuses the old name while another process renames")
  func busy() async throws {
    try linkState()
    try Directory.rename(
      store.location.configuration(of: old), to: store.location.configuration(of: new))
    let lock = try await ProfileLock.acquire(.derived, of: old, at: store.location)
    await expect(
      .busy, "could not use the name 'old': its profile is being renamed"
    ) { try store.add(try Profile(name: old)) }
    lock.release()
    #expect(try await token(new) == "a1")
  }

  @Test("copies no secret, and removes what a killed copy left")
  func copies() async throws {
    let leftover = "config/profiles/.unfinished.999999.x"
    try folder.write("{}", to: leftover + "/profile.json")
    let past = Date(timeIntervalSinceNow: -3600)
    try FileManager.default.setAttributes(
      [.modificationDate: past], ofItemAtPath: folder.file(leftover))
    #expect(try store.names() == [old])
    try await store.copy(old, to: new)
    #expect(!folder.exists(leftover))
    #expect(try store.names() == [new, old])
    #expect(try await token(new) == nil)
    #expect(try store.profile(new).members == store.profile(old).members)
    #expect(try folder.files().keys.filter { $0.contains(".unfinished") }.isEmpty)
  }
}
