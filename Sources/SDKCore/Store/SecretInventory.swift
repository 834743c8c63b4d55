import POSIX
import Primitives

/// A file of a profile that holds a secret, or a document in another place, and how it is protected.
public struct StoredSecretFile: Sendable, Hashable {
  /// What a file holds, by the directory that it is in.
  public enum Kind: String, Sendable, CaseIterable {
    case registration, tokens, dpopKey, seal, identity, authenticator, dispatchTargets, backupKey
    case storeKey
  }

  /// What protects the secret besides the permissions of the file.
  public enum Protection: String, Sendable {
    /// Nothing: who can read the file has the secret.
    case permissions
    /// It is encrypted under a passphrase or a passcode.
    case sealed
    /// The refresh token is encrypted under a passcode; the access token is not.
    case sealedRefreshToken
    /// Its secrets are encrypted under the passcode of the profile or the user.
    case passcodeSealed
    /// The key is in a security token; the file names it.
    case securityToken
    /// A helper program keeps it.
    case helper
    /// A shared store has it, encrypted under the keys of `store-key.json`.
    case sharedStore
    /// The file cannot be read, or others can use it.
    case unknown
  }

  /// What it is.
  public let kind: Kind
  /// The file, or its name in another place.
  public let path: String
  /// How it is protected.
  public let protection: Protection
}

extension ProfileStore {
  /// The secrets of a profile, in files and in the place that it uses; no passphrase is asked for.
  ///
  /// - Throws: ``SDKError/Code/store`` if the place cannot be read.
  public func secrets(of name: ProfileName) async throws(SDKError) -> [StoredSecretFile] {
    try await secretsElsewhere(of: name) + files(of: name)
  }

  private func secretsElsewhere(
    of name: ProfileName
  ) async throws(SDKError) -> [StoredSecretFile] {
    var secrets = secretDocuments(of: name)
    let place = try PlaceDocument(of: name, at: location).entry.place
    if place == .files { return [] }
    var found: [StoredSecretFile] = []
    for user in try allUsers(of: name) {
      secrets.user = user
      for name in (user == .standard ? [.registration] : []) + SecretName.ofUser {
        guard let document = try await secrets.read(name) else { continue }
        let protection: StoredSecretFile.Protection =
          document.isPasscodeSealed ? .passcodeSealed : place.isShared ? .sharedStore : .helper
        found.append(
          StoredSecretFile(kind: name.kind, path: document.title, protection: protection))
      }
    }
    return found
  }

  private func files(of name: ProfileName) -> [StoredSecretFile] {
    let state = location.state(of: name)
    let users = ((try? allUsers(of: name)) ?? []).flatMap { user in
      let directory = "\(state)/\(ProfileUser.prefix(user))"
      return [
        Self.files(.tokens, in: directory + "credentials", depth: 1) { $0.hasSuffix(".json") },
        Self.files(.dpopKey, in: directory, depth: 0) { $0 == "dpop.json" },
        Self.files(.seal, in: directory, depth: 0) { $0 == "seal.json" },
      ].flatMap { $0 }
    }
    return [
      Self.files(.registration, in: state, depth: 0) { $0 == "registration.json" }, users,
      Self.files(.storeKey, in: state, depth: 0) { $0 == "store-key.json" },
      Self.files(.identity, in: state + "/identities", depth: 1) { _ in true },
      Self.files(.authenticator, in: state + "/authenticators", depth: 0) {
        $0.hasSuffix(".json")
      },
      Self.files(.dispatchTargets, in: state, depth: 0) { $0 == "dispatch-targets.json" },
      Self.files(.backupKey, in: state + "/backup-keys", depth: 1) { !$0.hasSuffix(".csr") },
    ].flatMap { $0 }
  }

  /// The files that the body accepts, in a directory and in those below it down to that depth.
  private static func files(
    _ kind: StoredSecretFile.Kind, in directory: String, depth: Int, where accepts: (String) -> Bool
  ) -> [StoredSecretFile] {
    let names = (try? Directory.entries(directory)) ?? []
    return names.flatMap { name -> [StoredSecretFile] in
      let path = directory + (directory.hasSuffix("/") ? "" : "/") + name
      guard let status = try? FileStatus.of(path, followLinks: false) else { return [] }
      if status.kind == .directory {
        return depth > 0 ? files(kind, in: path, depth: depth - 1, where: accepts) : []
      }
      // Temporary files of writers begin with a dot.
      guard status.kind == .file, !name.hasPrefix("."), accepts(name) else { return [] }
      return [StoredSecretFile(kind: kind, path: path, protection: protection(of: path))]
    }
  }

  private static func protection(of path: String) -> StoredSecretFile.Protection {
    guard let bytes = try? FileReader.readSecretDocument(path, limit: 16 << 20) else {
      return .unknown
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.containsText("\"kdf\"") || text.containsText("ENCRYPTED PRIVATE KEY") { return .sealed }
    if text.containsText("\"\(SealedSecretMember.name)\"") { return .passcodeSealed }
    if text.containsText("\"sealedRefreshToken\"") { return .sealedRefreshToken }
    return text.containsText("pkcs11:") ? .securityToken : .permissions
  }
}

extension SecretName {
  fileprivate var kind: StoredSecretFile.Kind {
    switch self {
    case .registration: .registration
    case .tokens: .tokens
    case .dpopKey: .dpopKey
    }
  }
}
