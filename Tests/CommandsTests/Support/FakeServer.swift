/// The scripted authorization server of these tests.
enum FakeServer {
  static let metadataURL = "https://id.test/.well-known/openid-configuration"
  static let tokenURL = "https://id.test/token"

  static let metadata = """
    {"issuer":"https://id.test","authorization_endpoint":"https://id.test/authorize",\
    "token_endpoint":"https://id.test/token","registration_endpoint":"https://id.test/register",\
    "revocation_endpoint":"https://id.test/revoke","jwks_uri":"https://id.test/jwks",\
    "userinfo_endpoint":"https://id.test/userinfo",\
    "device_authorization_endpoint":"https://id.test/device"}
    """

  /// The metadata with further members.
  static func metadata(with members: String) -> String { metadata.dropLast() + "," + members + "}" }
}
