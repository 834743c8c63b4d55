import HTTP
import OAuth
import Primitives

/// What a client shows to an enrolment service beside a certificate: a password or a token.
struct EnrolmentCredential: Sendable {
  private let field: HTTPField?

  /// The password of `identity.user` from `identity.passwordFile`, or the token of the slot
  /// `identity.token`; nothing if the profile names neither.
  init(_ context: EnrolmentContext) async throws(SDKError) {
    if let slot = context.profile.identityToken {
      field = try await context.tokens.token(of: slot).authorization
    } else if let user = context.profile.identityUser {
      let password = try await context.password(of: user)
      let pair = Base64.encode(Array("\(user):\(password)".utf8))
      field = HTTPField(known: "Authorization", "Basic \(pair)")
    } else {
      field = nil
    }
  }

  func authorize(_ request: inout HTTPRequest) {
    if let field { request.fields.append(field) }
  }

  /// The error of a response that is neither a certificate nor a request to wait.
  static func refusal(_ response: HTTPResponse, to request: HTTPRequest) -> SDKError {
    let host = request.url.host
    if let message = response.certificateRefusal {
      return SDKError(.identity, cause: "\(host): \(message)", subject: host)
    }
    if response.status >= 500 {
      return SDKError(.network, cause: "\(host) returned \(response.status)", subject: host)
    }
    // Section 4.2.3 of RFC 7030: a text for people.
    var reason = ""
    if response.mediaType == "text/plain" {
      let text = SecretEcho(of: request)
        .description(String(decoding: response.body.prefix(1 << 10), as: UTF8.self))
      reason = text.map { ": " + VisibleText.of($0, .space, limit: 200).trimmingBlanks } ?? ""
    }
    return SDKError(
      .refused, cause: "\(host) returned \(response.status)\(reason)", subject: host)
  }
}

extension EnrolmentContext {
  /// The password of a user at the enrolment service: of a file, or of a person.
  func password(of user: String) async throws(SDKError) -> String {
    if let path = profile.identityPasswordFile {
      return try await SecretFile.line(of: path, "password (identity.passwordFile)")
    }
    guard let ask = questions.password else {
      throw SDKError(
        .invalidConfiguration,
        cause: "there is no password for '\(user)': no identity.passwordFile",
        subject: "identity.passwordFile")
    }
    return try await ask(user)
  }
}
