import JSON
import OAuth
import Primitives
import SDKCore

/// What is printed about a registration; never a credential.
struct RegistrationReport {
  let registration: Registration
  let profile: ProfileName

  /// What `--json` prints about a registration with all members that the server has.
  static let jsonOfMetadata = """
    The object of {register}, and in it `metadata`: the members of RFC 7591 as the server holds \
    them, without credentials.
    """

  /// The client id, or the facts that depend on no server's habits.
  func print(_ context: Context) {
    if let warning { context.warning(warning) }
    if context.globals.json {
      context.print(.object(members.merging(refusals) { $1 }))
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
      context.print(
        .object(members.merging(["metadata": .object(metadata)]) { $1 }), context.layout,
        fallback: { .object(metadata) })
      return
    }
    if let note { context.note("\(note) '\(profile)'") }
    if let certificate = registration.certificate {
      context.print("certificate: \(certificate.line(at: context.now()))")
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

  private var refusals: JSONObject {
    var members: JSONObject = [:]
    let (refused, former) = (registration.refusedGrants, registration.formerSteps)
    if !refused.isEmpty { members["refusedGrants"] = .strings(refused) }
    if !former.isEmpty {
      members["formerSteps"] = StepReport(steps: former, profile: profile).json(withSlots: true)
    }
    return members
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

  private var members: JSONObject {
    [
      "profile": .string(profile.description), "clientID": .string(registration.clientID),
      "source": .string(registration.source.rawValue),
      "redirectURIs": .strings(registration.redirectURIs),
      "confidential": .bool(registration.isConfidential),
      "authMethod": .string(registration.authenticationMethod.rawValue),
      "managed": .bool(registration.isManaged),
      "secretExpires": registration.secretExpires.map { .string($0.description) }
        ?? .null,
      "certificate": registration.certificate?.json ?? .null,
      "assertion": registration.assertionSource?.json ?? .null,
    ]
  }

  private func words(_ value: JSON, of name: String, _ context: Context) -> String {
    if name == "client_secret_expires_at" {
      return registration.secretExpires.map { Age.text(of: $0, at: context.now()) } ?? "never"
    }
    if name == "client_id_issued_at", let issued = value.time {
      return issued.description
    }
    let text = value.string ?? value.strings?.joined(separator: ", ") ?? value.serialized()
    return text.remote(limit: 2000)
  }
}

extension AssertionSource {
  /// Where the assertion comes from.
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
  /// Whose certificate it is, and until when.
  var json: JSON {
    ["subject": .string(subject), "expires": .string(notAfter.description)]
  }

  /// The same as one line for people.
  func line(at now: Timestamp) -> String { "\(subject), \(Age.text(of: notAfter, at: now))" }
}

extension String {
  /// A text of the server, of which at most `limit` characters are shown.
  fileprivate func remote(limit: Int) -> String { VisibleText.of(self, .space, limit: limit) }
}
