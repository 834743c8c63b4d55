import CoreTestSupport
import Foundation

@testable import SDKCore

@Suite("Copying a profile")
struct ProfileCopyTests {
  private let folder: TemporaryFolder
  private let store: ProfileStore
  private let (old, new): (ProfileName, ProfileName)

  init() async throws {
    folder = try TemporaryFolder()
    store = ProfileStore(StoreLocation(home: folder.path))
    old = try ProfileName("old")
    new = try ProfileName("new")
    try await store.add(try Profile(name: old, members: ["issuer": "https://id.test"]))
    try await CredentialStore(
      ProfileSecrets(location: store.location, profile: old), .user, issuer: "https://id.test"
    ).save(
      TokenSet(
        accessToken: "a1", expires: nil, scope: nil, refreshToken: nil, obtained: 0))
  }

  private func token(_ name: ProfileName) async throws -> String? {
    try await CredentialStore(
      ProfileSecrets(location: store.location, profile: name), .user, issuer: "https://id.test"
    ).load()?.tokens?.accessToken
  }

  @Test("does not touch the state of a profile that has got the new name meanwhile")
  func takenMeanwhile() async throws {
    try await store.add(try Profile(name: new))
    try folder.write("{}", to: "state/profiles/new/registration.json")
    #expect(throws: SDKError.self) { try store.create(new, settings: [:], pins: nil) }
    #expect(folder.exists("state/profiles/new/registration.json"))
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
