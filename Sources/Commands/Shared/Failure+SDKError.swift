import Arguments
import Primitives
package import SDKCore

extension Failure {
  /// The exit status and the hints of a library error; nothing else chooses them.
  package init(_ error: SDKError, profile: ProfileName? = nil, user: UserID? = nil) {
    self.init(ErrorCode(error.code), error.message)
    details = error.details
    resource = error.resource
    isRetryable = error.isRetryable
    pause = error.pause
    hints = error.remedy?.commandLines(for: profile, user) ?? []
    if error.code == .invalidRequest, error.subject == "authorization" {
      hints = [
        "the token of the login is sent; SDKCTL_TOKEN gives another one, and --unauth sends none"
      ]
    }
  }

  /// The failure to read a file with keys, with the option or the command that helps.
  init(_ error: SDKError, readingKeysOf file: String, hasPassword: Bool) {
    self.init(error)
    if error.remedy == .convertKeyStore(nil), file != "-" {
      hints = [Remedy.convertKeyStore(file).commandLine(for: nil)]
    }
    if error.code == .wrongPassword, !hasPassword {
      hints = ["give its password with --password-file"]
    }
    if error.code == .legacyAlgorithm { hints = ["allow these algorithms with --legacy"] }
  }
}

extension Context {
  /// The failure of whatever a command throws: its own, or an error of the library, whose hints
  /// name the profile of the context, and its user if an option chose one.
  func failure(_ error: any Error) -> Failure {
    switch error {
    case let failure as Failure: failure
    case let error as SDKError: failure(error)
    default: Failure(.failed, "could not go on: \(error)")
    }
  }

  private func failure(_ error: SDKError) -> Failure {
    var failure = Failure(error, profile: try? profileName(), user: globals.userID)
    if error.code == .noProfile, let name = error.subject,
      let names = try? store().names().map(\.description),
      let near = Suggestion.nearest(to: name, among: names)
    {
      failure.hints.insert("did you mean '\(near)'?", at: 0)
    }
    if error.code == .network, let host = error.subject,
      host == "localhost" || IPAddress(host)?.isLoopback == true,
      (try? profileName())?.description == "sandbox"
    {
      failure.hints.append("start the sandbox with `sdkctl sandbox start --background`")
    }
    return failure
  }
}
