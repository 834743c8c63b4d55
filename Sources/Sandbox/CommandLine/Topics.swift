import Arguments

/// What documents list beside the commands.
let appendix = Appendix(
  topics: [
    peopleTopic, pagesTopic, tokenServerTopic, mutualTLSTopic, enrolmentTopic, resourcesTopic,
    uafTopic,
  ],
  exitCodes: [ExitCodeRow(code: 0, name: "success", summary: "Success", needs: [])]
    + Failure.Exit.allCases.map {
      ExitCodeRow(code: $0.rawValue, name: "\($0)", summary: $0.summary, needs: [])
    },
  environment: [
    ("SDKCTL_HOME", "The directory is `state/sandbox` below it"),
    ("XDG_STATE_HOME", "Without SDKCTL_HOME it is `sdkctl/sandbox` below this (~/.local/state)"),
    ("SDKCTL_EXECUTABLE", "The sdkctl that writes the profile; sdkctl sets it"),
  ],
  files: [
    ("ca.pem", "The root certificate"),
    (
      "chain.pem, server-key.pem",
      "The server's certificates, for 90 days, and its key; a start on the last day makes new ones"
    ),
    ("intermediate-key.pem", "The key that signs the certificates of clients"),
    ("log", "The log"),
    ("pid, port, lock, control.sock", "The sandbox that runs"),
  ])

private let peopleTopic = Topic(
  name: "people", summary: "The users, and how they sign in",
  text: """
    `alice` signs in with the password `wonderland`, `bob` with `builder`. More people can sign up on \
    the pages.

    A password reaches the level `urn:sandbox:pwd`, a one-time code after it `urn:sandbox:otp`. The \
    code is 246810; it is asked for if a login names that level in `acr_values`. `urn:sandbox:loa:1` \
    and `urn:sandbox:loa:2` are other names of the two levels; `acr` has the name that was asked for.

    The login page is left out for who is signed in, unless `prompt`, `max_age` or `id_token_hint` \
    requires it. `prompt=create` begins with the sign-up page. `prompt=none` shows no page: it ends \
    with a code or with `login_required`, `interaction_required` (a second factor) or \
    `consent_required`.

    After five wrong passwords in the password grant, a name waits thirty seconds: the response is 429 \
    with `Retry-After`.
    """)

private let pagesTopic = Topic(
  name: "pages", summary: "The pages for a browser",
  text: """
    The addresses are below the issuer, which {status} shows.

    * `/`: where the sandbox is, and who can sign in.
    * `/sign-up`: make an account.
    * `/forgotten`: choose a new password.
    * `/device`: enter the code of a login on another device.
    * `/logout`: sign out.
    * `/form-login`: a login without OAuth, for `sdkctl login form`.

    A login opens `/authorize`, which leads to `/sign-in`, `/one-time-code` and `/consent`.
    """)

private let tokenServerTopic = Topic(
  name: "token-server", summary: "Registration, codes and tokens",
  text: """
    The discovery document names every endpoint. Codes need PKCE with S256, and a scope that the login \
    names. A refresh token works once; its second use revokes its family. Redirect URIs on loopback \
    match with any port.

    A client may choose by metadata of its registration:

    * `access_token_format`: `jwt` or `opaque`.
    * `access_token_lifetime`: seconds.
    * `id_token_signed_response_alg`: RS256 or ES256.
    * `dpop_bound_access_tokens`: whether every token must be bound by DPoP.
    * `tls_client_certificate_bound_access_tokens`: whether every token must be bound to the certificate \
    of the client.

    Software statements are believed whoever signed them.

    # Grants without pages

    The JWT bearer grant takes an assertion that a key of the client's `jwks` signed, with the client as \
    `iss`, or one of the issuer that `--trust` of {start} names. `sub` is a user name, `aud` the issuer \
    or the token endpoint; `exp` is less than an hour away, and `jti` is good once.

    The password grant is for clients that registered `password`.

    # Faults

    A request may ask for a fault by `?fault=NAME` or by the field `Sandbox-Fault: NAME`; see {fault}.
    """)

private let mutualTLSTopic = Topic(
  name: "mutual-tls", summary: "Client certificates",
  text: """
    A second port, which {status} shows and discovery names in `mtls_endpoint_aliases`, asks for the \
    certificate of the client (RFC 8705). It takes any certificate or none, and serves everything that \
    the first port serves; the issuer is that of the first port.

    * `tls_client_auth`: the certificate leads to the authority of the sandbox or to one of \
    `--client-ca`, and has the one name that the client registered as `tls_client_auth_subject_dn` (as \
    RFC 4514 writes it), or as `tls_client_auth_san_` with `dns`, `uri`, `ip` or `email`.
    * `self_signed_tls_client_auth`: the certificate is one of `x5c` in the registered `jwks`, or its key \
    is there without `x5c`.

    With a wrong certificate, an expired one or none, the response is 401 `invalid_client`. A token that \
    is bound to a certificate is good at the second port, with that certificate, only.

    {certificate} makes certificates. Ask for a token by one:

        curl --cacert ~/.local/state/sdkctl/sandbox/ca.pem --cert robot.pem --key robot-key.pem \\
          -d grant_type=client_credentials -d client_id=ID https://localhost:8444/token
    """)

