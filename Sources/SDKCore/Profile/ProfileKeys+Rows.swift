import HTTP
import OAuth

extension SettingHeading {
  static let servers = SettingHeading("Servers")
  static let endpoints = SettingHeading("Endpoints")
  static let client = SettingHeading("Client")
  static let login = SettingHeading("Login")
  static let tokens = SettingHeading("Tokens")
  static let accounts = SettingHeading("Accounts")
  static let trust = SettingHeading("Pins and TLS")
  static let resources = SettingHeading("Resources")
  static let process = SettingHeading("Checks of this process")
  static let certificates = SettingHeading("Client certificates")
  static let seal = SettingHeading("Passcode of tokens")
}

extension ProfileKeys {
  static let rows: [ProfileKey] = {
    let keys = shared
    return [
      keys.issuer.row, keys.resourceURL.row, keys.allowedHosts.row, keys.usesDiscovery.row,
      keys.insecureLoopback.row, keys.idleSeconds.row, keys.proxy.row, keys.proxyExceptions.row,
    ] + keys.endpoints + [
      keys.clientID.row, keys.redirectPort.row, keys.redirectURI.row, keys.basicEncoding.row,
      keys.validatesClient.row,
      keys.scope.row, keys.pushesAuthorization.row, keys.signsAuthorization.row,
      keys.responseMode.row, keys.usesPKCE.row, keys.authorizationParameters.row,
      keys.identityProviders.row, keys.allowsPasswordGrant.row, keys.reauthentication.row,
      keys.anonymousScope.row, keys.implicitScope.row, keys.tokenParameters.row, keys.dpop.row,
      keys.allowsNarrowedRefresh.row, keys.expiryMargin.row,
      keys.accountURL.row, keys.resetPasswordURL.row, keys.accountClient.row,
      keys.caFile.row, keys.extraCAFile.row, keys.pinPolicy.row, keys.pinUpdateKey.row,
      keys.defaultAccess.row, keys.applicationID.row, keys.encryptsPayload.row,
      keys.serverPublicKey.row,
      keys.refusesDebugger.row, keys.refusesTampering.row, keys.refusesRoot.row,
      keys.refusesEmulation.row, keys.libraryDirectories.row,
      keys.sealSlots.row,
    ] + keys.sealPasscode.rows + [keys.identityWhen.row, keys.identityRefusedStatus.row]
  }()

  /// Those that are used in place of what the metadata of the server says, and those that only a profile can name.
  private var endpoints: [ProfileKey] {
    ServerMetadata.Endpoint.allCases.map {
      Self.endpoint($0.name, "Used instead of \($0.rawValue) of the server's metadata")
    } + [
      Self.endpoint("refresh", "Where refresh tokens go, if not to the token endpoint"),
      Self.endpoint(
        "account", "Where the server makes an account for an email address"),
      Self.endpoint(
        "passwordReset", "Where the server resets the password of an email address"),
    ]
  }

  private static func endpoint(_ name: String, _ summary: String) -> ProfileKey {
    Key<HTTPURL?>(
      "endpoints.\(name)", .endpoints, .url, .address, summary,
      example: "https://id.example.com/oauth/\(name)"
    ).row
  }
}
