import Arguments
import HTTP
import JSON
import OAuth
import SDKCore

/// `sdkctl register` -- make this installation known to the authorization server.
enum Register: Command {
  enum Method: String, CaseIterable, Sendable {
    case none, client_secret_basic, client_secret_post
  }

  static let page = Page(
    name: "register", group: .access, summary: "Make this installation known to the server",
    description: """
      Finds the server's metadata (OpenID Connect Discovery, RFC 8414), registers a client \
      (RFC 7591) and keeps what the server answers, credentials and management data included. \
      Where registration asks for an initial access token, it comes on standard input or from a \
      file. With `--client-id`, a client that exists already is used instead.

      The registration is kept: a second one needs `--force`, which also forgets the tokens of \
      the former client.
      """,
    examples: [
      ("sdkctl register", "Register a client"),
      (
        "pass show iat | sdkctl register --initial-access-token-stdin",
        "Register where a token is asked for"
      ),
      (
        "sdkctl register --client-id app1 --client-secret-file ./secret", "Use a client that exists"
      ),
    ],
    exitCodes: [3, 5, 6, 7, 8], seeAlso: ["login", "profile show"],
    json:
      "An object with `profile`, `clientID`, `source`, `redirectURIs`, `confidential` and `managed`.",
    needs: [.profile, .network])

  struct Arguments: Sendable {
    var clientID: String?
    var clientSecretStdin = false
    var clientSecretFile: String?
    var tokenStdin = false
    var tokenFile: String?
    var clientName: String?
    var scope: String?
    var port: UInt16?
    var redirectURI: String?
    var method: Method?
    var force = false
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = [
    .value("client-id", nil, "ID", \.clientID, "Use a client that exists"),
    .secretInput("client-secret", \.clientSecretStdin, "Read its secret from standard input"),
    .secretFile("client-secret", \.clientSecretFile, "Read its secret from a file"),
    .secretInput(
      "initial-access-token", \.tokenStdin, "Read the token for registration from standard input"),
    .secretFile("initial-access-token", \.tokenFile, "Read the token for registration from a file"),
    .value("client-name", nil, "NAME", \.clientName, "What people read at the server"),
    .value("scope", nil, "SCOPE", \.scope, "The scope to register, else the profile's"),
    .value("callback-port", nil, "PORT", \.port, "Register a fixed loopback port"),
    .value("redirect-uri", nil, "URI", \.redirectURI, "Register this redirect URI"),
    .choice("auth-method", nil, "METHOD", \.method, "How the client proves itself"),
    .flag("force", "f", \.force, "Replace a registration that exists"),
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.clientID == nil, arguments.clientSecretStdin || arguments.clientSecretFile != nil {
      throw ValueError("a client secret needs --client-id")
    }
    if arguments.clientID != nil, arguments.tokenStdin || arguments.tokenFile != nil {
      throw ValueError("--client-id does not register, so it takes no initial access token")
    }
    if arguments.port != nil, arguments.redirectURI != nil {
      throw ValueError("--callback-port and --redirect-uri exclude each other")
    }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let name = session.profile.name
    if !arguments.force { try refuseExisting(session) }
    let redirectURI = try redirectURI(arguments)
    let registration: Registration
    if let clientID = arguments.clientID {
      let secret = try context.secret(
        "client secret", standardInput: arguments.clientSecretStdin,
        file: arguments.clientSecretFile)
      let method = arguments.method?.protocolMethod ?? (secret == nil ? .none : .basic)
      registration = try await translating(name) { () async throws(SDKError) in
        try await session.adopt(
          clientID: clientID, secret: secret, method: method, redirectURI: redirectURI)
      }
    } else {
      let options = try options(arguments, redirectURI, context)
      registration = try await translating(name) { () async throws(SDKError) in
        try await session.register(options)
      }
    }
    report(registration, name, context)
  }

  private static func refuseExisting(_ session: ProfileSession) throws(Failure) {
    let name = session.profile.name
    let existing = try translating(name) { () throws(SDKError) in try session.registration() }
    guard let existing, existing.isKept else { return }
    throw Failure(
      .configuration, "already_registered",
      "could not register '\(name)': it is registered as \(existing.clientID)",
      hints: ["sdkctl -p \(name) register --force"])
  }

  private static func options(
    _ arguments: Arguments, _ redirectURI: String?, _ context: Context
  ) throws(Failure) -> RegistrationOptions {
    var options = RegistrationOptions()
    if let clientName = arguments.clientName { options.clientName = clientName }
    options.scope = arguments.scope
    options.redirectURI = redirectURI
    options.method = arguments.method?.protocolMethod
    options.initialAccessToken = try context.secret(
      "initial access token", standardInput: arguments.tokenStdin, file: arguments.tokenFile)
    return options
  }

  private static func redirectURI(_ arguments: Arguments) throws(Failure) -> String? {
    if let port = arguments.port { return "http://127.0.0.1:\(port)/callback" }
    guard let text = arguments.redirectURI else { return nil }
    guard let url = try? HTTPURL(text), url.isLoopback, url.scheme == .http, url.query == nil else {
      throw .usage(
        "the redirect URI must be http://127.0.0.1[:PORT]/PATH or http://[::1][:PORT]/PATH")
    }
    return text
  }

  private static func report(
    _ registration: Registration, _ name: ProfileName, _ context: Context
  ) {
    if context.globals.json {
      context.print([
        "profile": .string(name.description), "clientID": .string(registration.clientID),
        "source": .string(registration.source.rawValue),
        "redirectURIs": .strings(registration.redirectURIs),
        "confidential": .bool(registration.isConfidential),
        "managed": .bool(registration.isManaged),
      ])
    } else {
      context.note("registered '\(name)'")
      context.print(registration.clientID)
    }
  }
}

extension Register.Method {
  fileprivate var protocolMethod: ClientAuthentication.Method {
    switch self {
    case .none: .none
    case .client_secret_basic: .basic
    case .client_secret_post: .post
    }
  }
}
