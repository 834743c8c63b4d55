import JSON
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
      for file in ProfileFile.all where file.isMovable && (file.isOfUser || user == .standard) {
        guard let kind = file.kind, let document = try await secrets.read(file) else { continue }
        let protection: StoredSecretFile.Protection =
          document.isSealed ? .passcode(of: kind) : place.isShared ? .sharedStore : .helper
        found.append(
          StoredSecretFile(kind: kind, path: document.title, protection: protection))
      }
    }
    return found
  }

  private func files(of name: ProfileName) -> [StoredSecretFile] {
    let state = location.state(of: name)
    let users = (try? allUsers(of: name)) ?? [.standard]
    return ProfileFile.all.flatMap { file in
      users.flatMap { user -> [StoredSecretFile] in
        guard let kind = file.kind else { return [] }
        return ((try? file.files(of: user, in: state)) ?? []).map { "\(state)/\($0)" }
          .filter { (try? FileStatus.of($0, followLinks: false))?.kind == .file }
          .map { StoredSecretFile(kind: kind, path: $0, protection: Self.protection(of: $0, kind)) }
      }
    }
  }

  private static func protection(
    of path: String, _ kind: StoredSecretFile.Kind
  ) -> StoredSecretFile.Protection {
    guard let bytes = try? FileReader.readSecretDocument(path, limit: 16 << 20) else {
      return .unknown
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.containsText("\"kdf\"") || text.containsText("ENCRYPTED PRIVATE KEY") { return .sealed }
    if (try? JSON(parsing: bytes))?[ProfileFile.sealedMember] != nil {
      return .passcode(of: kind)
    }
    return text.containsText("pkcs11:") ? .securityToken : .permissions
  }
}

extension StoredSecretFile.Protection {
  /// That of a document whose secret members are encrypted under a passcode.
  fileprivate static func passcode(of kind: StoredSecretFile.Kind) -> Self {
    kind == .tokens ? .sealedRefreshToken : .passcodeSealed
  }
}
