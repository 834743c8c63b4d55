package import POSIX

extension Environment {
  /// The variables that have the user's access token, or name its file.
  package static let tokenVariables = ["SDKCTL_TOKEN", "BEARER_TOKEN", "BEARER_TOKEN_FILE"]

  /// The same for programs that help this one, which must not know its tokens.
  package var forHelpers: Environment { removing(Self.tokenVariables) }
}
