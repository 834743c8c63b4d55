import FIDO

@testable import Arguments
@testable import Commands
@testable import SDKCore

/// Reads the arguments of one command, and tells what differs from the defaults.
struct Probe: Sendable {
  let path: String
  private let read: @Sendable ([String]) -> [String: String]?

  init<C: Arguments.Command>(_ path: String, _ command: C.Type) {
    self.path = path
    read = { words in
      let words = (path.split(separator: " ").map(String.init) + words).map { Array($0.utf8) }
      let syntax = SyntaxReader.read(words, commandTable.catalog)
      guard syntax.parseError == nil,
        let arguments = (try? ArgumentDecoder.arguments(of: C.self, syntax.own, syntax.operands))?
          .arguments
      else { return nil }
      let defaults = fields(of: C.Arguments())
      return fields(of: arguments).filter { defaults[$0.key] != $0.value }
    }
  }

  /// The fields that the words set, with their values as text; `nil` for a usage error.
  func changes(_ words: [String]) -> [String: String]? { read(words) }

  /// Every command that runs.
  static let all: [Probe] = [
    Probe("status", Status.self),
    Probe("profile add", ProfileAdd.self), Probe("profile list", ProfileList.self),
    Probe("profile show", ProfileShow.self), Probe("profile use", ProfileUse.self),
    Probe("profile set", ProfileSet.self), Probe("profile unset", ProfileUnset.self),
    Probe("profile copy", ProfileCopy.self),
    Probe("profile metadata", ProfileMetadata.self), Probe("profile remove", ProfileRemove.self),
    Probe("profile import", ProfileImport.self),
    Probe("profile export", ProfileExportCommand.self),
    Probe("profile seal", ProfileSeal.self), Probe("profile unseal", ProfileUnseal.self),
    Probe("profile passcode", ProfilePasscode.self),
    Probe("profile store show", ProfileStoreShow.self),
    Probe("profile store move", ProfileStoreMove.self),
    Probe("profile store key import", ProfileStoreKeyImport.self),
    Probe("profile store key export", ProfileStoreKeyExport.self),
    Probe("profile store key rotate", ProfileStoreKeyRotate.self),
    Probe("user list", UserList.self), Probe("user use", UserUse.self),
    Probe("user remove", UserRemove.self),
    Probe("pin add", PinAdd.self), Probe("pin list", PinList.self),
    Probe("pin show", PinShow.self), Probe("pin remove", PinRemove.self),
    Probe("pin hash", PinHash.self), Probe("pin check", PinCheck.self),
    Probe("pin diff", PinDiff.self), Probe("pin set", PinSetCommand.self),
    Probe("pin lint", PinLint.self), Probe("pin plan", PinPlan.self),
    Probe("pin update", PinUpdate.self), Probe("pin backup", PinBackup.self),
    Probe("pin history", PinHistory.self), Probe("pin import", PinImportCommand.self),
    Probe("pin export", PinExportCommand.self), Probe("identity list", IdentityList.self),
    Probe("identity show", IdentityShow.self), Probe("identity import", IdentityImport.self),
    Probe("identity export", IdentityExport.self), Probe("identity remove", IdentityRemove.self),
    Probe("identity csr", IdentityCSR.self), Probe("identity check", IdentityCheck.self),
    Probe("identity renew", IdentityRenew.self), Probe("identity obtain", IdentityObtain.self),
    Probe("register", Register.self),
    Probe("register show", RegisterShow.self), Probe("register update", RegisterUpdate.self),
    Probe("account create", AccountCreate.self),
    Probe("account reset-password", AccountResetPassword.self),
    Probe("login", Login.self), Probe("login password", LoginPassword.self),
    Probe("login assertion", LoginAssertion.self), Probe("login exchange", LoginExchange.self),
    Probe("login token", LoginToken.self), Probe("login form", LoginForm.self),
    Probe("login respond", LoginRespond.self),
    Probe("login install-handler", LoginInstallHandler.self), Probe("token", Token.self),
    Probe("token decode", TokenDecode.self), Probe("token verify", TokenVerify.self),
    Probe("token test", TokenTest.self), Probe("token lint", TokenLint.self),
    Probe("token diff", TokenDiff.self), Probe("token jwk", TokenJWK.self),
    Probe("token sign", TokenSign.self),
    Probe("token list", TokenList.self),
    Probe("token introspect", TokenIntrospect.self),
    Probe("token userinfo", TokenUserinfo.self),
    Probe("token refresh", TokenRefresh.self), Probe("token revoke", TokenRevoke.self),
    Probe("fetch", Fetch.self),
    Probe("exec", Exec.self), Probe("proxy", Proxy.self),
    Probe("credential git", CredentialGit.self),
    Probe("credential docker", CredentialDocker.self),
    Probe("credential kubectl", CredentialKubectl.self),
    Probe("credential aws", CredentialAWS.self),
    Probe("credential mcp", CredentialMCP.self),
    Probe("logout", Logout.self), Probe("deregister", Deregister.self),
    Probe("config list", ConfigList.self), Probe("config get", ConfigGet.self),
    Probe("config set", ConfigSet.self), Probe("config unset", ConfigUnset.self),
    Probe("fido register", FIDORegister.self), Probe("fido login", FIDOLogin.self),
    Probe("fido deregister", FIDODeregister.self), Probe("fido passcode", FIDOPasscode.self),
    Probe("fido metadata", FIDOMetadata.self), Probe("fido target list", FIDOTargetList.self),
    Probe("fido target add", FIDOTargetAdd.self),
    Probe("fido target remove", FIDOTargetRemove.self),
    Probe("doctor", Doctor.self), Probe("completion", CompletionScript.self),
    Probe("help", Help.self), Probe("version", Version.self), Probe("__complete", Complete.self),
    Probe("__generate", Generate.self),
  ]

  static func named(_ path: String) -> Probe? { all.first { $0.path == path } }
}

/// The usage error of a command line, or `nil` when it can run.
func usageError(_ words: [String]) -> String? {
  guard case .usage(let error) = commandTable.read(words).outcome else { return nil }
  return error.message
}

/// The stored properties of a value with their values as text, absent ones as `(none)`.
///
/// Those of a description of a client, and of connections, stand among the others, as their options do.
func fields(of value: some Any) -> [String: String] {
  var fields: [String: String] = [:]
  for (label, value) in Mirror(reflecting: value).children {
    if value is ClientArguments || value is KeyOptions
      || value is SignedClaims || value is SigningKeyChoice || value is EncryptionChoice
      || value is ClaimOptions
      || value is Fetch.BatchArguments || value is Fetch.PageArguments
      || value is Token.OutputArguments || value is AssertionArguments
      || value is IdentityCertificateRequest
      || value is ConnectionArguments || value is PinFileArguments
      || value is TokenSelection || value is StoreConnectionArguments
      || value is TokenChoice || value is SettingConsent
      || value is DispatchTargetSettings
    {
      fields.merge(CommandsTests.fields(of: value)) { _, nested in nested }
    } else {
      fields[label ?? ""] = text(of: value)
    }
  }
  return fields
}

private func text(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "(none)"
  case .collection: return mirror.children.map { text(of: $0.value) }.joined(separator: " | ")
  default: return "\(value)"
  }
}
