package import HTTP
import JOSE

/// How a client proves at an endpoint who it is (RFC 6749 section 2.3).
package struct ClientAuthentication: Sendable {
  /// The methods of the IANA registry that are spoken here.
  package enum Method: String, Sendable, CaseIterable {
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"
  }

  package let clientID: String
  package let method: Method
  private let secret: String

  package init(clientID: String, method: Method, secret: String?) {
    self.clientID = clientID
    self.method = secret == nil ? .none : method
    self.secret = secret ?? ""
  }

  /// Whether the client has a credential (RFC 6749 section 2.1).
  package var isConfidential: Bool { method != .none }

  /// Adds what proves the client to a form request.
  package func authenticate(
    _ url: HTTPURL, _ parameters: FormParameters
  ) -> HTTPRequest {
    var parameters = parameters
    var fields: HTTPFields = []
    switch method {
    case .none:
      parameters["client_id"] = clientID
    case .post:
      parameters["client_id"] = clientID
      parameters["client_secret"] = secret
    case .basic:
      // RFC 6749 section 2.3.1: both halves are form-encoded first.
      let pair = "\(FormParameters.encode(clientID)):\(FormParameters.encode(secret))"
      let value = "Basic \(Base64Text.encode(Array(pair.utf8)))"
      fields.append(HTTPField(known: "Authorization", value))
    }
    return .form(url, parameters, fields: fields)
  }

  /// The best method that both sides speak; servers that keep silent speak Basic (RFC 8414).
  package static func preferred(by metadata: ServerMetadata) -> Method {
    let offered = metadata.words("token_endpoint_auth_methods_supported") ?? [Method.basic.rawValue]
    return [.basic, .post].first { offered.contains($0.rawValue) } ?? .none
  }
}
