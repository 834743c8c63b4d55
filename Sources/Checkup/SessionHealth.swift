import Primitives
import SDKCore

/// Checks what has expired or ends soon in a profile, and what its connections need.
///
/// It makes a connection only to read tokens and registration in a shared store.
struct SessionHealth: Sendable {
  let session: ProfileSession
  let readsSecrets: Bool
  let now: Timestamp
  let soon: Timestamp

  func findings() async -> [Finding] {
    let local = connectionFindings() + identityFindings()
    return readsSecrets
      ? local + (await tokenFindings()) + (await registrationFindings()) : local
  }

  /// What the profile has of its own; the rest is that of the machine.
  private func connectionFindings() -> [Finding] {
    let profile = session.profile
    let files = [profile.caFile, profile.extraCAFile].compactMap { $0 }
    return files.map { AuthorityHealth($0, at: now).finding() }
      + [
        profile.proxyVariables.flatMap {
          ProxyHealth.finding($0, source: Profile.proxySource)
        }
      ].compactMap { $0 }
  }

  private func tokenFindings() async -> [Finding] {
    do throws(SDKError) {
      let users = try await session.users()
      let findings = users.flatMap { user in
        user.slots.compactMap { finding($0, of: user.id) }
      }
      return findings.isEmpty ? [Finding(.token, .ok, "no token is stored")] : findings
    } catch {
      return [Finding(.token, error)]
    }
  }

  private func finding(_ stored: StoredTokens, of user: UserID) -> Finding? {
    let subject = stored.slot.rawValue + (user == .standard ? "" : " of \(user)")
    // Damage is what the check of the users reports.
    guard stored.error == nil else { return nil }
    guard let end = stored.provider?.expires else {
      return Finding(.token, .ok, "it has no known end", about: subject)
    }
    let verb = end <= now ? "it expired at \(end)" : "it ends at \(end)"
    // What is not the user's is requested again without a person.
    if stored.tokens?.canBeRefreshed == true || stored.slot != .user {
      return Finding(.token, .ok, "\(verb), and can be renewed", about: subject, at: end)
    }
    return Finding(
      .token, end <= now ? .warning : .ok, "\(verb), and cannot be renewed without a login",
      about: subject, at: end, remedy: end <= now ? .login : nil)
  }

  private func identityFindings() -> [Finding] {
    let store = session.identities.store()
    let names: [IdentityName]
    do throws(SDKError) { names = try store.names() } catch {
      return [Finding(.identity, error)]
    }
    return names.map { name in
      do throws(SDKError) {
        let identity = try store.identity(named: name)
        let end = identity.chain.notAfter
        return switch identity.condition(at: now) {
        case .good: Finding(.identity, .ok, "it ends at \(end)", about: "\(name)", at: end)
        case .due:
          Finding(
            .identity, .warning, "it ends at \(end), and is due for renewal", about: "\(name)",
            at: end)
        case .expired:
          Finding(.identity, .error, "it expired at \(end)", about: "\(name)", at: end)
        case .notYetValid:
          Finding(
            .identity, .error, "it is not valid before \(identity.chain.notBefore)",
            about: "\(name)", at: identity.chain.notBefore)
        case .wrongUsage:
          Finding(.identity, .error, "it is not for TLS clients", about: "\(name)")
        }
      } catch {
        return Finding(.identity, error, about: "\(name)")
      }
    }
  }

  private func registrationFindings() async -> [Finding] {
    do throws(SDKError) {
      guard let registration = try await session.registration.current() else {
        return [Finding(.registration, .ok, "this installation is not registered")]
      }
      let client = VisibleText.of(registration.clientID)
      guard let end = registration.secretExpires else {
        return [Finding(.registration, .ok, "it has no known end", about: client)]
      }
      if registration.hasExpiredSecret(at: now) {
        return [
          Finding(
            .registration, .error, "the client's secret expired at \(end)", about: client,
            at: end, remedy: .registerAnew)
        ]
      }
      return [
        Finding(
          .registration, end < soon ? .warning : .ok, "the client's secret ends at \(end)",
          about: client, at: end)
      ]
    } catch {
      return [Finding(.registration, error)]
    }
  }
}
