import OAuth
import POSIX
import Pinning
import Primitives

extension ProfileStore {
  /// What is wrong with what is stored of the users of a profile; only files are read.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/store`` if the users cannot be listed.
  public func userProblems(of name: ProfileName) async throws(SDKError) -> [ProfileProblem] {
    guard contains(name) else { throw noProfile(name) }
    var problems: [ProfileProblem] = []
    do throws(SDKError) { _ = try currentUser(of: name) } catch {
      problems.append(.damaged(ProfileUser.choice, error))
    }
    problems += await self.problems(ofDocuments: .standard, name)
    for entry in try userEntries(of: name) {
      if let problem = problem(ofUser: entry, name) {
        problems.append(problem)
      } else if let user = try? UserID(entry) {
        problems += await self.problems(ofDocuments: user, name)
      }
    }
    return problems
  }

  /// What is wrong with an entry of the directory of users; `nil` if it is the directory of a user.
  private func problem(ofUser entry: String, _ name: ProfileName) -> ProfileProblem? {
    let shown = "\(ProfileUser.folder)/\(VisibleText.of(entry))"
    let path = "\(location.state(of: name))/\(ProfileUser.folder)/\(entry)"
    guard let status = try? FileStatus.of(path, followLinks: false) else { return nil }
    guard status.kind == .directory, let user = try? UserID(entry), user != .standard else {
      return ProfileProblem(
        .warning, .unknownUser, shown, "it is not the directory of a user, and nothing uses it")
    }
    guard status.isOwnedByUser else {
      return ProfileProblem(
        .error, .foreignOwner, shown, "it belongs to the user \(status.owner) of the system")
    }
    guard status.mode & 0o077 == 0 else {
      return ProfileProblem(
        .error, .foreignOwner, shown, "others may use it (mode \(status.modeText))")
    }
    return nil
  }

  /// Which documents of a user cannot be read.
  private func problems(
    ofDocuments user: UserID, _ name: ProfileName
  ) async -> [ProfileProblem] {
    var problems: [ProfileProblem] = []
    do throws(SDKError) { _ = try SealDocument(of: user, name, at: location) } catch {
      problems.append(.damaged(ProfileUser.path(of: "seal.json", user), error))
    }
    let secrets = ProfileSecrets(location: location, profile: name, user: user)
    guard (try? secrets.areInFiles()) == true else { return problems }
    for slot in CredentialSlot.allCases {
      let issuer = (try? profile(name))?.issuer?.text ?? ""
      let file = CredentialStore(secrets, slot, issuer: issuer)
      do throws(SDKError) { _ = try await file.read() } catch {
        problems.append(.damaged(SecretName.tokens(slot).path(of: user) + ".json", error))
      }
    }
    do throws(SDKError) { _ = try await secrets.read(.dpopKey) } catch {
      problems.append(.damaged(SecretName.dpopKey.path(of: user) + ".json", error))
    }
    return problems
  }
}

extension ProfileProblem {
  fileprivate static func damaged(_ path: String, _ error: SDKError) -> ProfileProblem {
    var problem = ProfileProblem(.error, .damagedUser, path, error.message)
    problem.file = error.subject
    return problem
  }
}
