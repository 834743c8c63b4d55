import Arguments
import HTTP
import JSON
import OAuth
import POSIX
import SDKCore

extension Login {
  /// How the browser's response comes back.
  enum Way: Sendable { case here, manual, scheme, device }

  struct Arguments: CommandArguments {
    var slot = CredentialSlot.user
    var way = Way.here
    var browser = true
    var port: UInt16?
    var scope: String?
    var prompt: String?
    var loginHint: String?
    var acr: String?
    var maxAge: Duration?
    var idp: String?
    var resources: [String] = []
    var details: AuthorizationDetails?
    var tokenParameters: [TokenParameter] = []
  }
}

extension Login.Arguments {
  static let options: [Option<Self>] =
    mainOptions + .group("Sign-in page", pageOptions) + .group("Tokens", tokenOptions)
    + .group("Authorization request and response", requestOptions)

  private static let mainOptions: [Option<Self>] =
    [
      .flag("browser", \.browser, "Open a browser (default)", negatable: true),
      .flag("device", \.way, setting: .device, "Show a code to enter on another device")
        .exclusive("way").excludes(["no-browser"] + listening + userOnly),
      .flag("manual", \.way, setting: .manual, "Paste the address from a browser elsewhere")
        .exclusive("way").excludes(["no-browser"] + listening),
      .flag("scheme", \.way, setting: .scheme, "Wait for {login respond}")
        .exclusive("way").excludes(listening),
      .scope(\.scope),
    ] + slotOptions

  private static let slotOptions: [Option<Self>] =
    CredentialSlot.options(\Self.slot, "Get").map { (row: Option<Self>) -> Option<Self> in
      switch row.doc.long {
      case "implicit": row.excludes(unattended)
      case "anonymous": row.excludes(["no-browser"] + unattended)
      default: row
      }
    }

  private static let listening = ["callback-port"]
  private static let userOnly: [String] =
    (pageOptions + requestOptions).map(\.doc.long).filter { !listening.contains($0) }
    + ["resource", "authorization-details"]
  /// What a token without a person cannot have.
  private static let unattended = ["device", "manual", "scheme"] + listening + userOnly

  /// OpenID Connect Core 1.0 section 3.1.2.1, and Initiating User Registration 1.0.
  private static let prompts = ["login", "consent", "select_account", "none", "create"]

  private static let pageOptions: [Option<Self>] = [
    .value("login-hint", "TEXT", \.loginHint, "Tell the server who is about to log in"),
    .value("prompt", "WORDS", \.prompt, "Request login, consent, select_account or none") {
      (text) throws(ValueError) in
      let words = text.split(separator: " ").map(String.init)
      // A server may have words of its own, so only what looks like a mistake is refused.
      for word in words where !prompts.contains(word) {
        guard let near = Suggestion.nearest(to: word, among: prompts) else { continue }
        throw ValueError("did you mean '\(near)'?")
      }
      return text
    }
    .completing(.choices(prompts)),
    .value("acr", "WORDS", \.acr, "Require an authentication context"),
    .value("max-age", "SPAN", \.maxAge, "Require a sign-in that is not older"),
    .value("idp", "NAME", \.idp, "Choose an identity provider (parameter idp)"),
  ]

  private static let tokenOptions: [Option<Self>] = [
    .resources(\.resources),
    .value(
      "authorization-details", "JSON|@FILE", \.details,
      "Request what scopes cannot express (RFC 9396)"
    ).input { try AuthorizationDetails.reading($0).file },
    .tokenParameters(\.tokenParameters),
  ]

  private static let requestOptions: [Option<Self>] = [
    .value("callback-port", "PORT", \.port, "Listen on this loopback port")
  ]

  /// Shows challenges to a person.
  func present(_ context: Context) -> ChallengeHandler {
    let opens = browser
    return { await Browser(context: context).present($0, opens: opens) }
  }

  /// The options of the library.
  func options(_ context: Context) throws -> LoginOptions {
    var options = LoginOptions(context)
    options.scope = scope
    options.port = port
    options.attempts = way == .manual ? PastedResponse(context: context).attempts : 1
    options.parameters["prompt"] = prompt
    options.parameters["login_hint"] = loginHint
    options.parameters["acr_values"] = acr
    options.parameters["max_age"] = maxAge.map { String($0.components.seconds) }
    options.parameters["idp"] = idp
    for resource in resources {
      options.parameters.append("resource", resource)
    }
    options.parameters["authorization_details"] = try details?.text(context.input)
    return options
  }
}

/// What a login asks for beyond scopes (RFC 9396 section 2): JSON as typed, or `@FILE` with it.
enum AuthorizationDetails: Sendable, ArgumentValue {
  case typed(String)
  case file(String)

  static func reading(_ text: String) throws(ValueError) -> AuthorizationDetails {
    if text.hasPrefix("@") { return .file(String(text.dropFirst())) }
    if let problem = problem(in: text) { throw ValueError(problem) }
    return .typed(text)
  }

  /// The file that it names.
  var file: String? { if case .file(let path) = self { path } else { nil } }

  /// The JSON, on one line.
  func text(_ input: Input) throws -> String {
    let text: String
    switch self {
    case .typed(let typed): text = typed
    case .file(let path):
      text = String(
        decoding: try input.read(path, "the authorization details", limit: 1 << 16), as: UTF8.self)
      if let problem = Self.problem(in: text) {
        throw Failure.usage("could not use the authorization details of '\(path)': \(problem)")
      }
    }
    return (try? JSON(parsing: text))?.serialized() ?? text
  }

  private static func problem(in text: String) -> String? {
    let document: JSON
    do {
      document = try JSON(parsing: text)
    } catch {
      return "expected JSON or @FILE: \(error)"
    }
    guard let rows = document.array, !rows.isEmpty,
      rows.allSatisfy({ $0["type"]?.string?.isEmpty == false })
    else { return "expected an array of objects that have a type" }
    return nil
  }
}
