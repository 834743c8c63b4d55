import JSON
import OAuth
import Primitives
import SDKCore

/// What is printed about a registration; never a credential.
struct RegistrationReport {
  let registration: Registration
  let profile: ProfileName

  static let rows = Rows<RegistrationReport>(
    common.members + [
      .list("formerSteps", "what was done with a client that was replaced", LogoutStep.rows) {
        $0.registration.formerSteps
      }
    ])

  /// What is printed of a registration that the server was asked for.
  static let serverRows = Rows<RegistrationReport>(
    common.members + [
      .member(
        "metadata", "the members of RFC 7591 as the server holds them, without credentials"
      ) { JSON.object($0.registration.publicMetadata) }
    ])

  private static let common = Rows<RegistrationReport>(
    .member("profile", "the profile") { $0.profile.description },
    .member("clientID", "the client") { $0.registration.clientID },
    .member("source", "`dynamic` or `given`") { $0.registration.source.rawValue },
    .member("redirectURIs", "its redirect URIs") { $0.registration.redirectURIs },
    .member("confidential", "whether it has credentials") { $0.registration.isConfidential },
    .member("authMethod", "how it authenticates") {
      $0.registration.authenticationMethod.rawValue
    },
    .member("managed", "whether it can be changed at the server") { $0.registration.isManaged },
    .member("secretExpires", "when its secret ends") { $0.registration.secretExpires },
    .object("certificate", "its certificate", ClientCertificateChain.rows) {
      $0.registration.certificate
    },
    .member("assertion", "`file`, `command`, or `from` and `audience`") {
      $0.registration.assertionSource?.json
    },
    .member("refusedGrants", "the grant types that the server does not let it use") {
      $0.registration.refusedGrants
    })

  /// The client id, or the facts that depend on no server's habits.
  func print(_ context: Context) {
    if let warning { context.warning(warning) }
    if context.globals.json {
      context.print(Self.rows.json(self))
    } else {
      context.note("registered '\(profile)'")
      for note in notes { context.note(note) }
      context.print(registration.clientID)
    }
  }

  /// A line for people, where the data is about something else.
  func note(_ context: Context) {
    if let warning { context.warning(warning) }
    context.note("registered '\(profile)' as \(registration.clientID)")
    for note in notes { context.note(note) }
  }

  /// All members that the server has of the client.
  func printAll(_ context: Context, note: String?) {
    if let warning { context.warning(warning) }
    let metadata = registration.publicMetadata
    if context.globals.json {
      return context.print(Self.serverRows.json(self), fallback: { .object(metadata) })
    }
    if let note { context.note("\(note) '\(profile)'") }
    if let certificate = registration.certificate {
      context.print("certificate: \(certificate.line(context))")
    }
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      context.print("\(name.remote(limit: 100)): \(words(value, of: name, context))")
    }
  }

  /// What follows from the registration: what the provider must allow, and what will not work.
  private var notes: [String] {
    var notes: [String] = []
    if registration.source == .given {
      notes += registration.redirectURIs.map { "allow this redirect URI at the provider: \($0)" }
    }
    notes += registration.redirectURIs.compactMap { RedirectURI($0)?.caution }
    if !registration.refusedGrants.isEmpty {
      notes.append(
        "the server does not let this client use: "
          + registration.refusedGrants.map { $0.remote(limit: 100) }.joined(separator: ", "))
    }
    notes += registration.refusedGrants.compactMap { Self.consequences[$0] }
    return notes
  }

  private static let consequences = [
    "client_credentials": "so 'login --anonymous' and 'fetch --anonymous' will be refused",
    "refresh_token": "so a login ends with its access token",
  ]

  /// A note of what differs from the request; `nil` if nothing does.
  var warning: String? {
    registration.lacksEncryption
      ? "the server does not encrypt the ID tokens of '\(profile)'; unencrypted ones are accepted"
      : nil
  }

  private func words(_ value: JSON, of name: String, _ context: Context) -> String {
    if name == "client_secret_expires_at" {
      return registration.secretExpires.map(context.ending) ?? "never"
    }
    if name == "client_id_issued_at", let issued = value.time {
      return issued.description
    }
    let text = value.string ?? value.strings?.joined(separator: ", ") ?? value.serialized()
    return text.remote(limit: 2000)
  }
}

extension AssertionSource {
  fileprivate var json: JSON {
    switch self {
    case .file(let path): ["file": .string(path)]
    case .command(let line): ["command": .string(line)]
    case .job(let service, let audience):
      ["from": .string(service.rawValue), "audience": JSON(audience)]
    }
  }
}

extension ClientCertificateChain {
  static let rows = Rows<ClientCertificateChain>(
    .member("subject", "the subject") { $0.subject },
    .member("expires", "when it ends") { $0.notAfter })

  /// The same as one line for people.
  func line(_ context: Context) -> String { "\(subject), \(context.ending(notAfter))" }
}

extension String {
  /// A text of the server, of which at most `limit` characters are shown.
  fileprivate func remote(limit: Int) -> String { VisibleText.of(self, .space, limit: limit) }
}
