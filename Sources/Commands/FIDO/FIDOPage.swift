import Arguments

let fidoPage = CommandInfo(
  name: "fido", group: .access, summary: "Log in with a FIDO UAF key, as apps of Nevis do",
  description: """
    A FIDO UAF server, such as nevisFIDO, logs a user in who proves a key: here a key of a software \
    authenticator, which a passcode protects. The result is a set of cookies or a JWT, which {fetch} sends:

        sdkctl profile set fido.url=https://id.test/nevisfido fido.user=alice
        sdkctl login form alice
        sdkctl fido register
        sdkctl fido login
        sdkctl fetch /me

    {profile import} takes the settings from the configuration of an app.

    # The server

    Requests go to `fido.url` with `fido.*Path` appended, whose defaults are those of the vendor's \
    SDK. `fido.requestForm=username` asks for an authentication as an Identity Suite expects it. \
    Registration and deregistration carry the user's session; an authentication carries none. \
    A request takes at most `fido.networkTimeout` seconds (60), and a person has \
    `fido.userInteractionTimeout` seconds (240) for a question.

    # Application and facet

    A request names its application (appID). If that is not the facet of this program, \
    `fido.facetID` (the origin of `fido.url` without it), it must be an https URL with a list of \
    trusted facets that has it; otherwise nothing is signed (exit 11). The list is kept for an hour. \
    `fido.appID` accepts one application only.

    # The authenticator

    `fido.aaid` is its model (FFFF#0001 without it, which no server knows by itself); each model has \
    a file of its own. `fido.attestation` says whether a certificate (full) or the key itself \
    (surrogate) signs a registration, and `fido.encoding` how keys and signatures are written: der \
    (0x101, 0x02) or raw (0x100, 0x01). With `fido.key`, a PKCS #11 URI, the key is in a security \
    token, whose PIN is asked for.

    # Passcode

    The first registration chooses the passcode; {fido passcode} changes it. \
    `fido.passcodeMinimumLength`, `fido.passcodeMaximumLength`, `fido.passcodeSimilarDigits`, `fido.passcodeSequences` \
    and `fido.passcodeBlocked` say which may be chosen. Attempts are counted on disk before they are \
    tried. From the third wrong passcode on there is a wait (exit 10), and after `fido.passcodeAttempts` (5) \
    the authenticator is locked. The passcode of `fido.passcodeFile` is not tried after a wrong one.

    # What is stored

    A JWT: in the place of `fido.jwt`; without this setting in the header field `Authorization`, \
    then in the member `token`, `jwt`, `access_token` or `id_token` of the response, then among its \
    additional tokens. Otherwise the cookies that it sets; with `fido.cookies`, only these. \
    `fido.provider` chooses one of the two. A `Set-Cookie` of a later response changes nothing.

    # 401

    With `reauthenticate=fido` (the default after {fido login} without `form.url`), {fetch} \
    authenticates again after a refusal, stores the result and sends the request once more. One \
    process of the machine does so, and the others use its result. The passcode is that of \
    `fido.passcodeFile`, or is asked for; without both the exit status is 4.

    # Dispatch targets

    {fido target add} makes this installation one: the server sends the tokens of operations that begin \
    elsewhere there. `fido.dispatchTargetResourcePath` is appended to `fido.url`.

    # The operator of the server

    A server that accepts only known models needs what {fido metadata} prints. The hash of the \
    server's certificate is part of what is signed (`serverEndPoint`), if the connection is new.

    # A key that the server does not know

    A new key may not be known at once: the authentication is repeated, \
    `fido.authenticationMaxRetries` times (3) with `fido.authenticationRetryInterval` seconds (1) \
    between. If the server then does not know it (status 1481), the key is deleted here.
    """,
  examples: [
    ("sdkctl fido register", "Register a key, and choose its passcode"),
    ("sdkctl fido login", "Log in, and type the passcode"),
  ],
  seeAlso: ["login form", "token", "fetch"])
