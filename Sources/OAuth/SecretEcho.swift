import HTTP

/// Takes out of a server's words what it was sent in confidence.
///
/// Some servers quote the request in their error descriptions.
struct SecretEcho {
  private let secrets: [String]

  init(of request: HTTPRequest) {
    var secrets: [String] = []
    if case .bytes(let body) = request.body,
      let form = FormParameters(encoded: String(decoding: body, as: UTF8.self))
    {
      secrets = form.filter { Self.names.contains($0.name) }.map(\.value)
    }
    if let credential = request.fields["Authorization"]?.split(separator: " ").last {
      secrets.append(String(credential))
    }
    if let proof = request.fields["DPoP"] { secrets.append(proof) }
    // Short values would redact ordinary words.
    self.secrets = secrets.filter { $0.utf8.count >= 6 }
  }

  func redacted(_ text: String) -> String {
    secrets.reduce(text) { text, secret in
      [secret, FormParameters.encode(secret)].reduce(text) { text, form in
        text.split(separator: form, omittingEmptySubsequences: false).joined(
          separator: "‹redacted›")
      }
    }
  }

  private static let names: Set<String> = [
    "refresh_token", "code", "code_verifier", "client_secret", "client_assertion", "token",
    "subject_token", "actor_token", "assertion", "password", "device_code",
  ]
}
