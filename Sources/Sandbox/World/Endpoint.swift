/// The endpoints as the counters and `fault --on` name them.
enum Endpoint: String, CaseIterable, Sendable {
  case discovery
  case jwks
  case register
  case manage
  case validate
  case authorize
  case pages
  case par
  case device
  case token
  case introspect
  case revoke
  case userinfo
  case logout
  case resources
  case enrol
  case login
  case facets
  case uafRequest = "uaf-request"
  case uafResponse = "uaf-response"
  case dispatchTargets = "dispatch-targets"
}
