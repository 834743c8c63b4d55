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
        ProfileAdd.self, ProfileList.self, ProfileShow.self, ProfileUse.self,
        ProfileSet.self, ProfileUnset.self,
        ProfileCopy.self, ProfileMetadata.self,
        ProfileRemove.self,
        ProfileImport.self, ProfileExportCommand.self,
        ProfileSeal.self, ProfileUnseal.self,
        ProfilePasscode.self, ProfileStoreShow.self, ProfileStoreMove.self,
        ProfileStoreKeyImport.self, ProfileStoreKeyExport.self,
        ProfileStoreKeyRotate.self,
      ]),
    .group("user", userPage, [UserList.self, UserUse.self, UserRemove.self]),
    .group(
      "pin", pinPage,
      [
        PinAdd.self, PinList.self, PinShow.self, PinRemove.self,
        PinHash.self,
        PinCheck.self,
        PinDiff.self,
        PinSetCommand.self,
        PinLint.self,
        PinPlan.self,
        PinUpdate.self,
        PinBackup.self,
        PinHistory.self,
        PinImportCommand.self,
        PinExportCommand.self,
      ]),
    .group(
      "identity", identityPage,
      [
        IdentityList.self, IdentityShow.self, IdentityImport.self,
        IdentityExport.self, IdentityRemove.self, IdentityCSR.self,
        IdentityCheck.self, IdentityRenew.self, IdentityObtain.self,
      ]),
    .command(
      "register", Register.self,
      [
        RegisterShow.self, RegisterUpdate.self,
      ]),
    .group("account", accountPage, [AccountCreate.self, AccountResetPassword.self]),
    .command(
      "login", Login.self,
      [
        LoginPassword.self, LoginAssertion.self, LoginExchange.self,
        LoginToken.self, LoginForm.self,
        LoginRespond.self, LoginInstallHandler.self,
      ]),
    .command(
      "token", Token.self,
      [
        TokenDecode.self, TokenVerify.self, TokenTest.self, TokenLint.self,
        TokenDiff.self, TokenJWK.self, TokenSign.self,
        TokenList.self,
        TokenIntrospect.self,
        TokenUserinfo.self,
        TokenRefresh.self,
        TokenRevoke.self,
      ]),
    .command("fetch", Fetch.self),
    .command("exec", Exec.self),
    .command("proxy", Proxy.self),
    .group(
      "credential", credentialPage,
      [
        CredentialGit.self,
        CredentialDocker.self,
        CredentialKubectl.self,
        CredentialAWS.self,
        CredentialMCP.self,
      ]),
    .command("logout", Logout.self),
    .command("deregister", Deregister.self),
    .group(
      "fido", fidoPage,
      [
        FIDORegister.self, FIDOLogin.self, FIDODeregister.self,
        FIDOPasscode.self, FIDOMetadata.self,
        FIDOTargetList.self, FIDOTargetAdd.self, FIDOTargetRemove.self,
      ]),
    .group(
      "config", configPage,
      [ConfigList.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self]),
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
  static let setup: Heading = "Profiles and pins"
  static let access: Heading = "Access"
  static let tools: Heading = "Tools"
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
  static let outputFile: Heading = "Output file"
  static let connection: Heading = "Connection"
  static let sharedStore: Heading = "Connection to a shared store"
  static let keySource: Heading = "Where the keys come from"
  static let keys: Heading = "Keys and certificates"
  static let passwords: Heading = "Passwords"
  static let software: Heading = "Software"
}
