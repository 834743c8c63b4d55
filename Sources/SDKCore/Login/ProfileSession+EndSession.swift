package import HTTP
import OAuth

extension ProfileSession {
  /// Where a browser ends the user's session at the server (OpenID Connect RP-Initiated Logout 1.0).
  ///
  /// It names the client and not the ID token (`id_token_hint`), because the address is seen in
  /// argument lists and in the browser's history. Without that hint the server asks the person
  /// before it ends anything, and sends the browser nowhere afterwards.
  ///
  /// - Throws: ``SDKError``: `unsupported` if the server has no such endpoint.
  package func endSessionURL() async throws(SDKError) -> HTTPURL {
    let action = "could not end the session at the server"
    let clientID = try requiredRegistration().clientID
    let server = try await metadata()
    return try await exchanging(action) { () throws(OAuthError) in
      try server.required(.endSession).adding(["client_id": clientID])
    }
  }
}
