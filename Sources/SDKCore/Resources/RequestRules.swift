import HTTP
import Synchronization

/// What resource requests need of a profile, read from its document once.
final class RequestRules: Sendable {
  private struct Rules {
    let resourceURL: HTTPURL?
    let policy: ProcessPolicy
  }

  private let profile: Profile
  private let kept = Mutex<Rules?>(nil)

  /// Reads nothing yet: most commands send no request.
  init(_ profile: Profile) { self.profile = profile }

  /// What paths are appended to.
  var resourceURL: HTTPURL? { rules.resourceURL }

  /// What the profile requires of this process.
  var processPolicy: ProcessPolicy { rules.policy }

  private var rules: Rules {
    kept.withLock { kept in
      let rules =
        kept ?? Rules(resourceURL: profile.resourceURL, policy: ProcessPolicy(profile))
      kept = rules
      return rules
    }
  }
}
