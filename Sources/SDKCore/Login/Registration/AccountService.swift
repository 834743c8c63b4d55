public import HTTP
import JSON
import OAuth
import Primitives

/// What people do with an account before they can sign in.
public enum AccountAction: Sendable {
  /// Make an account.
  case signUp
  /// Get a new password for one.
  case passwordReset

  var failure: String {
    self == .signUp ? "could not register an account" : "could not reset the password"
  }
}

/// How the provider lets people do it.
public enum AccountWay: Sendable, Hashable {
  /// In the course of a login (Initiating User Registration via OpenID Connect 1.0).
  case promptCreate
  /// On a page of its own.
  case page(HTTPURL)
}

/// The account of a person at the provider: sign-up and password reset.
public struct AccountService: Sendable {
  let server: AuthorizationServer

  var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }

  /// The way to an account: by the metadata of the server, else by the profile's pages.
  ///
  /// - Throws: ``SDKError/Code/unsupported`` if there is none, with a remedy.
  public func way(to action: AccountAction) async throws(SDKError) -> AccountWay {
    switch action {
    case .signUp:
      if try await announcesSignUp() { return .promptCreate }
      if let page = profile.accountURL { return .page(page) }
      throw missing("\(action.failure): the server announces no prompt=create", "accountURL")
    case .passwordReset:
      if let page = profile.resetPasswordURL { return .page(page) }
      throw missing("\(action.failure): there is no protocol for it", "resetPasswordURL")
    }
  }

  /// A server that cannot be asked leaves the profile's page.
  private func announcesSignUp() async throws(SDKError) -> Bool {
    do {
      return try await server.metadata().words("prompt_values_supported")?.contains("create")
        ?? false
    } catch {
      if profile.accountURL != nil { return false }
      throw error
    }
  }

  private func missing(_ cause: String, _ key: String) -> SDKError {
    SDKError(
      .unsupported, "\(cause), and the profile has no \(key)", subject: key,
      remedy: .setProfile(key: key, value: nil))
  }

  /// Asks the server for an account, or for a new password, for an address.
  ///
  /// - Throws: ``SDKError``: `invalidConfiguration` when the profile names no endpoint for
  ///   it, `refused` with the server's words when it said no.
  public func ask(
    _ action: AccountAction, for address: EmailAddress
  ) async throws(SDKError) {
    let key = "endpoints.\(action.endpoint)"
    guard let url = profile.ownEndpoint(action.endpoint) else {
      throw SDKError(
        .invalidConfiguration, "\(action.failure): the profile '\(profile.name)' has no \(key)",
        remedy: .setProfile(key: key, value: nil))
    }
    let registration = try await server.records.required()
    if profile.accountsTakeSecret {
      try server.requireOwn([], own: [action.endpoint], of: registration)
    }
    let secret = registration.client["client_secret"]?.string
    guard let client = profile.accountsTakeSecret ? secret : registration.clientID else {
      throw SDKError(
        .notRegistered,
        "\(action.failure): the server needs the secret of the client, which has none",
        subject: profile.name.description,
        remedy: .register(.init(.replacing, client: .existing(nil), needsSecret: true)))
    }
    let call = AccountCall(
      action: action, url: url, client: client, transport: environment.transport,
      timeout: environment.clock.limits.exchange)
    try await call.send(address)
  }
}

extension AccountAction {
  fileprivate var endpoint: String { self == .signUp ? "account" : "passwordReset" }
}

/// An email address: one `@` with something before and after it, no blanks and no control characters.
///
/// Whether mail arrives there only the server can find out.
public struct EmailAddress: Sendable, Hashable {
  /// The address.
  public let text: String

  /// Checks an address; `nil` for what cannot be one.
  public init?(_ text: String) {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
      !text.unicodeScalars.contains(where: { $0.acts || $0.properties.isWhitespace })
    else { return nil }
    self.text = text
  }
}

/// Accounts by e-mail, as servers without a page for it take them: one JSON POST a call.
///
/// The wire of Sequencing.com: `{"client_id", "email"}` there, `{"status"}` back, 0 for done,
/// and the person gets an email. See docs/vendors.md.
struct AccountCall: Sendable {
  let action: AccountAction
  let url: HTTPURL
  /// What is sent as `client_id`; at Sequencing.com a secret.
  let client: String
  let transport: any Transport
  let timeout: Duration

  func send(_ address: EmailAddress) async throws(SDKError) {
    let response = try await attempt(action.failure) {
      try await transport.send(request(address), limit: Self.limit)
    }
    // The vendor's own library counts these redirects as responses.
    guard response.isSuccess || [301, 302].contains(response.status) else {
      throw SDKError(response).during(action.failure)
    }
    try check(try? JSON(parsing: response.body, maximumDepth: 32))
  }

  private func request(_ address: EmailAddress) -> HTTPRequest {
    let body: JSON = ["client_id": .string(client), "email": .string(address.text)]
    let fields: HTTPFields = [
      HTTPField(known: "Content-Type", "application/json"),
      HTTPField(known: "Accept", "application/json"), HTTPField(known: "Accept-Language", "en-us"),
    ]
    return HTTPRequest(
      .post, url, fields: fields, body: .bytes(Array(body.serialized().utf8)), timeout: timeout)
  }

  private func check(_ response: JSON?) throws(SDKError) {
    guard let status = response?["status"]?.int else {
      throw SDKError(
        .malformedResponse, "\(action.failure): the response of \(url.host) has no status")
    }
    guard status != 0 else { return }
    let code = response?["errorCode"].flatMap { $0.string ?? $0.int.map { String($0) } }
    let words = response?["errorMessage"].map(Self.words) ?? ""
    let cause = [words, code.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
    throw SDKError(
      .refused,
      "\(action.failure): "
        + (cause.isEmpty ? "the server refused" : readable(cause.joined(separator: " "))),
      serverError: code.map(readable))
  }

  /// A message comes as text or as an object of texts by field.
  private static func words(_ message: JSON) -> String {
    if let text = message.string { return text }
    guard let members = message.object else { return "" }
    return members.sorted.compactMap { $0.value.string }
      .joined(separator: "; ")
  }

  private func readable(_ text: String) -> String {
    printable(text.redacting(client), limit: 500)
  }

  private static let limit = 1 << 16
}
