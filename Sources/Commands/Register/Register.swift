import Arguments
import JOSE
import OAuth
import SDKCore

enum Register: Command {
  static let page = CommandInfo(
    name: "register", group: .access, summary: "Register this installation at the server",
    description: """
      Registers a client at the authorization server of the profile and stores what the server \
      returns, its credentials included: `sdkctl register`. If you have a client already, \
      `sdkctl register --client-id ID` uses that one.

      The server is found by its metadata (OpenID Connect Discovery, RFC 8414) and asked for a \
      client (RFC 7591). If it requires an initial access token, pass that on standard input or \
      in a file. The redirect URI is `http://127.0.0.1:PORT/callback`, with a free port that is \
      kept for logins, unless `--callback-port` or `--redirect-uri` sets it. With several \
      `--callback-port` a login uses the first port that is free. For a client that \
      exists, the command prints the redirect URI that the provider must allow.

      A registration is not replaced without `--replace`, which first revokes the tokens of the \
      former client and deletes it at the server, as {deregister} does, and reports each step. If \
      the server cannot be asked, nothing is replaced; if it refuses, the new client is registered \
      all the same. The redirect URI keeps its port.

      Scope: that of the profile is registered, or if it has none, all that the server announces. \
      With less, the server would refuse a {login} that asks for more. A server that refuses the \
      grant types is asked again with fewer, down to those of a login in a browser; the command \
      then says what the client cannot do.

      Authentication: the client uses a secret in the Authorization field, unless the server does \
      not support that or `--auth-method` chooses otherwise. For `private_key_jwt` a key pair is \
      made (ES256, or RS256 if the server supports nothing else); only the public key is sent.

      An assertion of another issuer (RFC 7523 section 2.2) authenticates a workload that has no secret, \
      where the server trusts that issuer. The client exists at the server; `--assertion-file` is read \
      at each use, as a projected token of Kubernetes must be; `--assertion-command` prints one; \
      `--assertion-from` is the CI service whose job this is: `github` (with its permission `id-token: \
      write`; the host of its endpoint needs pins as any other), `gitlab` (a token with the name \
      `SDKCTL_ID_TOKEN` under `id_tokens`), `circleci` or `buildkite`. `--assertion-audience` is what the \
      server expects in `aud`. An assertion that has expired is not sent.

      Certificates (RFC 8705): with `tls_client_auth` and `self_signed_tls_client_auth` the client \
      shows a certificate in the TLS handshake. For the second, a key pair and a certificate that \
      is valid for three years are made and registered. For the first, use a certificate of an \
      authority that the server trusts: `--client-certificate` names the chain, \
      `--client-key-file` its key if that is in another file. Its subject is registered, or with \
      `--certificate-san` the first alternative name of that kind. If the server binds access \
      tokens to the certificate, {fetch} shows it with them, to the hosts that may have the token \
      only. An expired certificate is not used (exit 9): replace it with {register update}.

      Encryption: with `--encrypted-responses` a key pair is made to which the server encrypts ID \
      tokens and, if it supports that, the claims of {token userinfo} and authorization \
      responses. From then on an ID token that is not encrypted is refused. The best algorithms \
      that the server announces are used, but never RSA1_5, because it reveals plaintext to \
      anyone who can try ciphertexts.

      `--redirect-uri` takes a loopback address, or a URI with a scheme that is one of your \
      domain names backwards, such as `com.example.app:/callback` (RFC 8252 section 7.1), for \
      `sdkctl login --scheme`. A client that exists may also have a scheme without a dot \
      (`myapp://callback`), which any program can claim, or an `https` address that belongs to an \
      app: then log in with `sdkctl login --manual`. Without the option the setting `redirectURI` \
      of the profile is used; see {profile import}.
      """,
    examples: [
      ("sdkctl register", "Register a client"),
      (
        "pass show iat | sdkctl register --initial-access-token-file -",
        "Register with an initial access token"
      ),
      (
        "sdkctl register --client-id app1 --client-secret-file ./secret", "Use a client that exists"
      ),
      (
        "sdkctl register --client-id app1 --assertion-file /var/run/secrets/tokens/api",
        "Use a client that Kubernetes vouches for"
      ),
      (
        "sdkctl register --client-id app1 --assertion-from github --assertion-audience "
          + "api://AzureADTokenExchange", "Use a client that a CI job may be"
      ),
      ("sdkctl register --auth-method private_key_jwt", "Register with a key instead of a secret"),
      ("sdkctl register --encrypted-responses", "Register, and have ID tokens encrypted"),
      (
        "sdkctl register --auth-method self_signed_tls_client_auth",
        "Register with a certificate that is made here"
      ),
      (
        "sdkctl register --auth-method tls_client_auth --client-certificate chain.pem "
          + "--client-key-file key.pem", "Register with a certificate of an authority"
      ),
    ],
    seeAlso: ["register show", "register update", "login", "deregister"],
    output: RegistrationReport.rows.document,
    needs: .session)

  struct Arguments: CommandArguments {
    var replace = false
    var tokenFile: String?
    var clientID: String?
    var clientSecretFile: String?
    var assertionFile: String?
    var assertion = AssertionArguments()
    var client = ClientArguments()
  }

