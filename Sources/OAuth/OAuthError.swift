package import HTTP
import JSON
import Primitives

/// Why an OAuth exchange did not succeed.
///
/// `invalidatesGrant` separates what ends a session (RFC 6749 `invalid_grant`)
/// from what may be tried again: nothing else may decide that.
package struct OAuthError: Error, Sendable, Hashable {
  package enum Code: String, Sendable {
    /// The request got no response; `transport` says why.
    case transport
    /// The server returned an OAuth error, or another 4xx.
    case refused
    /// The user, or the server for the user, refused (`access_denied`).
    case denied
    /// The server, or something before it, does not answer the request now; whether it was handled is unknown.
    case unavailable
    /// The response does not follow the protocol.
    case malformed
    /// The response is well-formed but must not be trusted: issuer, state or ID token.
    case untrusted
    /// The server does not offer what is needed.
    case unsupported
  }

  /// A fact about some failures, from which a remedy follows.
  package enum Reason: Sendable, Hashable {
    /// The server does not offer this endpoint.
    case missingEndpoint(ServerMetadata.Endpoint)
    /// A metadata document names this issuer, which is not the requested one but of its origin.
    case namedIssuer(String)
    /// It is the client that the server refused.
    case refusedClient(RefusedClient)
    /// A page or a redirect, as a site returns it for any address.
    case page
  }

  package let code: Code
  /// The cause in words: lower case, no period, no secrets.
  package let message: String
  package let server: ServerError?
  package let transport: TransportError?
  /// What is known beyond that and may help; `nil` for most errors.
  package var reason: Reason?
  /// The seconds that the server asks to wait before another try.
  package var pause: Int64?

  package init(
    _ code: Code, _ message: String, server: ServerError? = nil,
    transport: TransportError? = nil, reason: Reason? = nil, pause: Int64? = nil
  ) {
    self.reason = reason
    self.pause = pause
    self.code = code
    self.message = message
    self.server = server
    self.transport = transport
  }

  package init(_ error: TransportError) {
    self.init(.transport, error.message, transport: error)
  }

  /// Whether the grant is invalid, and with it the stored tokens.
  ///
  /// GitHub's `bad_refresh_token` means the same.
  package var invalidatesGrant: Bool {
    code == .refused && ["invalid_grant", "bad_refresh_token"].contains(server?.error)
  }

  /// Whether a refresh was refused in a way that does not clearly mean the refresh token: without an error code, as
  /// Glewlwyd does with a used one, or with the code for access tokens, as UAA and Spring Security OAuth do.
  package var mayMeanRefreshToken: Bool {
    guard code == .refused, let server else { return false }
    return server.error.isEmpty ? server.status == 400 : server.error == "invalid_token"
  }
}

/// Why a server may have refused a client (`invalid_client`), or a grant to it
/// (`unauthorized_client`).
package enum RefusedClient: Sendable, Hashable {
  /// The server no longer knows a client that was registered from here, or not for this grant.
  case registered
  /// The credential of a client that the user gave may be wrong, or it may lack the grant.
  case given
  /// The server may read a Basic credential without decoding it.
  case encoded
}

/// An error from a server (RFC 6749 sections 4.1.2.1 and 5.2).
package struct ServerError: Sendable, Hashable {
  package let error: String
  /// The `error_description`, with control characters taken out.
  package let description: String?
  /// The HTTP status, when it came by HTTP.
  package let status: Int?
  /// The vendor's error number, if the server sends one.
  package let number: Int?

  package init(
    error: String, description: String?, status: Int? = nil, number: Int? = nil
  ) {
    self.error = printable(error, limit: 100)
    self.description = description.map { printable($0, limit: 500) }
    self.status = status
    self.number = number
  }

  /// Whether the server would have to ask the user (OpenID Connect Core 3.1.2.6): a login helps.
  package var asksUser: Bool {
    ["interaction_required", "login_required", "consent_required", "account_selection_required"]
      .contains(error)
  }

  /// One line for people.
  package var summary: String {
    guard let description, !description.isEmpty else { return error }
    return "\(error) (\(description))"
  }
}

/// Remote text that may be shown: no control characters, no endless lines.
package func printable(_ text: String, limit: Int) -> String {
  VisibleText.of(text, .space, limit: limit)
}

extension ServerError {
  /// The number that Onegini servers add to an OAuth error.
  ///
  /// The name of its member is not documented, so both usual names are accepted, and only
  /// numbers in their ranges: numbers of other vendors mean something else.
  static func number(in document: JSON?) -> Int? {
    for name in ["error_code", "errorCode"] {
      guard let value = document?[name] else { continue }
      guard let number = value.int ?? value.string.flatMap({ Int64($0) }) else { continue }
      if (9000...9099).contains(number) || (10_000...10_099).contains(number) {
        return Int(number)
      }
    }
    return nil
  }
}
