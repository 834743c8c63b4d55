public import SDKCore

/// User name, password and answers for a login on the provider's pages.
public struct FormCredentials: Sendable {
  /// A field of a page that the user must fill in.
  public struct Question: Sendable, Hashable {
    /// The name of the field.
    public let field: String
    /// The label of the field on the page, in visible characters.
    public let prompt: String
    /// Whether the answer must not be shown while it is typed.
    public let isSecret: Bool
    /// Whether it is the password.
    public let isPassword: Bool
  }

  /// The user's name; `nil` for `form.user`, or to be asked.
  public var user: String?
  /// The password; `nil` for that of `form.passwordFile`, or to be asked.
  public var password: String?
  /// Answers by the name of the field.
  public var answers: [String: String]
  /// Asks a person; `nil` if nobody can be asked.
  public var ask: (@Sendable (Question) async throws(SDKError) -> String)?

  /// Makes credentials.
  public init(
    user: String? = nil, password: String? = nil, answers: [String: String] = [:],
    ask: (@Sendable (Question) async throws(SDKError) -> String)? = nil
  ) {
    self.user = user
    self.password = password
    self.answers = answers
    self.ask = ask
  }
}
