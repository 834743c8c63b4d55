import OAuth

extension ProfileKeys {
  /// All keys by heading, each with an example: the order of the manual.
  var sections: [ProfileKeySection] {
    [
      ProfileKeySection("Servers", servers), ProfileKeySection("Endpoints", endpoints),
      ProfileKeySection("Client", client), ProfileKeySection("Login", login),
      ProfileKeySection("Tokens", tokens), ProfileKeySection("Accounts", accounts),
      ProfileKeySection("Pins and TLS", pins),
      ProfileKeySection("Resources", resources),
      ProfileKeySection("Checks of this process", process),
      ProfileKeySection("Client certificates", certificates),
      ProfileKeySection("Enrolment service", enrolment),
      ProfileKeySection("Login by form", form),
      ProfileKeySection("Result of a login by form", formResult),
      ProfileKeySection("FIDO server", fidoServer),
      ProfileKeySection("FIDO authenticator", fidoAuthenticator),
      ProfileKeySection("FIDO passcode", fidoPasscode), ProfileKeySection("FIDO login", fidoLogin),
      ProfileKeySection("Passcode of tokens", seal),
    ]
  }

  private var servers: [ProfileKey] {
    [
      issuer.example("https://id.example.com"), resourceURL.example("https://api.example.com/v1"),
      allowedHosts.example("files.example.com,api.example.com:8443"),
      usesDiscovery.example("false"), insecureLoopback.example("true"),
      idleSeconds.example("120"), proxy.example("http://proxy.example.com:3128"),
      proxyExceptions.example("localhost .example.com"),
    ]
  }

  private var endpoints: [ProfileKey] {
    ServerMetadata.Endpoint.allCases.map {
      ProfileKey(
        "endpoints.\($0.name)", .url, .address,
        "Used instead of \($0.rawValue) of the server's metadata",
        example: "https://id.example.com/oauth/\($0.name)")
    } + [
      ProfileKey(
        "endpoints.refresh", .url, .address,
        "Where refresh tokens go, if not to the token endpoint",
        example: "https://id.example.com/oauth/refresh"),
      ProfileKey(
        "endpoints.account", .url, .address,
        "Where the server makes an account for an email address",
        example: "https://id.example.com/account"),
      ProfileKey(
        "endpoints.passwordReset", .url, .address,
        "Where the server resets the password of an email address",
        example: "https://id.example.com/reset"),
    ]
  }

  private var client: [ProfileKey] {
    [
      clientID.example("my-client"), redirectPort.example("8765"),
      redirectURI.example("com.example.app:/callback"), basicEncoding.example("form"),
      validatesClient.example("true"),
    ]
  }

  private var login: [ProfileKey] {
    [
      scope.example("openid profile"), pushesAuthorization.example("true"),
      signsAuthorization.example("true"), responseMode.example("form_post"),
      usesPKCE.example("false"),
      authorizationParameters.example("mobile=1"), identityProviders.example("google github"),
      allowsPasswordGrant.example("true"), reauthentication.example("refresh"),
    ]
  }

  private var tokens: [ProfileKey] {
    [
      anonymousScope.example("application-details"), implicitScope.example("user-id-decorated"),
      tokenParameters.example("tenant=acme"), dpop.example("required"),
      allowsNarrowedRefresh.example("true"), expiryMargin.example("30"),
    ]
  }

  private var accounts: [ProfileKey] {
    [
      accountURL.example("https://id.example.com/sign-up"),
      resetPasswordURL.example("https://id.example.com/forgot"), accountClient.example("id"),
    ]
  }

