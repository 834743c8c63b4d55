import Arguments

/// The one table: parser, help, manual, completions and suggestions come from it.
///
/// The order is the order of the manual. To add a command, write its file and name
/// it here; the tests of the table find what is missing.
let commandTable = Table<Globals, Context>(
  program: Program(
    name: "sdkctl", version: Version.text,
    summary: "Secured resource access from a terminal",
    description: """
      sdkctl registers a client at an authorization server, logs a user in, keeps the \
      credentials, and fetches resources as that user, as this installation or without a token: \
      always behind certificate pins. One profile holds it all; see {profiles}.
      """,
    examples: [
      ("sdkctl sandbox start", "Try the commands with a server on this machine"),
      (
        "sdkctl profile add work --issuer https://id.test --resource-url https://api.test --pin",
        "Or make a profile, and pin its hosts"
      ),
      ("sdkctl register && sdkctl login", "Register this installation, and log in by browser"),
      ("sdkctl fetch /me", "Fetch a resource as the user"),
    ]),
  defaults: Globals(), globals: Globals.options,
  commands: [
    .command("status", Status.self),
    .group(
      "profile", profilePage,
      [
        Row(ProfileAdd.self), Row(ProfileList.self), Row(ProfileShow.self), Row(ProfileUse.self),
        Row(ProfileSet.self), Row(ProfileUnset.self),
        Row(ProfileCopy.self), Row(ProfileMetadata.self),
        Row(ProfileRemove.self),
        Row(ProfileImport.self), Row(ProfileExportCommand.self),
        Row(ProfileSeal.self), Row(ProfileUnseal.self),
        Row(ProfilePasscode.self), Row(ProfileStoreShow.self), Row(ProfileStoreMove.self),
        Row(ProfileStoreKeyImport.self), Row(ProfileStoreKeyExport.self),
        Row(ProfileStoreKeyRotate.self),
      ]),
    .group("user", userPage, [Row(UserList.self), Row(UserUse.self), Row(UserRemove.self)]),
    .group(
      "pin", pinPage,
      [
        Row(PinAdd.self), Row(PinList.self), Row(PinShow.self), Row(PinRemove.self),
        Row(PinHash.self),
        Row(PinCheck.self),
        Row(PinDiff.self),
        Row(PinSetCommand.self),
        Row(PinLint.self),
        Row(PinPlan.self),
        Row(PinUpdate.self),
        Row(PinBackup.self),
        Row(PinHistory.self),
        Row(PinImportCommand.self),
        Row(PinExportCommand.self),
      ]),
    .group(
      "identity", identityPage,
      [
        Row(IdentityList.self), Row(IdentityShow.self), Row(IdentityImport.self),
        Row(IdentityExport.self), Row(IdentityRemove.self), Row(IdentityCSR.self),
        Row(IdentityCheck.self), Row(IdentityRenew.self), Row(IdentityObtain.self),
      ]),
    .group(
      "register", Register.self,
      [
        Row(RegisterShow.self), Row(RegisterUpdate.self),
      ]),
    .group("account", accountPage, [Row(AccountCreate.self), Row(AccountResetPassword.self)]),
    .group(
      "login", Login.self,
      [
        Row(LoginPassword.self), Row(LoginAssertion.self), Row(LoginExchange.self),
        Row(LoginToken.self), Row(LoginForm.self),
        Row(LoginRespond.self), Row(LoginInstallHandler.self),
      ]),
    .group(
      "token", Token.self,
      [
        Row(TokenDecode.self), Row(TokenVerify.self), Row(TokenTest.self), Row(TokenLint.self),
        Row(TokenDiff.self), Row(TokenJWK.self), Row(TokenSign.self),
        Row(TokenList.self),
        Row(TokenIntrospect.self),
        Row(TokenUserinfo.self),
        Row(TokenRefresh.self),
        Row(TokenRevoke.self),
      ]),
    .command("fetch", Fetch.self),
    .command("exec", Exec.self),
    .command("proxy", Proxy.self),
    .group(
      "credential", credentialPage,
      [
        Row(CredentialGit.self),
        Row(CredentialDocker.self),
        Row(CredentialKubectl.self),
        Row(CredentialAWS.self),
        Row(CredentialMCP.self),
      ]),
    .command("logout", Logout.self),
    .command("deregister", Deregister.self),
    .group(
      "fido", fidoPage,
      [
        Row(FIDORegister.self), Row(FIDOLogin.self), Row(FIDODeregister.self),
        Row(FIDOPasscode.self), Row(FIDOMetadata.self),
        Row(FIDOTargetList.self), Row(FIDOTargetAdd.self), Row(FIDOTargetRemove.self),
      ]),
    .group(
      "config", configPage,
      [Row(ConfigList.self), Row(ConfigGet.self), Row(ConfigSet.self), Row(ConfigUnset.self)]),
    .command("doctor", Doctor.self),
    .command("completion", CompletionScript.self),
    .command("help", Help.self),
    .command("version", Version.self),
    .command("__complete", Complete.self),
    .command("__generate", Generate.self),
  ],
  advice: Replacement.advice,
  appendix: Appendix(
    topics: topics, exitCodes: ExitCode.rows, environment: environmentRows,
    files: fileRows,
    formats: [profileFormat]))

