import POSIX
public import SDKCore
import UAF

/// What the file of an authenticator holds, for a list of all credentials of a machine.
public struct StoredAuthenticator: Sendable, Hashable {
  /// The file.
  public let file: String
  /// Its keys.
  public let keys: [AuthenticatorKey]
  /// Whether a passcode can be entered; `nil` if the file cannot be used.
  public let passcode: PasscodeStatus?
  /// Why the file cannot be used.
  public let error: SDKError?
}

extension FIDORenewal {
  /// The authenticators of the profile that have a file.
  func inventory() -> [StoredAuthenticator] {
    let directory = environment.location.state(of: profile.name) + "/authenticators"
    let names = ((try? Directory.entries(directory)) ?? []).filter { $0.hasSuffix(".json") }
    return names.sorted().map { name in
      let file = "\(directory)/\(name)"
      do throws(SDKError) {
        let model = name.dropLast(5).map { $0 == "-" ? "#" : $0.uppercased() }.joined()
        guard let aaid = AAID(model) else {
          throw SDKError(.store, "could not read '\(file)': its name is not that of a model")
        }
        let authenticator = try authenticator(aaid, verifiesUser: true)
        return StoredAuthenticator(
          file: file, keys: try authenticator.keys(), passcode: try authenticator.passcodeStatus(),
          error: nil
        )
      } catch {
        return StoredAuthenticator(file: file, keys: [], passcode: nil, error: error)
      }
    }
  }
}