  private var pins: [ProfileKey] {
    [
      caFile.example("/etc/ssl/certs/lab-ca.pem"),
      extraCAFile.example("/usr/local/share/company-ca.pem"), pinPolicy.example("report"),
      pinUpdateKey.example("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
    ]
  }

  private var resources: [ProfileKey] {
    [
      defaultAccess.example("anonymous"), applicationID.example("com.example.app"),
      encryptsPayload.example("true"),
      serverPublicKey.example(
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"),
    ]
  }

  private var process: [ProfileKey] {
    [
      refusesDebugger.example("true"), refusesTampering.example("true"),
      refusesRoot.example("true"), refusesEmulation.example("true"),
      libraryDirectories.example("/opt/lib /usr/local/lib"),
    ]
  }

  private var certificates: [ProfileKey] {
    [
      identityObtain.example("est"), identityWhen.example("refused"),
      identityRefusedStatus.example("401 403"), identityKey.example("p384"),
      identitySubject.example("CN=alice,O=Example"),
      identityNames.example("DNS:host.example.com email:alice@example.com"),
    ]
  }

  private var enrolment: [ProfileKey] {
    [
      identityURL.example("https://est.example.com"),
      identityAttributesURL.example("https://cert.example.com/attributes"),
      identityRequestURL.example("https://cert.example.com/request"),
      identityRetireURL.example("https://cert.example.com/retire"),
      identityCommand.example("/usr/local/bin/issue alice"),
      identityLabel.example("clients"), identityUser.example("alice"),
      identityPasswordFile.example("/home/alice/est-password"), identityToken.example("user"),
      identityProfile.example("enrolment"),
    ]
  }

  private var form: [ProfileKey] {
    [
      formURL.example("https://www.example.com/login"), formFetchesPage.example("false"),
      formUserField.example("email"), formPasswordField.example("pw"),
      formParameters.example("remember=1"), formQuestions.example("otp"),
      formUser.example("alice"), formPasswordFile.example("/home/alice/site-password"),
      formHosts.example("sso.example.com"),
    ]
  }

  private var formResult: [ProfileKey] {
    [
      formSuccessURL.example("https://www.example.com/home"), formPageText.example("Sign in"),
      formCookies.example("SESSION"), formProvider.example("cookies"),
      formJWT.example("header:X-Token"), logoutPage.example("https://www.example.com/logout"),
    ]
  }

  private var fidoServer: [ProfileKey] {
    [
      fidoURL.example("https://fido.example.com"),
      fidoRegistrationRequestPath.example("/uaf/1.1/request/registration/"),
      fidoRegistrationResponsePath.example("/uaf/1.1/registration/"),
      fidoAuthenticationRequestPath.example("/uaf/1.1/request/authentication/"),
      fidoAuthenticationResponsePath.example("/uaf/1.1/authentication/"),
      fidoDeregistrationRequestPath.example("/uaf/1.1/request/deregistration/"),
      fidoDispatchTargetPath.example("/token/dispatch/targets/"),
      fidoRequestForm.example("username"),
    ]
  }

  private var fidoAuthenticator: [ProfileKey] {
    [
      fidoAppID.example("https://fido.example.com/facets"),
      fidoFacetID.example("https://fido.example.com"), fidoAAID.example("F1D0#1001"),
      fidoAttestation.example("surrogate"), fidoEncoding.example("raw"),
      fidoAllowsNoVerification.example("true"), fidoKey.example("pkcs11:object=fido"),
    ]
  }

  private var fidoPasscode: [ProfileKey] {
    [
      fidoPasscodeFile.example("/home/alice/fido-pin"), fidoPasscodeMinimum.example("8"),
      fidoPasscodeMaximum.example("32"), fidoPasscodeSimilarDigits.example("2"),
      fidoPasscodeSequences.example("true"), fidoPasscodeBlocked.example("271828 314159"),
      fidoPasscodeAttempts.example("3"),
    ]
  }

  private var seal: [ProfileKey] {
    [
      sealSlots.example("user implicit"), sealPasscodeMinimum.example("6"),
      sealPasscodeMaximum.example("16"), sealPasscodeSimilarDigits.example("2"),
      sealPasscodeSequences.example("true"), sealPasscodeBlocked.example("271828 314159"),
      sealPasscodeAttempts.example("3"),
    ]
  }

  private var fidoLogin: [ProfileKey] {
    [
      fidoUser.example("alice"), fidoMaximumRetries.example("5"), fidoRetryInterval.example("2"),
      fidoNetworkTimeout.example("30"), fidoInteractionTimeout.example("120"),
      fidoProvider.example("jwt"), fidoJWT.example("cookie:token"), fidoCookies.example("SESSION"),
    ]
  }
}

extension ProfileKeys {
  /// A file of authorities that are trusted besides the others.
  public var extraCAFile: Key<String?> {
    Key("extraCAFile", .path, .local, "PEM file of authorities to trust besides the others")
  }

  /// The proxy, in place of the environment's.
  public var proxy: Key<ProxySetting?> {
    Key("proxy", .proxy, .elsewhere, "The proxy in place of the environment's; none for no proxy")
  }

  /// The hosts that are reached without the proxy of the profile.
  public var proxyExceptions: Key<[String]> {
    Key(
      "noProxy", .words, .added, default: [],
      "Hosts that are reached without the proxy of the profile")
  }

  var tokenParameters: Key<[TokenParameter]> {
    Key(
      "tokenParameters", .tokenParameters, .files, default: [],
      "What is added to each token request; a value @FILE is a secret in that file")
  }
}
