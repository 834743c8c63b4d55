/// How the browser hands over an authorization response.
package enum ResponseMode: String, Sendable, CaseIterable {
  /// In the query of the redirect URI; the default of the code flow.
  case query
  /// In a form that the browser posts (OAuth 2.0 Form Post Response Mode).
  case formPost = "form_post"
  /// In the query, as a signed token (JWT Secured Authorization Response Mode, JARM).
  case queryToken = "query.jwt"
  /// In a form, as a signed token.
  case formPostToken = "form_post.jwt"

  /// Whether the response is a token.
  package var isToken: Bool { self == .queryToken || self == .formPostToken }

  /// Whether the browser posts it.
  package var isForm: Bool { self == .formPost || self == .formPostToken }
}
