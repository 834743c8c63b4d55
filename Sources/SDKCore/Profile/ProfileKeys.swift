public import HTTP
import JOSE
public import OAuth
public import Pinning

/// The keys of a profile, in the order of the manual, with the types of their values.
///
/// ``Profile`` has the value of each as a member of that name.
public struct ProfileKeys: Sendable {
  /// The issuer of the authorization server.
  public let issuer = Key<Issuer?>(
    "issuer", .issuer, .destination, "The authorization server's issuer")
  /// What the paths of resource requests are appended to.
  public let resourceURL = Key<HTTPURL?>(
    "resourceURL", .url, .destination, "What the paths of fetch are appended to")
  /// The client id of a client that was not registered from here.
  public let clientID = Key<String?>(
    "clientID", .text, .destination, "The client ID, if no registration is stored")
  /// The scope that a login asks for.
  public let scope = Key<String?>("scope", .scope, .harmless, "The scope that login asks for")
  /// The scope of this installation's own token.
  public let anonymousScope = Key<String?>(
    "anonymousScope", .scope, .harmless, "The scope of this installation's own token")
  /// The scope of a token that is obtained in the user's name.
  public let implicitScope = Key<String?>(
    "implicitScope", .scope, .harmless, "The scope of an implicit token, of what the user granted")
  let pushesAuthorization = Key<Bool>(
    "par", .flag, .protects, default: false, "Whether login pushes its request (RFC 9126)")
  let dpop = Key<String?>(
    "dpop", .choice("off", "on", "required"), .binding,
    "Whether tokens are bound to a key (DPoP); required refuses bearer tokens")
  let signsAuthorization = Key<Bool>(
    "jar", .flag, .protects, default: false, "Whether login signs its request (RFC 9101)")
  let responseMode = Key<ResponseMode?>(
    "responseMode", .choice, .signedResponse,
    "How the browser returns the response of a login; the jwt modes are signed (JARM)")
  /// A file of trusted authorities, in place of the system's.
  public let caFile = Key<String?>("caFile", .path, .local, "PEM file of the authorities to trust")
  /// What a missing or wrong pin does.
  public let pinPolicy = Key<PinPolicy>(
    "pinPolicy", .choice, .enforcement, default: .enforce,
    "Whether a missing or wrong pin stops a transfer")
  /// The thumbprint of the key that signs pin sets (RFC 7638).
  public let pinUpdateKey = Key<String?>(
    "pinUpdateKey", .text, .elsewhere, "Thumbprint of the key that signs pin sets for `pin update`")
  let allowedHosts = Key<[String]>(
    "allowedHosts", .hosts, .hosts, default: [],
    "Hosts that get the token, besides that of resourceURL")
  /// Whether `http:` to this machine is allowed.
  public let insecureLoopback = Key<Bool>(
    "insecureLoopback", .flag, .exposes, default: false,
    "Whether http:// to this machine is allowed")
  let idleSeconds = Key<Int64>(
    "idleTimeout", .seconds, .harmless, default: 60,
    "How long a server may send nothing, without a time limit; 0 for no limit")
  /// The port that a login listens on; `nil` for any.
  public let redirectPort = Key<UInt16?>(
    "redirectPort", .port, .harmless, "The port that login listens on")
  /// The redirect URI of the client; `nil` for a loopback address.
  public let redirectURI = Key<String?>(
    "redirectURI", .redirectURI, .redirect,
    "The redirect URI of the client, if not a loopback address")
  /// The identity providers that a registration may name; `nil` when they are not known.
  public let identityProviders = Key<[String]?>(
    "identityProviders", .words, .harmless,
    "The identity providers that may be named, if they are known")
  let validatesClient = Key<Bool>(
    "clientValidation", .flag, .protects, default: false,
    "Whether the server is asked, before anonymous requests, if it still accepts this installation")
  /// Where people make an account.
  public let accountURL = Key<HTTPURL?>(
    "accountURL", .url, .address, "The page on which people make an account")
  /// Where people who forgot their password get a new one.
  public let resetPasswordURL = Key<HTTPURL?>(
    "resetPasswordURL", .url, .address,
    "The page on which people who forgot their password get a new one")
  /// The access of a request for which none is chosen.
  public let defaultAccess = Key<Access>(
    "defaultAccess", .choice, .harmless, default: .user, "The access of fetch if none is chosen")
  let refusesDebugger = Key<Bool>(
    "debugDetection", .flag, .protects, default: false,
    "Whether fetch refuses to run traced, with preloaded libraries or with core dumps")
  let refusesTampering = Key<Bool>(
    "tamperingProtection", .flag, .protects, default: false,
    "Whether fetch refuses libraries that are not from the system's directories")
  let refusesRoot = Key<Bool>(
    "rootDetection", .flag, .protects, default: false, "Whether fetch refuses to run as root")
  let refusesEmulation = Key<Bool>(
    "emulationDetection", .flag, .protects, default: false,
    "Whether fetch refuses to run in a virtual machine")
  let libraryDirectories = Key<[String]>(
    "libraryDirectories", .words, .local, default: [],
    "Directories whose libraries tamperingProtection accepts besides the system's")
  let encryptsPayload = Key<Bool>(
    "payloadEncryption", .flag, .protects, default: false,
    "Whether fetch encrypts requests to serverPublicKey, and requires encrypted responses")
  let serverPublicKey = Key<JWK?>(
    "serverPublicKey", .encryptionKey, .destination,
    "The key of the gateway that payloadEncryption encrypts to")
  let allowsPasswordGrant = Key<Bool>(
    "passwordGrant", .flag, .exposes, default: false,
    "Whether login password is allowed (RFC 6749 section 4.3)")
  let allowsNarrowedRefresh = Key<Bool>(
    "narrowedRefresh", .flag, .exposes, default: false,
    "Allow a refresh with less scope; some servers then limit the whole login")
  package let usesDiscovery = Key<Bool>(
    "discovery", .flag, .harmless, default: true,
    "Whether the server has a metadata document; if not, set endpoints.*")
  let usesPKCE = Key<Bool>(
    "pkce", .flag, .protects, default: true,
    "Whether login uses PKCE; false for a server that fails with it")
  let authorizationParameters = Key<FormParameters>(
    "authorizationParameters", .parameters, .harmless, default: [:],
    "What login adds to the address that the browser opens")
  let basicEncoding = Key<String?>(
    "basicEncoding", .choice("form", "raw"), .harmless,
    "How a Basic credential is encoded; without it form is tried, then raw")
  /// How many seconds before its expiry an access token counts as expired.
  public let expiryMargin = Key<Int64>(
    "expiryMargin", .seconds, .harmless, default: 0,
    "How long before its end an access token counts as expired")
  let accountClient = Key<String?>(
    "accountClient", .choice("id", "secret"), .sendsSecret,
    "What is sent as client_id to endpoints.account and endpoints.passwordReset")
  /// The application at SAP's mobile services, which requests to the profile's hosts name.
  public let applicationID = Key<String?>(
    "applicationID", .text, .harmless, "The application at SAP services; sent as X-SMP-APPID")
  let identityObtain = Key<EnrolmentKind?>(
    "identity.obtain", .choice, .harmless,
    "Where client certificates come from if a server asks for one")
  let identityWhen = Key<String?>(
    "identity.when", .choice("asked", "refused"), .harmless,
    "Whether one is obtained if a server asks (default), or only if it refuses")
  let identityRefusedStatus = Key<[String]>(
    "identity.refusedStatus", .words, .harmless, default: [],
    "HTTP statuses by which servers refuse a certificate, such as 401 403")
  let identityURL = Key<HTTPURL?>(
    "identity.url", .url, .address,
    "The base URL of the enrolment service, which gets the token of identity.token")
  let identityAttributesURL = Key<HTTPURL?>(
    "identity.attributesURL", .url, .address,
    "URL of the attributes of certificates, from SAP's service")
  let identityRequestURL = Key<HTTPURL?>(
    "identity.requestURL", .url, .address, "Where SAP's certificate service issues certificates")
  let identityRetireURL = Key<HTTPURL?>(
    "identity.retireURL", .url, .address,
    "Where SAP's certificate service takes back renewed certificates")
  let identityCommand = Key<String?>(
    "identity.command", .text, .local,
    "The program that prints a certificate and its key, with its arguments")
  let identityKey = Key<PrivateKeyType?>(
    "identity.key", .choice, .harmless, "The kind of key that is made for a certificate (p256)")
  let identitySubject = Key<String?>(
    "identity.subject", .text, .harmless, "The subject to ask for, such as CN=alice,O=Example")
  let identityNames = Key<[String]?>(
    "identity.names", .words, .harmless,
    "Alternative names to ask for: DNS:host, email:address or URI:uri")
  let identityLabel = Key<String?>(
    "identity.label", .text, .harmless,
    "The label of the authority (EST), or the profile's GUID (SLS)")
  let identityUser = Key<String?>(
    "identity.user", .text, .harmless, "The user name at the enrolment service")
  let identityPasswordFile = Key<String?>(
    "identity.passwordFile", .path, .local, "A file with the password at the enrolment service")
  let identityToken = Key<CredentialSlot?>(
    "identity.token", .choice, .enrolmentToken, "The slot whose token the enrolment service gets")
  let identityProfile = Key<String?>(
    "identity.profile", .text, .elsewhere,
    "The profile of that slot, if another login than this profile's is needed")
  /// What follows a 401; without the setting, whatever the stored credential came from.
  public let reauthentication = Key<Reauthentication?>(
    "reauthenticate", .choice, .harmless,
    "What follows a 401: refresh the token, log in by form or with a FIDO key, or nothing")
  package let fidoURL = Key<HTTPURL?>(
    "fido.url", .url, .address,
    "The base URL of the FIDO UAF server, which gets the user's token; the paths are appended")
  package let fidoRegistrationRequestPath = Key<String>(
    "fido.registrationRequestPath", .urlPath, .harmless, default: "/uaf/1.1/request/registration/",
    "Where a registration is asked for")
  package let fidoRegistrationResponsePath = Key<String>(
    "fido.registrationResponsePath", .urlPath, .harmless, default: "/uaf/1.1/registration/",
    "Where the response to a registration request is sent")
  package let fidoAuthenticationRequestPath = Key<String>(
    "fido.authenticationRequestPath", .urlPath, .harmless,
    default: "/uaf/1.1/request/authentication/",
    "Where an authentication is asked for")
  package let fidoAuthenticationResponsePath = Key<String>(
    "fido.authenticationResponsePath", .urlPath, .harmless, default: "/uaf/1.1/authentication/",
    "Where the response to an authentication request is sent")
  package let fidoDeregistrationRequestPath = Key<String>(
    "fido.deregistrationRequestPath", .urlPath, .harmless,
    default: "/uaf/1.1/request/deregistration/",
    "Where a deregistration is asked for")
  package let fidoDispatchTargetPath = Key<String>(
    "fido.dispatchTargetResourcePath", .urlPath, .harmless, default: "/token/dispatch/targets/",
    "Where dispatch targets are listed, created and deleted")
  package let fidoRequestForm = Key<String>(
    "fido.requestForm", .choice("uaf", "username"), .harmless, default: "uaf",
    "What asks for an authentication: a UAF message, or the user's name as in an Identity Suite")
  package let fidoUser = Key<String?>(
    "fido.user", .text, .harmless, "The account at the FIDO server, if none is named")
  package let fidoPasscodeFile = Key<String?>(
    "fido.passcodeFile", .path, .local,
    "A file with the passcode, for fido login and for a login after a 401"
  )
  package let fidoAppID = Key<String?>(
    "fido.appID", .text, .destination, "The only application ID that a FIDO request may have")
  package let fidoFacetID = Key<String?>(
    "fido.facetID", .text, .destination,
    "What this program is to the server; the origin of fido.url without it")
  package let fidoAAID = Key<String?>(
    "fido.aaid", .aaid, .harmless, "The model of the software authenticator, VVVV#MMMM")
  package let fidoAttestation = Key<String>(
    "fido.attestation", .choice("full", "surrogate"), .harmless, default: "full",
    "Whether a certificate or the key itself signs a registration")
  package let fidoEncoding = Key<String>(
    "fido.encoding", .choice("der", "raw"), .harmless, default: "der",
    "The form of FIDO keys and signatures: der (0x101, 0x02) or raw (0x100, 0x01)")
  package let fidoAllowsNoVerification = Key<Bool>(
    "fido.noVerification", .flag, .exposes, default: false,
    "Whether keys without a passcode are allowed, such as those of a CI job")
  package let fidoKey = Key<String?>(
    "fido.key", .text, .local, "The authenticator's key in a security token: a PKCS #11 URI")
  package let fidoPasscodeMinimum = Key<Int>(
    "fido.passcodeMinimumLength", .count(from: 1), .lower, default: 6,
    "The least number of characters of a passcode")
  package let fidoPasscodeMaximum = Key<Int>(
    "fido.passcodeMaximumLength", .count(from: 1), .lower, default: 64,
    "The greatest number of characters of a passcode")
  package let fidoPasscodeSimilarDigits = Key<Int>(
    "fido.passcodeSimilarDigits", .count(from: 1), .higher, default: 3,
    "How often a passcode of digits may have the same digit")
  package let fidoPasscodeSequences = Key<Bool>(
    "fido.passcodeSequences", .flag, .exposes, default: false,
    "Whether the digits of a passcode may count up or down")
  package let fidoPasscodeBlocked = Key<[String]>(
    "fido.passcodeBlocked", .words, .fewer, default: [], "Passcodes that nobody may choose")
  package let fidoPasscodeAttempts = Key<Int>(
    "fido.passcodeAttempts", .count(from: 1), .higher, default: 5,
    "How many wrong passcodes in a row lock the authenticator")
  package let fidoMaximumRetries = Key<Int>(
    "fido.authenticationMaxRetries", .count(from: 0), .harmless, default: 3,
    "How often an authentication is repeated while the server does not know the key yet")
  package let fidoRetryInterval = Key<Int64>(
    "fido.authenticationRetryInterval", .seconds, .harmless, default: 1,
    "The wait before each of these repetitions")
  package let fidoNetworkTimeout = Key<Int64>(
    "fido.networkTimeout", .seconds, .harmless, default: 60,
    "How long a request to the FIDO server may take")
  package let fidoInteractionTimeout = Key<Int64>(
    "fido.userInteractionTimeout", .seconds, .harmless, default: 240,
    "How long a person has to enter the passcode or to confirm a transaction")
  package let fidoProvider = Key<String?>(
    "fido.provider", .choice("cookies", "jwt"), .harmless,
    "What fido login yields; without it, a JWT if there is one, else cookies")
  package let fidoJWT = Key<ReturnedTokenSource?>(
    "fido.jwt", .tokenPlace, .harmless, "Where its JWT is: header:NAME, member:NAME or cookie:NAME")
  package let fidoCookies = Key<[String]>(
    "fido.cookies", .words, .harmless, default: [],
    "The cookies without which fido login has failed; only they are stored")
  let sealSlots = Key<[String]>(
    "seal.slots", .words, .fewer, default: [],
    "Slots that a login seals under a passcode, which is chosen then: user, implicit, anonymous")
  let sealPasscodeMinimum = Key<Int>(
    "seal.passcodeMinimumLength", .count(from: 1), .lower, default: 5,
    "The least number of characters of the passcode of sealed tokens")
  let sealPasscodeMaximum = Key<Int>(
    "seal.passcodeMaximumLength", .count(from: 1), .lower, default: 32,
    "The greatest number of its characters")
  let sealPasscodeSimilarDigits = Key<Int>(
    "seal.passcodeSimilarDigits", .count(from: 1), .higher, default: 3,
    "How often a passcode of digits may have the same digit")
  let sealPasscodeSequences = Key<Bool>(
    "seal.passcodeSequences", .flag, .exposes, default: false,
    "Whether its digits may go up or down in equal steps")
  let sealPasscodeBlocked = Key<[String]>(
    "seal.passcodeBlocked", .words, .fewer, default: [], "Passcodes that nobody may choose")
  let sealPasscodeAttempts = Key<Int>(
    "seal.passcodeAttempts", .count(from: 1), .higher, default: 5,
    "How many wrong passcodes in a row erase the sealed tokens")

  static let shared = ProfileKeys()
}
