import JSON
import POSIX

struct ProfileFiles {
  let location: StoreLocation
  let name: ProfileName

  /// The secret documents, by the paths that they have in files.
  func secrets(_ wanted: ProfileExport.Secrets) async throws(SDKError) -> [String: JSONObject] {
    var documents = try await documents { wanted == .all || $0.isCredential }
    // Without it nobody could open a sealed client or identity.
    if documents.values.contains(where: { $0[ProfileFile.sealedMember] != nil }) {
      let seal = ProfileFile.seal.path(of: .standard)
      documents[seal + ".json"] = try await secrets.read(.seal)?.members
    }
    return documents
  }

  private func documents(
    where isWanted: (ProfileFile) -> Bool
  ) async throws(SDKError) -> [String: JSONObject] {
    var documents: [String: JSONObject] = [:]
    var secrets = secrets
    for user in try ProfileStore(location).allUsers(of: name) {
      secrets.user = user
      for file in ProfileFile.all where file.isExported && isWanted(file) {
        for path in try file.documents(of: user, name, at: location) {
          documents[path + ".json"] = try await secrets.read(file, at: path)?.members
        }
      }
    }
    return documents
  }

  private var secrets: ProfileSecrets { ProfileSecrets(location: location, profile: name) }

  func path(_ path: String) -> StorePath { location.stateFile("profiles/\(name)/\(path)") }

  /// Whether an export may have a secret document of that path.
  static func isSecret(_ path: String) -> Bool {
    ProfileFile.row(at: path)?.isExported == true
  }
}

extension ProfileStore {
  /// A profile as one document, with the secrets that are wanted.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy`` if another process uses the profile;
  ///   ``SDKError/Code/store`` if a file cannot be read.
  public func export(
    _ name: ProfileName, _ secrets: ProfileExport.Secrets = .none
  ) async throws(SDKError) -> ProfileExport {
    let profile = try profile(name)
    let pins = try PinStore(location, name).document()?.members
    guard secrets != .none else { return ProfileExport(settings: profile.members, pins: pins) }
    // Secret documents belong together: none of them may change meanwhile.
    let kept = try await holdingAll(of: name) { () async throws(SDKError) in
      try await ProfileFiles(location: location, name: name).secrets(secrets)
    }
    return ProfileExport(settings: profile.members, pins: pins, secrets: kept)
  }

  /// Creates a profile of an export, as a whole or not at all; the first one becomes the current one.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists or a value is wrong;
  ///   ``SDKError/Code/store`` if the files cannot be written.
  public func add(_ export: ProfileExport, as name: ProfileName) async throws(SDKError) {
    let profile = try export.profile(named: name, settings)
    try await exclusively { () throws(SDKError) in try add(profile, export, as: name) }
  }

  private func add(
    _ profile: Profile, _ export: ProfileExport, as name: ProfileName
  ) throws(SDKError) {
    let files = ProfileFiles(location: location, name: name)
    try create(name, settings: profile.members, pins: export.pins) { () throws(SDKError) in
      for (path, members) in export.secrets {
        try StoreDocument(path: files.path(path), secrecy: .secret, members: members).write()
      }
      if PayloadDemand.isMade(by: export.secrets.values) {
        try PayloadDemand(location, name).note(true)
      }
    }
    if try current() == nil { try writeCurrent(name) }
  }

  /// The bytes of a profile's document, whatever they are.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/store`` if the file cannot be read.
  public func bytes(of name: ProfileName) throws(SDKError) -> [UInt8] {
    let path = location.configFile("profiles/\(name)/profile.json")
    do throws(SystemError) {
      return try StoreDocument.Secrecy.shared.read(path, limit: ProfileDocument.maximumSize)
    } catch {
      throw error.isNotFound ? noProfile(name) : StoreDocument.failure("read", path, error)
    }
  }
}
