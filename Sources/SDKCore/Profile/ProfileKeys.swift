public import HTTP
import JOSE
import JSON
public import OAuth
public import Pinning

/// The settings of a profile that this module declares, with the types of their values.
///
/// ``Profile`` has the value of each as a member of that name. A row says all that there is to say of a setting:
/// name, heading, type, what a change does, default, summary, example and the other settings that it needs.
public struct ProfileKeys: Sendable {
  /// The issuer of the authorization server.
  public let issuer = Key<Issuer?>(
    "issuer", .servers, .issuer, .destination, "The authorization server's issuer",
    example: "https://id.example.com")
  /// What the paths of resource requests are appended to.
  public let resourceURL = Key<HTTPURL?>(
    "resourceURL", .servers, .server, .destination, "What the paths of fetch are appended to",
    example: "https://api.example.com/v1")
  let allowedHosts = Key<[String]>(
    "allowedHosts", .servers, .hosts, .hosts, default: [],
    "Hosts that get the token, besides that of resourceURL",
    example: "files.example.com,api.example.com:8443")
  package let usesDiscovery = Key<Bool>(
    "discovery", .servers, .flag, .harmless, default: true,
    "Whether the server has a metadata document; if not, set endpoints.*", example: "false",
    needs: { on, _ in on ? [] : ["endpoints.authorization", "endpoints.token"] })
  /// Whether `http:` to this machine is allowed.
  public let insecureLoopback = Key<Bool>(
    "insecureLoopback", .servers, .flag, .exposes, default: false,
    "Whether http:// to this machine is allowed", example: "true")
  let idleSeconds = Key<Int64>(
    "idleTimeout", .servers, .seconds, .harmless, default: 60,
    "How long a server may send nothing, without a time limit; 0 for no limit", example: "120")
  /// The proxy, in place of the environment's.
  public let proxy = Key<ProxySetting?>(
    "proxy", .servers, .proxy, .elsewhere,
    "The proxy in place of the environment's; none for no proxy",
    example: "http://proxy.example.com:3128")
  /// The hosts that are reached without the proxy of the profile.
  public let proxyExceptions = Key<[String]>(
    "noProxy", .servers, .words, .added, default: [],
    "Hosts that are reached without the proxy of the profile", example: "localhost .example.com")
  /// The client id of a client that was not registered from here.
  public let clientID = Key<String?>(
    "clientID", .client, .text, .destination, "The client ID, if no registration is stored",
    example: "my-client")
  /// The port that a login listens on; `nil` for any.
  public let redirectPort = Key<UInt16?>(
    "redirectPort", .client, .port,
    .harmless.registered { port, client in
      port == nil
        || client["redirect_uris"]?.strings?.contains { (try? HTTPURL($0))?.port == port } != false
    }, "The port that login listens on", example: "8765")
  /// The redirect URI of the client; `nil` for a loopback address.
  public let redirectURI = Key<String?>(
    "redirectURI", .client, .redirectURI,
    .redirect.registered { uri, client in
      uri.map { client["redirect_uris"]?.strings?.contains($0) != false } ?? true
    },
    "The redirect URI of the client, if not a loopback address",
    example: "com.example.app:/callback")
  let basicEncoding = Key<String?>(
    "basicEncoding", .client, .choice("form", "raw"), .harmless,
    "How a Basic credential is encoded; without it form is tried, then raw", example: "form")
  let validatesClient = Key<Bool>(
    "clientValidation", .client, .flag, .protects, default: false,
    "Whether the server is asked, before anonymous requests, if it still accepts this installation",
    example: "true")
  /// The scope that a login asks for.
  public let scope = Key<String?>(
    "scope", .login, .scope, .registeredScope, "The scope that login asks for",
    example: "openid profile")
  let pushesAuthorization = Key<Bool>(
    "par", .login, .flag, .protects, default: false, "Whether login pushes its request (RFC 9126)",
    example: "true",
    needs: { on, profile in on && !profile.usesDiscovery ? ["endpoints.pushedAuthorization"] : [] })
  let signsAuthorization = Key<Bool>(
    "jar", .login, .flag, .protects, default: false, "Whether login signs its request (RFC 9101)",
    example: "true")
  let responseMode = Key<ResponseMode?>(
    "responseMode", .login, .choice, .signedResponse,
    "How the browser returns the response of a login; the jwt modes are signed (JARM)",
    example: "form_post")
  let usesPKCE = Key<Bool>(
    "pkce", .login, .flag, .protects, default: true,
    "Whether login uses PKCE; false for a server that fails with it", example: "false")
  let authorizationParameters = Key<FormParameters>(
    "authorizationParameters", .login, .parameters, .harmless, default: [:],
    "What login adds to the address that the browser opens", example: "mobile=1")
  /// The identity providers that a registration may name; `nil` when they are not known.
  public let identityProviders = Key<[String]?>(
    "identityProviders", .login, .words, .harmless,
    "The identity providers that may be named, if they are known", example: "google github")
  let allowsPasswordGrant = Key<Bool>(
    "passwordGrant", .login, .flag,
    .exposes.registered { on, client in
      !on || client["grant_types"]?.strings?.contains("password") == true
    }, default: false,
    "Whether login password is allowed (RFC 6749 section 4.3)", example: "true")
  /// What follows a 401; without the setting, whatever the stored credential came from.
  let reauthentication = Key<Reauthentication?>(
    "reauthenticate", .login, .reauthentication, .harmless,
    "What follows a 401: refresh the token, log in in another way than by browser, or nothing",
    example: "refresh")
  /// The scope of this installation's own token.
  public let anonymousScope = Key<String?>(
    "anonymousScope", .tokens, .scope, .registeredScope,
    "The scope of this installation's own token",
    example: "application-details")
  /// The scope of a token that is obtained in the user's name.
  public let implicitScope = Key<String?>(
    "implicitScope", .tokens, .scope, .harmless,
    "The scope of an implicit token, of what the user granted", example: "user-id-decorated")
  let tokenParameters = Key<[TokenParameter]>(
    "tokenParameters", .tokens, .tokenParameters, .files, default: [],
    "What is added to each token request; a value @FILE is a secret in that file",
    example: "tenant=acme")
  let dpop = Key<String?>(
    "dpop", .tokens, .choice("off", "on", "required"), .binding,
    "Whether tokens are bound to a key (DPoP); required refuses bearer tokens", example: "required")
  let allowsNarrowedRefresh = Key<Bool>(
    "narrowedRefresh", .tokens, .flag, .exposes, default: false,
    "Allow a refresh with less scope; some servers then limit the whole login", example: "true")
  /// How many seconds before its expiry an access token counts as expired.
  public let expiryMargin = Key<Int64>(
    "expiryMargin", .tokens, .seconds, .harmless, default: 0,
    "How long before its end an access token counts as expired", example: "30")
  /// Where people make an account.
  public let accountURL = Key<HTTPURL?>(
    "accountURL", .accounts, .page, .address, "The page on which people make an account",
    example: "https://id.example.com/sign-up")
  /// Where people who forgot their password get a new one.
  public let resetPasswordURL = Key<HTTPURL?>(
    "resetPasswordURL", .accounts, .page, .address,
    "The page on which people who forgot their password get a new one",
    example: "https://id.example.com/forgot")
  let accountClient = Key<String?>(
    "accountClient", .accounts, .choice("id", "secret"), .sendsSecret,
    "What is sent as client_id to endpoints.account and endpoints.passwordReset", example: "id",
    needs: { _, _ in ["endpoints.account"] })
  /// A file of trusted authorities, in place of the system's.
  public let caFile = Key<String?>(
    "caFile", .trust, .path, .local, "PEM file of the authorities to trust",
    example: "/etc/ssl/certs/lab-ca.pem")
  /// A file of authorities that are trusted besides the others.
  public let extraCAFile = Key<String?>(
    "extraCAFile", .trust, .path, .local, "PEM file of authorities to trust besides the others",
    example: "/usr/local/share/company-ca.pem")
  /// What a missing or wrong pin does.
  public let pinPolicy = Key<PinPolicy>(
    "pinPolicy", .trust, .choice, .enforcement, default: .enforce,
    "Whether a missing or wrong pin stops a transfer", example: "report")
  /// The thumbprint of the key that signs pin sets (RFC 7638).
  public let pinUpdateKey = Key<String?>(
    "pinUpdateKey", .trust,
    .text("a thumbprint (RFC 7638)") { JWK.isThumbprint($0) ? $0 : nil }, .elsewhere,
    "Thumbprint of the key that signs pin sets",
    example: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  /// The access of a request for which none is chosen.
  public let defaultAccess = Key<Access>(
    "defaultAccess", .resources, .choice, .harmless, default: .user,
    "The access of fetch if none is chosen", example: "anonymous")
  /// The application at SAP's mobile services, which requests to the profile's hosts name.
  public let applicationID = Key<String?>(
    "applicationID", .resources, .text, .harmless,
    "The application at SAP services; sent as X-SMP-APPID", example: "com.example.app")
  let encryptsPayload = Key<Bool>(
    "payloadEncryption", .resources, .flag, .protects, default: false,
    "Whether fetch encrypts requests to serverPublicKey, and requires encrypted responses",
    example: "true",
    needs: { on, _ in on ? ["serverPublicKey"] : [] })
  let serverPublicKey = Key<JWK?>(
    "serverPublicKey", .resources, .encryptionKey, .destination,
    "The key of the gateway that payloadEncryption encrypts to",
    example: "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
  let refusesDebugger = Key<Bool>(
    "debugDetection", .process, .flag, .protects, default: false,
    "Whether fetch refuses to run traced, with preloaded libraries or with core dumps",
    example: "true")
  let refusesTampering = Key<Bool>(
    "tamperingProtection", .process, .flag, .protects, default: false,
    "Whether fetch refuses libraries that are not from the system's directories", example: "true")
  let refusesRoot = Key<Bool>(
    "rootDetection", .process, .flag, .protects, default: false,
    "Whether fetch refuses to run as root", example: "true")
  let refusesEmulation = Key<Bool>(
    "emulationDetection", .process, .flag, .protects, default: false,
    "Whether fetch refuses to run in a virtual machine", example: "true")
  let libraryDirectories = Key<[String]>(
    "libraryDirectories", .process, .words, .local, default: [],
    "Directories whose libraries tamperingProtection accepts besides the system's",
    example: "/opt/lib /usr/local/lib")
  let identityWhen = Key<String?>(
    "identity.when", .certificates, .choice("asked", "refused"), .harmless,
    "Whether a certificate is obtained if a server asks (default), or only if it refuses",
    example: "refused")
  let identityRefusedStatus = Key<[Int]>(
    "identity.refusedStatus", .certificates,
    .words("statuses from 100 to 999") { Int($0).flatMap { 100...999 ~= $0 ? $0 : nil } },
    .harmless, default: [],
    "HTTP statuses by which servers refuse a certificate, such as 401 403", example: "401 403")
  let sealSlots = Key<[CredentialSlot]>(
    "seal.slots", .seal,
    .words("user, implicit or anonymous") { CredentialSlot(rawValue: $0) }, .fewer, default: [],
    "Slots that a login seals under a passcode, which is chosen then: user, implicit, anonymous",
    example: "user implicit")
  let sealPasscode = PasscodeKeys(
    "seal", .seal, lengths: 5...32, atLimit: "erase the sealed tokens")

  static let shared = ProfileKeys()
}
