import Arguments
import HTTP
import OAuth
import SDKCore

extension Login {
  /// Where the person is, if there is one.
  enum Way: Sendable { case here, manual, scheme, device, implicit, anonymous }

  struct Arguments: Sendable {
    var way = Way.here
    var browser = true
    var port: UInt16?
    var scope: String?
    var prompt: String?
    var loginHint: String?
    var acr: String?
    var maxAge: Int64?
    var idp: String?
    var resources: [String] = []
    var responseMode: ResponseMode?
    var par: Bool?
    var dpop: Bool?
    var username: String?
    var passwordStdin = false
    var passwordFile: String?
    var assertionStdin = false
    var assertionFile: String?
    var assertSubject: String?
    var exchangeStdin = false
    var exchangeFile: String?
    var subjectTokenType: SubjectToken.Kind?
    var audiences: [String] = []
    var jar: Bool?
    var details: AuthorizationDetails?
  }
}

extension Login.Arguments {
  static let options: [Option<Self>] = [
    .flag("browser", nil, \.browser, "Open a browser (default)", negatable: true),
    .flag("manual", nil, \.way, setting: .manual, "Paste the address where a browser ends")
      .exclusive("way"),
    .flag("scheme", nil, \.way, setting: .scheme, "Wait for {login respond}")
      .exclusive("way"),
    .flag("device", nil, \.way, setting: .device, "Show a code to enter on another device")
      .exclusive("way"),
    .flag("implicit", nil, \.way, setting: .implicit, "Obtain the user's token of less scope")
      .exclusive("way"),
    .flag("anonymous", nil, \.way, setting: .anonymous, "Log this installation in, not a user")
      .exclusive("way"),
    .value("callback-port", nil, "PORT", \.port, "Listen on this loopback port"),
    .value("scope", nil, "SCOPE", \.scope, "Ask for this scope, else the profile's"),
    .value("prompt", nil, "WORDS", \.prompt, "OpenID Connect prompt: login, consent or none"),
    .value("login-hint", nil, "TEXT", \.loginHint, "Tell the server who is about to log in"),
    .value("acr", nil, "WORDS", \.acr, "Ask for an authentication context"),
    .value("max-age", nil, "SECONDS", \.maxAge, "Ask anew if the last login is older") {
      (text) throws(ValueError) in
      let (seconds, most) = (try Int64.reading(text), Int64(1) << 31)
      guard (0...most).contains(seconds) else { throw ValueError("out of range (0 to \(most))") }
      return seconds
    },
    .value("idp", nil, "NAME", \.idp, "Choose an identity provider (parameter idp)"),
    .list(
      "resource", nil, "URL", \.resources, "Name a resource server that the token is for"
    ) { (text) throws(ValueError) in
      guard (try? HTTPURL(text)) != nil, !text.utf8.contains(UInt8(ascii: "#")) else {
        throw ValueError("expected an https URL without fragment")
      }
      return text
    },
    .choice("response-mode", nil, "MODE", \.responseMode, "How the browser brings the answer"),
    .flag("dpop", nil, \.dpop, "Bind the tokens to a key (RFC 9449)", negatable: true),
    .flag("par", nil, \.par, "Push the request to the server first", negatable: true),
    .value("username", nil, "NAME", \.username, "Log in with the password of that name"),
    .secretInput("password", \.passwordStdin, "Read the password from standard input"),
    .secretFile("password", \.passwordFile, "Read the password from a file"),
    .secretInput("assertion", \.assertionStdin, "Present an assertion from standard input"),
    .secretFile("assertion", \.assertionFile, "Present an assertion from a file"),
    .value("assert-subject", nil, "NAME", \.assertSubject, "Sign an assertion about that user"),
    .secretInput("exchange", \.exchangeStdin, "Exchange a token from standard input"),
    .secretFile("exchange", \.exchangeFile, "Exchange a token from a file"),
    .choice(
      "subject-token-type", nil, "TYPE", \.subjectTokenType,
      "What that is: access_token (default), id_token or jwt"),
    .list("audience", nil, "NAME", \.audiences, "Name a service that the exchanged token is for"),
    .flag("jar", nil, \.jar, "Sign the request with the client's key or secret", negatable: true),
    .value(
      "authorization-details", nil, "JSON|@FILE", \.details,
      "Ask for what scopes cannot say (RFC 9396)"),
  ]

  /// What speaks against the combination; `nil` when it makes sense.
  var objection: String? {
    if let objection = objectionToGrant { return objection }
    return switch way {
    case .here: nil
    case .scheme:
      port != nil || responseMode != nil ? "--scheme listens on no port of this machine" : nil
    case .manual: asksListener ? "--manual listens to no browser on this machine" : nil
    case .device: asksListener || asksPage ? "--device takes no option but --scope and --dpop" : nil
    case .implicit:
      port != nil || responseMode != nil || asksPage || dpop != nil
        ? "--implicit takes no option but --scope and --no-browser" : nil
    case .anonymous:
      asksListener || asksPage || dpop != nil
        ? "--anonymous needs no person, and so takes no option but --scope" : nil
    }
  }

  var asksListener: Bool { !browser || port != nil || responseMode != nil }

  private var asksPage: Bool { asksPerson || !resources.isEmpty }

  /// What is said to a page where a person logs in.
  var asksPerson: Bool {
    let texts = [prompt, loginHint, acr, idp]
    return texts.contains { $0 != nil } || maxAge != nil || par != nil || jar != nil
      || details != nil
  }

  /// Shows challenges to a person.
  func present(_ context: Context) -> ChallengeHandler {
    let opens = browser
    return { await Browser(context: context).present($0, opens: opens) }
  }

  /// What the library is to ask for.
  func options(_ context: Context) throws(Failure) -> LoginOptions {
    var options = LoginOptions()
    options.scope = scope
    options.port = port
    options.timeout = context.remaining
    options.attempts = way == .manual ? PastedAnswer(context: context).attempts : 1
    options.pausing = { seconds in
      context.note("the last login has just failed; the next one begins in \(seconds) s")
    }
    options.parameters["prompt"] = prompt
    options.parameters["login_hint"] = loginHint
    options.parameters["acr_values"] = acr
    options.parameters["max_age"] = maxAge.map { String($0) }
    options.parameters["idp"] = idp
    for resource in resources {
      options.parameters.append("resource", resource)
    }
    options.responseMode = responseMode
    options.pushes = par
    options.bindsTokens = dpop
    options.signs = jar
    options.parameters["authorization_details"] = try details?.text(context.input)
    return options
  }
}
