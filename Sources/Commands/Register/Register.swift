import Arguments
import OAuth
import SDKCore

/// `sdkctl register` -- make this installation known to the authorization server.
enum Register: Command {
  enum AlternativeName: String, CaseIterable, Sendable {
    case dns, uri, ip, email
  }

  static let page = Page(
    name: "register", group: .access, summary: "Make this installation known to the server",
    description: """
      Finds the server's metadata (OpenID Connect Discovery, RFC 8414), registers a client \
      (RFC 7591) and keeps what the server answers, credentials and management data included. \
      Where registration asks for an initial access token, it comes on standard input or from a \
      file. With `--client-id`, a client that exists already is used instead; the redirect URI that \
      the provider must allow for it is printed. It is `http://127.0.0.1:PORT/callback`, with a \
      port that logins then use, unless `--callback-port` or `--redirect-uri` says otherwise.

      The scope that is registered is that of the profile, or without one all that the server \
      announces: with less, it would refuse a {login} that asks for more. A server that refuses the grants is asked again with fewer, down to those of a login in a \
      browser; what the client cannot do then is told.

      The client proves itself by its secret in an Authorization field, unless the server does \
      not take that or `--auth-method` says otherwise. For `private_key_jwt` a key pair is made \
      (ES256, or RS256 where the server takes no other) and kept; only its public half leaves.

      With `tls_client_auth` and `self_signed_tls_client_auth` (RFC 8705) the client shows a \
      certificate in the TLS handshake, at the addresses that the server announces for such \
      clients. For the second a key pair and a certificate, good for three years, are made and \
      kept, and the certificate is registered. For the first an authority that the server trusts \
      has issued it: `--client-certificate` names the chain, `--client-key-file` its key \
      where that is not in the same file, and its subject is registered, or with \
      `--certificate-san` the first alternative name of that kind. Access tokens are asked for \
      that are good only with the certificate where the server binds them; {fetch} then shows the \
      certificate with them, to hosts that may have the token and no others. An expired certificate is not shown (status 9): `--update`, or `--force` \
      where the registration is not managed, puts another in its place.

      With `--encrypted-answers` a key pair is made to which the server encrypts what it answers: \
      ID tokens, and where it offers that the claims of {token userinfo} and authorization \
      responses. From then on an ID token in clear is refused. The algorithms are the best of \
      those that the server announces; RSA1_5 is never taken, because it gives away plaintext to \
      whoever can try ciphertexts.

      The registration is kept: a second one needs `--force`, which also forgets the tokens of \
      the former client. `--show` asks the server what it knows of the client, and `--update` \
      changes what the other options name and leaves the rest (RFC 7592); both need a server that \
      lets clients manage their registration, and both keep a new secret or management token \
      that comes along. A secret that has expired is renewed so. {deregister} undoes it all.

      A `--redirect-uri` is a loopback address, or has a scheme that is a domain name of yours \
      backwards, such as `com.example.app:/callback` (RFC 8252 section 7.1): that is for \
      `sdkctl login --scheme`.

      `--user` registers a user in the browser, with the identity provider of `--idp` if one is \
      given, and keeps the tokens; whoever was logged in before is replaced. A client that is not \
      yet registered is so first. `--account` leads to where people make an account: in the course \
      of a login if the server announces that (`prompt=create`), else on the page `accountURL` \
      of the profile; `--reset-password` to its `resetPasswordURL`.

      Where the profile names an address for it (`endpoints.account`, `endpoints.passwordReset`), \
      `--email` tells the server the mail address instead, and it writes a letter there.
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
      ("sdkctl register --auth-method private_key_jwt", "Register with a key instead of a secret"),
      ("sdkctl register --user --idp corporate", "Register a user with an identity provider"),
      ("sdkctl register --encrypted-answers", "Register, and have ID tokens encrypted"),
      (
        "sdkctl register --auth-method self_signed_tls_client_auth",
        "Register with a certificate that is made here"
      ),
      (
        "sdkctl register --auth-method tls_client_auth --client-certificate chain.pem "
          + "--client-key-file key.pem", "Register with a certificate of an authority"
      ),
      ("sdkctl register --show --json | jq .metadata", "See what the server knows"),
      ("sdkctl register --update --client-name 'My laptop'", "Change the name at the server"),
      ("sdkctl register --account --email alice@example.com", "Make an account"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 11, 14, 15], seeAlso: ["login", "deregister", "profile show"],
    json: """
      An object with `profile`, `clientID`, `source` (`dynamic`, `given`), `redirectURIs`, \
      `confidential`, `authMethod`, `managed`, `secretExpires` (or null) and `certificate` (null, \
      or an object with `subject` and `expires`); of a new registration also `refusedGrants`, if \
      there are grants that the server does not let the client use. With `--show` and `--update` also `metadata`: \
      the members of RFC 7591 as the server holds them, without credentials. With `--email` an \
      object with `profile`, `email` and `asked` (`account`, `password_reset`); with `--user`, \
      the object of {login}; with a page, `profile`, `url` and `opened`.
      """,
    needs: [.profile, .network])

  static let defaults = Arguments()

  static let options = Arguments.options

  static func check(_ arguments: Arguments) throws(ValueError) {
    if let objection = arguments.objection { throw ValueError(objection) }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    guard arguments.purpose == .client else {
      return try await runForPerson(arguments, in: context)
    }
    let session = try context.session()
    let name = session.profile.name
    if arguments.show || arguments.update {
      let options = try arguments.options(context)
      let registration = try await translating(name) { () async throws(SDKError) in
        arguments.show
          ? try await session.registration.read() : try await session.registration.update(options)
      }
      let report = RegistrationReport(registration: registration, profile: name)
      report.printAll(context, note: arguments.update ? "updated the registration of" : nil)
      return
    }
    if !arguments.force { try refuseExisting(session) }
    let registration = try await registerClient(arguments, session, context)
    RegistrationReport(registration: registration, profile: name).print(context)
  }

  /// Registers the client, or takes the one that is given.
  static func registerClient(
    _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws(Failure) -> Registration {
    let options = try arguments.options(context)
    let given = try arguments.givenClient(context)
    return try await translating(session.profile.name) { () async throws(SDKError) in
      if let given {
        try await session.registration.use(existing: given)
      } else {
        try await session.registration.register(options)
      }
    }
  }

  /// - Throws: ``Failure`` if there is a registration already, which must not be lost.
  static func refuseExisting(_ session: ProfileSession) throws(Failure) {
    let name = session.profile.name
    let existing = try translating(name) { () throws(SDKError) in try session.registration.current()
    }
    guard let existing, existing.isKept else { return }
    throw Failure(
      .configuration, "already_registered",
      "could not register '\(name)': it is registered as \(existing.clientID)",
      hints: ["sdkctl -p \(name) register --force"])
  }
}
