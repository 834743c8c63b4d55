package import JSON
package import OAuth
import TestSupport

@testable package import SDKCore

extension World {
  /// The token endpoint for clients that show a certificate.
  package static let mutualToken = "https://mtls.test/token"

  /// A world whose server registers clients, those that show a certificate too (RFC 8705).
  package static func mutualTLS(
    _ settings: JSONObject = [:], bindsTokens: Bool = false
  ) throws -> World {
    let world = try World(settings)
    let extras = """
      {"mtls_endpoint_aliases":{"token_endpoint":"\(mutualToken)"},\
      "tls_client_certificate_bound_access_tokens":\(bindsTokens),
      """
    world.transport.respond(metadataURL, .json(extras + metadata.dropFirst()))
    world.transport.respond(
      "https://id.test/register", .json(#"{"client_id":"app"}"#, status: 201))
    return world
  }
}

extension RegistrationOptions {
  /// The choice of a method that shows a certificate.
  package static func certificate(
    _ method: ClientAuthentication.Method = .selfSignedTLSClientAuth
  ) -> RegistrationOptions {
    let options = RegistrationOptions(method: method)
    return options
  }
}
