import HTTP
import JOSE
import JSON
import Primitives
import SDKCore

struct PrintedToken {
  let tokens: TokenSet
  let slot: CredentialSlot
  let profile: ProfileName
  /// The thumbprint of the key that the token is bound to.
  let jkt: String?
  /// The proof, which may be needless; `nil` if none was asked for.
  let proof: String??

  static let rows = Rows<PrintedToken>(
    [
      .member("accessToken", "the token") { $0.tokens.accessToken },
      .member("tokenType", "its type") { $0.tokens.tokenType },
      .member("expires", "when it expires") { $0.tokens.expires },
      .member("scope", "its scope") { $0.tokens.scope },
      .member("slot", "the slot") { $0.slot.rawValue },
      .member("profile", "the profile") { $0.profile.description },
      .member("jkt", "the thumbprint of the key that it is bound to") { $0.jkt },
      .member("authorizationDetails", "RFC 9396, if the server sends them") {
        $0.tokens.authorizationDetails
      }.orAbsent,
    ] + Rows<String?>(.member("proof", "with `--proof-for`, the proof") { $0 }).ofAny { $0.proof })

  static let idTokenRows = Rows<(token: IDToken, profile: ProfileName)>(
    .member("idToken", "the token") { $0.token.text },
    .member("expires", "when it expires") { $0.token.expires },
    .member("profile", "the profile") { $0.profile.description })

  static let cookieRows = Rows<(session: SessionCookies, profile: ProfileName)>(
    .member("provider", "`cookies`") { _ in "cookies" },
    .member("slot", "the slot") { _ in CredentialSlot.user.rawValue },
    .member("profile", "the profile") { $0.profile.description },
    .member("expires", "when the first of them expires") { $0.session.expires },
    .list("cookies", "the cookies", Cookie.rows) { $0.session.cookies })
}

extension Cookie {
  fileprivate static let rows = Rows<Cookie>(
    .member("name", "the name") { $0.name }, .member("value", "the value") { $0.value },
    .member("domain", "its domain") { $0.domain },
    .member("hostOnly", "whether it is for that host only") { $0.isHostOnly },
    .member("path", "its path") { $0.path }, .member("secure", "Secure") { $0.isSecure },
    .member("httpOnly", "HttpOnly") { $0.isHTTPOnly },
    .member("expires", "when it expires") { $0.expires })
}

/// The claims of a token, as far as it is a JWT: what `--field` finds besides the members.
func claims(of token: String) -> JSON? { try? JWT(token).claims }
