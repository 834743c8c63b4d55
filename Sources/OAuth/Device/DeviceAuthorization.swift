public import HTTP
package import JSON

/// The codes of a device login (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Hashable {
  /// The secret with which this device polls.
  let deviceCode: String
  /// The code that the user enters.
  public let userCode: String
  /// The address where the user enters it.
  public let verificationURI: HTTPURL
  /// The same address with the code, for a link or a QR code.
  public let completeURI: HTTPURL?
  /// The lifetime of the codes in seconds.
  public let expiresIn: Int64
  /// Seconds between two polls.
  package let interval: Int64

  package init(_ document: JSONObject) throws(OAuthError) {
    deviceCode = try Self.text("device_code", in: document)
    userCode = printable(try Self.text("user_code", in: document), limit: 100)
    // Older servers write "url".
    let address = document["verification_uri"] ?? document["verification_url"]
    guard let uri = try Self.url(address, "verification_uri") else {
      throw OAuthError(.malformed, "the device response has no verification_uri")
    }
    verificationURI = uri
    completeURI = try Self.url(document["verification_uri_complete"], "verification_uri_complete")
    guard let lifetime = document["expires_in"]?.seconds, lifetime > 0 else {
      throw OAuthError(.malformed, "the device response has no usable expires_in")
    }
    expiresIn = min(lifetime, Self.longest)
    interval = min(max(document["interval"]?.seconds ?? 5, 1), Self.longest)
  }

  /// Requests codes (RFC 8628 section 3.1).
  package static func request(
    at endpoint: HTTPURL, scope: String?, client: ClientAuthentication,
    over serverClient: ServerClient
  ) async throws(OAuthError) -> DeviceAuthorization {
    var parameters = FormParameters()
    parameters["scope"] = scope
    return try DeviceAuthorization(
      try await serverClient.object(parameters, to: endpoint, as: client))
  }

  private static func text(
    _ name: String, in document: JSONObject
  ) throws(OAuthError) -> String {
    guard let text = document[name]?.string, !text.isEmpty else {
      throw OAuthError(.malformed, "the device response has no \(name)")
    }
    return text
  }

  private static func url(_ value: JSON?, _ name: String) throws(OAuthError) -> HTTPURL? {
    guard let value, value != .null else { return nil }
    guard let url = value.string.flatMap({ try? HTTPURL($0) }) else {
      throw OAuthError(.malformed, "'\(name)' of the device response is not a usable URL")
    }
    return url
  }

  /// The maximum lifetime of a code and the maximum wait of a poll: one day.
  private static let longest: Int64 = 86_400
}