extension Heading {
  static let setup = Heading("Profiles and pins")
  static let access = Heading("Access")
  static let tools = Heading("Tools")
}

private let profilePage = CommandInfo(
  name: "profile", group: .setup, summary: "Manage profiles",
  description: """
    A profile holds everything about one application at one provider: the servers, the client and \
    the keys that its hosts must use. See {profiles}.
    """,
  examples: [
    (
      "sdkctl profile add work --issuer https://id.test --resource-url https://api.test --pin",
      "Make a profile, and pin its hosts"
    ),
    ("sdkctl profile show work", "Show its settings and its state"),
    ("sdkctl profile set scope='openid profile'", "Change a setting"),
  ],
  seeAlso: ["profiles", "sdkctl-profile(5)"])

private let pinPage = CommandInfo(
  name: "pin", group: .setup, summary: "Manage certificate pins",
  description: """
    A pin is the public key that a host of a profile must use. See {pins}.
    """,
  examples: [
    ("sdkctl pin add api.example.com", "Show a certificate chain, ask, and pin its key"),
    ("sdkctl pin check", "Check whether the servers still use a pinned key"),
    ("sdkctl pin update", "Follow an announced rotation"),
  ],
  seeAlso: ["pins"])

/// The group of the credential helpers.
let credentialPage = CommandInfo(
  name: "credential", group: .access, summary: "Give tokens to git, docker, kubectl and others",
  description: """
    Credential helpers: another program runs the command when it needs a credential, and gets a \
    valid access token in its own protocol. Each of them prints the configuration that \
    the program needs: `sdkctl credential git install`.

    A token is handed out only for a server that the profile allows: that of `resourceURL` and \
    those of `allowedHosts`. Questions go to the terminal, never to standard error; with \
    SDKCTL_PROMPT=never there are none.
    """,
  examples: [
    ("sdkctl credential git install | sh", "Make git use tokens of the profile"),
    ("sdkctl credential kubectl install", "Show what kubectl needs"),
  ],
  seeAlso: ["token", "exec"])

// The headings of options in help and manual. Options without one are the most important ones.
extension Heading {
  static let parameters = Heading("Parameters")
  static let response = Heading("Response")
  static let pages = Heading("Lists of several pages")
  static let batch = Heading("Many requests")
  static let outputFile = Heading("Output file")
  static let connection = Heading("Connection")
  static let tokenRequest = Heading("Token request")
  static let reports = Heading("Reports")
  static let sharedStore = Heading("Connection to a shared store")
  static let preview = Heading("Preview")
  static let signInPage = Heading("Sign-in page")
  static let tokens = Heading("Tokens")
  static let authorizationRequest = Heading("Authorization request and response")
  static let proofOfPossession = Heading("Proof of possession")
  static let cookies = Heading("Cookies")
  static let otherTokens = Heading("Tokens with less scope, or for another service")
  static let existingClient = Heading("A client that exists")
  static let whichToken = Heading("Which token")
  static let keySource = Heading("Where the keys come from")
  static let encryption = Heading("Encryption")
  static let expectedClaims = Heading("Expected claims")
  static let keys = Heading("Keys and certificates")
  static let keyDescription = Heading("Description of the key")
  static let passwords = Heading("Passwords")
  static let alternativeNames = Heading("Alternative names")
  static let securityTokenService = Heading("Security token service")
  static let software = Heading("Software")
}
