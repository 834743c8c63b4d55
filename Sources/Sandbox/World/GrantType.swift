/// The grants of the token endpoint.
enum GrantType: String, CaseIterable, Sendable {
  case authorizationCode = "authorization_code"
  case refreshToken = "refresh_token"
  case clientCredentials = "client_credentials"
  case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  case password
  case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
}
