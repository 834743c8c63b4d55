/// How the browser hands over an authorization response.
package enum ResponseMode: String, Sendable, CaseIterable {
  /// In the query of the redirect URI; the default of the code flow.
  case query
  /// In a form that the browser posts (OAuth 2.0 Form Post Response Mode).
  case formPost = "form_post"
}