  static let options: [Option<Arguments>] =
    mainOptions + ClientArguments.metadataOptions.of(\.client)
    + .group("A client that exists", existingOptions)
    + .group(
      .keys,
      ClientArguments.keyOptions(keyIsFor: "client-certificate", "client-id").of(\.client) + [
        .choice(
          "certificate-san", "KIND", \.client.certificateSAN,
          "Register an alternative name, not the subject")
      ])
    + .group(.software, ClientArguments.softwareOptions.of(\.client))

  private static let mainOptions: [Option<Arguments>] =
    [.flag("replace", \.replace, "Replace the registration if there is one")]
    + [.secret("initial-access-token", \.tokenFile, "the initial access token")]

  private static let existingOptions: [Option<Arguments>] =
    [
      .value("client-id", "ID", \.clientID, "Use a client that exists")
        .excludes(
          ["initial-access-token-file", "encrypted-responses"]
            + ClientArguments.softwareOptions.map(\.doc.long))
    ]
    + [
      .secret("client-secret", \.clientSecretFile, "the client's secret").needs("client-id")
    ]
    + assertionOptions

  private static let assertionOptions: [Option<Arguments>] =
    ([
      .value(
        "assertion-file", "FILE", \.assertionFile,
        "Authenticate with the assertion in this file"
      ).completing(.file).exclusive("assertion")
    ] + AssertionArguments.options(exclusive: "assertion").of(\.assertion)).map {
      $0.excludes(
        "client-secret-file", "client-key-file", "client-certificate",
        "identity")
    }

  static func check(_ arguments: Arguments) throws(ValueError) {
    try arguments.client.checkCertificate(isGiven: arguments.clientID != nil)
    if arguments.clientID != nil { try arguments.client.checkKeyOfGivenClient() }
    let isAsserted = arguments.assertionFile != nil || arguments.assertion.isGiven
    if isAsserted, arguments.clientID == nil {
      throw ValueError("an assertion is for a client that exists; name it with --client-id")
    }
    guard isAsserted != (arguments.client.method == .foreignAssertion) else { return }
    if !isAsserted {
      throw ValueError(
        "--auth-method client_assertion needs --client-id and one of --assertion-file, "
          + "--assertion-command and --assertion-from")
    }
    if arguments.client.method != nil {
      throw ValueError("an assertion is for --auth-method client_assertion only")
    }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try context.noteFileChoice()
    let session = try context.session()
    let name = session.profile.name
    if !arguments.replace { try await refuseExisting(session) }
    let registration: Registration
    if let client = try await arguments.existingClient(context, session) {
      registration = try await session.registration.use(existing: client)
    } else {
      let options = try await arguments.options(context, session)
      registration = try await session.registration.register(options)
    }
    RegistrationReport(registration: registration, profile: name).print(context)
  }

  /// - Throws: ``Failure`` if there is a registration already, which must not be lost.
  private static func refuseExisting(_ session: ProfileSession) async throws {
    let name = session.profile.name
    let existing = try await session.registration.current()
    guard let existing, existing.isKept else { return }
    throw Failure(
      .alreadyRegistered, "could not register '\(name)': it is registered as \(existing.clientID)",
      hints: [Remedy.registerAnew.commandLine(for: name)])
  }
}

extension Register.Arguments {
  func options(
    _ context: Context, _ session: ProfileSession
  ) async throws -> RegistrationOptions {
    var options = try client.metadata(context)
    options.initialAccessToken = try context.secret("initial access token", file: tokenFile)
    try await session.registration.requireServer()
    options.credential = try await client.credential(context, session)
    return options
  }

  /// The client that exists; `nil` if a new one is to be registered.
  func existingClient(
    _ context: Context, _ session: ProfileSession
  ) async throws -> ExistingClient? {
    guard let clientID else { return nil }
    let secret = try context.secret("client secret", file: clientSecretFile)
    let credential = try await client.credential(context, session)
    let key = try client.clientKeyFile.map { (file) throws in
      try ClientCredential(privateKey: String(decoding: context.clientKey(file), as: UTF8.self))
    }
    let source = try assertion.source(file: assertionFile)
    var client = ExistingClient(
      clientID: clientID, secret: secret,
      method: self.client.method
        ?? (source != nil
          ? .foreignAssertion : key != nil ? .privateKeyJWT : secret != nil ? .basic : .none),
      redirectURI: try self.client.chosenRedirectURI(ofExisting: true),
      credential: credential ?? key)
    client.assertionSource = source
    client.fallbackRedirectURIs = self.client.fallbackRedirectURIs
    return client
  }
}

extension Context {
  func clientKey(_ file: String) throws -> [UInt8] {
    try secretBytes("client key", orInput: "--client-key-file -", file: file)
  }

  /// A software statement: a JWT, and no secret.
  func softwareStatement(_ file: String) throws -> String {
    var bytes = try read(file, "the software statement", limit: 1 << 16)
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      _ = try JWT(text)
    } catch {
      throw Failure.usage("could not use the software statement: \(error.message)")
    }
    return text
  }
}
