public import HTTP
public import OAuth
import Primitives

extension ResourceService {
  /// The issuer that a resource names when it refuses a token (RFC 9728 section 5.1), if it is not the profile's.
  ///
  /// It is no more than a hint: nobody has signed it.
  public func otherIssuer(namedBy response: HTTPResponse) async -> Issuer? {
    guard response.status == 401 else { return nil }
    let issuers = await Discovery(tokens.server.serverClient()).issuers(namedBy: response)
    return
      issuers.contains { sameIdentifier($0.text, profile.issuer?.text ?? "") } ? nil : issuers.first
  }
}
