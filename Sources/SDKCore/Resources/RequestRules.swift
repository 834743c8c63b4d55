import HTTP
import Synchronization

/// The settings of a profile for resource requests, read from its document once.
final class RequestRules: Sendable {
  private struct Rules {
    let resourceURL: HTTPURL?
    let policy: ProcessPolicy
  }

  private let profile: Profile
  private let kept = Mutex<Rules?>(nil)

  /// Reads nothing yet: most commands send no request.
  init(_ profile: Profile) { self.profile = profile }

  /// The base URL of paths.
  var resourceURL: HTTPURL? { rules.resourceURL }

  /// The requirements for this process.
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
