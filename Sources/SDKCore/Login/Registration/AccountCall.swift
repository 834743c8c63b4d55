import HTTP
import JSON
import OAuth

/// Accounts by e-mail, as servers without a page for it take them: one JSON POST a call.
///
/// The wire of Sequencing.com: `{"client_id", "email"}` there, `{"status"}` back, 0 for done,
/// and the person gets an email. See docs/vendors.md.
struct AccountCall: Sendable {
  let action: AccountAction
  let url: HTTPURL
  /// What is sent as `client_id`; at Sequencing.com a secret.
  let client: String
  let transport: any Transport
  let timeout: Duration

  func send(_ address: EmailAddress) async throws(SDKError) {
    let response = try await attempt(action.failure) {
      try await transport.send(request(address), limit: Self.limit)
    }
    // The vendor's own library counts these redirects as responses.
    guard response.isSuccess || [301, 302].contains(response.status) else {
      throw SDKError(response).during(action.failure)
    }
    try check(try? JSON(parsing: response.body, maximumDepth: 32))
  }

  private func request(_ address: EmailAddress) -> HTTPRequest {
    let body: JSON = ["client_id": .string(client), "email": .string(address.text)]
    let fields: HTTPFields = [
      HTTPField(known: "Content-Type", "application/json"),
      HTTPField(known: "Accept", "application/json"), HTTPField(known: "Accept-Language", "en-us"),
    ]
    return HTTPRequest(
      .post, url, fields: fields, body: .bytes(Array(body.serialized().utf8)), timeout: timeout)
  }

  private func check(_ response: JSON?) throws(SDKError) {
    guard let status = response?["status"]?.int else {
      throw SDKError(
        .malformedResponse, "\(action.failure): the response of \(url.host) has no status")
    }
    guard status != 0 else { return }
    let code = response?["errorCode"].flatMap { $0.string ?? $0.int.map { String($0) } }
    let words = response?["errorMessage"].map(Self.words) ?? ""
    let cause = [words, code.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
    throw SDKError(
      .refused,
      "\(action.failure): "
        + (cause.isEmpty ? "the server refused" : readable(cause.joined(separator: " "))),
      serverError: code.map(readable))
  }

  /// A message comes as text or as an object of texts by field.
  private static func words(_ message: JSON) -> String {
    if let text = message.string { return text }
    guard let members = message.object else { return "" }
    return members.sorted.compactMap { $0.value.string }
      .joined(separator: "; ")
  }

  /// The server's message without the secrets that were sent to it.
  private func readable(_ text: String) -> String {
    printable(text.redacting(client), limit: 500)
  }

  private static let limit = 1 << 16
}