private let enrolmentTopic = Topic(
  name: "enrolment", summary: "Services that issue client certificates",
  text: """
    They issue certificates that the gateways accept. ISSUER and the addresses of the gateways are those that \
    {status} shows; `/resources/identity` of a gateway returns what the shown certificate says.

    # EST (RFC 7030)

        sdkctl -p sandbox profile set identity.obtain=est identity.url=ISSUER identity.token=user
        sdkctl -p sandbox identity obtain

    The paths are below `/.well-known/est`: `cacerts`, `csrattrs`, `simpleenroll` and `simplereenroll`. A \
    request needs the token of a user, or a user name and a password: `identity.user=alice` and \
    `identity.passwordFile=FILE` in place of `identity.token`.

    # SAP's certificate service

        sdkctl -p sandbox profile set identity.obtain=sap \\
          identity.attributesURL=ISSUER/certificate-service/attributes \\
          identity.requestURL=ISSUER/certificate-service/request \\
          identity.retireURL=ISSUER/certificate-service/retire

    It needs the token of a user.

    # SAP's Secure Login Server

        sdkctl -p sandbox profile set identity.obtain=sls identity.url=ISSUER \\
          identity.label=5f1d0d6e identity.user=alice

    It asks for the password, and for the one-time code 246810.

    There is no SCEP. {revoke} revokes the certificates.
    """)

private let resourcesTopic = Topic(
  name: "resources", summary: "What the gateway serves",
  text: """
    All paths are below `/resources`.

    * `/devices` needs the scope `read`.
    * `/application-details` needs the scope `application-details`.
    * `/user-id-decorated` needs a token from a token exchange.
    * `/`, `/file-upload`: POST; they need the scope `write`.
    * `/step-up` needs a token of the level `urn:sandbox:otp` from a sign-in of the last 300 seconds; \
    otherwise the response is 401 `insufficient_user_authentication` (RFC 9470). `?acr=LEVEL` and \
    `?max_age=S` ask for another.
    * `/unauthenticated` is for everybody.
    * `/echo` returns all that was received, as JSON.
    * `/bytes/N` returns that many bytes, also by ranges; byte number i is i modulo 251.
    * `/slow?seconds=S` responds late.
    * `/status/N` responds with that status.
    * `/redirect?to=ADDRESS&status=N` leads there.
    * `/cookie-protected`, `/jwt-protected` respond with 401 without the cookie or the JWT of a login.

    A POST of `username`, `password` and `want` (`cookie` or `jwt`) to `/authenticate`, outside \
    `/resources`, gives that cookie or JWT. The pages of `/form-login` give the same: a name, then a \
    password, each with a hidden value that counts once. With `?want=jwt` the last response has the JWT \
    in the field `Authorization`. A session ends after the lifetime of an access token.
    """)

private let uafTopic = Topic(
  name: "uaf", summary: "The FIDO UAF server",
  text: """
    The paths are those of nevisFIDO; each is also there without `/nevisfido`. For {sdkctl(1)}, set \
    `fido.url` of the profile to the address that {status} shows; {start} does not set it, because a \
    profile with it logs in with a FIDO key. Requests must have the method and the media types of the \
    endpoint: otherwise the response is 405, 406 or 415. A malformed envelope gets 400. All other \
    refusals have the status of FIDO UAF in a response with 200.

    * `/auth/pwd`: the login by password: `isiwebuserid` and `isiwebpasswd` in a form. The response has \
    `status`, `extId` and cookies.
    * `/nevisfido/uaf/1.1/facets`: the list of trusted facets.
    * `/nevisfido/uaf/1.1/request/registration` needs any login: cookie, JWT or access token.
    * `/nevisfido/uaf/1.1/request/authentication` is for everybody. Without a user name, anybody may \
    respond.
    * `/nevisfido/uaf/1.1/request/deregistration` needs an authentication with FIDO UAF. `mode` of the \
    context is `username` (the default), `aaid` with `aaids`, or `keyid` with `authenticators`.
    * `/nevisfido/uaf/1.1/registration`, `/nevisfido/uaf/1.1/authentication` take the responses.
    * `/auth/fidouaf`, `/auth/fidouaf/authenticationresponse`: an authentication with the paths of an \
    Identity Suite; the first takes `{"username": NAME}` as `application/json`.
    * `/nevisfido/token/dispatch/targets`: GET lists the caller's targets; POST adds one, with an \
    authentication with FIDO UAF.
    * `/nevisfido/token/dispatch/targets/ID`: DELETE needs an authentication with FIDO UAF.

    An authentication opens `/resources/cookie-protected` or `/resources/jwt-protected`.

    Beside the development model FFFF#0001, the models F1D0#1001 to F1D0#1005 are known. Signatures 0x01 \
    and 0x02 and keys 0x100 and 0x101 are accepted, with basic full or surrogate attestation. These \
    statuses tell what was wrong: 1480 the model, 1481 the key identifier, 1490 the channel binding, 1491 \
    the server data (unknown, used or expired), 1492 the policy or the version of the authenticator, 1494 \
    the public key or its identifier, 1495 an algorithm, 1496 the attestation, 1498 anything else in the \
    response, also a counter that went back and a facet that is not trusted. 1404 is an unknown user, 1403 \
    another user than the one logged in.
    """)
