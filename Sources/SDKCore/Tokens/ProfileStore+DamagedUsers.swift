import OAuth
import POSIX
import Primitives

extension ProfileStore {
  /// A document that cannot be read, by its path below the state of the profile.
  package typealias DamagedDocument = (path: String, error: SDKError)

  /// The documents of the users of a profile that cannot be read; only files are read.
  package func damagedUserDocuments(
    of name: ProfileName
  ) async throws(SDKError) -> [DamagedDocument] {
    guard contains(name) else { throw noProfile(name) }
    var damaged: [DamagedDocument] = []
    do throws(SDKError) { _ = try currentUser(of: name) } catch {
      damaged.append((ProfileUser.choice, error))
    }
    damaged += await damagedDocuments(of: .standard, name)
    for entry in try userEntries(of: name) where isSafeUser(entry, name) {
      guard let user = try? UserID(entry), user != .standard else { continue }
      damaged += await damagedDocuments(of: user, name)
    }
    return damaged
  }

  /// Whether an entry of the directory of users is the directory of one, which only the owner may use.
  private func isSafeUser(_ entry: String, _ name: ProfileName) -> Bool {
    let path = "\(location.state(of: name))/\(ProfileUser.folder)/\(entry)"
    guard let status = try? FileStatus.of(path, followLinks: false) else { return false }
    return status.kind == .directory && status.isOwnedByUser && status.mode & 0o077 == 0
  }

  private func damagedDocuments(
    of user: UserID, _ name: ProfileName
  ) async -> [DamagedDocument] {
    let secrets = ProfileSecrets(location: location, profile: name, user: user)
    let isInFiles = (try? secrets.areInFiles()) == true
    let issuer = (try? profile(name))?.issuer?.text ?? ""
    var damaged: [DamagedDocument] = []
    for file in ProfileFile.all
    where file.isOfUser && file.lock != nil && (isInFiles || !file.isMovable) {
      do throws(SDKError) {
        if file == .seal {
          _ = try SealDocument(of: user, name, at: location)
        } else if let slot = file.part.flatMap({ CredentialSlot(rawValue: $0.rawValue) }) {
          _ = try await CredentialStore(secrets, slot, issuer: issuer).load()
        } else {
          _ = try await secrets.read(file)
        }
      } catch {
        damaged.append((file.path(of: user) + ".json", error))
      }
    }
    return damaged
  }
}
