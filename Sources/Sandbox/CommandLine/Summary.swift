import Arguments
import JSON
import POSIX

/// What `start` says at the end: where the sandbox is and what to try next.
struct Summary {
  let address: ServedAddress
  let directory: StateDirectory

  private var issuer: String { "https://localhost:\(address.port)" }

  /// Writes the profile unless told not to, and prints.
  func tell(_ arguments: Start.Arguments, _ context: Context, isForeground: Bool) async throws {
    let profile = Profile(
      issuer: issuer, caFile: directory.file(.authority), pins: address.pins,
      payloadKey: address.payloadKey)
    let outcome = arguments.leavesProfile ? nil : await profile.write(context.environment)
    if arguments.json {
      context.print(json(outcome))
    } else {
      Output.standard.write(words(outcome) + (isForeground ? "\nIt serves until ^C.\n" : ""))
    }
    try Output.standard.flush()
  }

  static let output = OutputDoc(
    .document, place + [MemberDoc("profileWritten", "whether the profile was written")])

  /// Where the sandbox is, as `start` and `status` print it.
  static let place = [
    MemberDoc("issuer", "the issuer"), MemberDoc("resourceURL", "the resources"),
    MemberDoc("port", "its port"), MemberDoc("mtlsURL", "the address for mutual TLS"),
    MemberDoc("mtlsPort", "its port"), MemberDoc("directory", "the directory of the sandbox"),
    MemberDoc("caFile", "the certificate authority"), MemberDoc("pins", "the pins of its keys"),
  ]

  private func json(_ outcome: Profile.Outcome?) -> JSON {
    let isWritten = if case .written = outcome { true } else { false }
    return [
      "issuer": .string(issuer), "resourceURL": .string(issuer + "/resources"),
      "port": .int(address.port), "mtlsURL": .string("https://localhost:\(address.mutualPort)"),
      "mtlsPort": .int(address.mutualPort), "directory": .string(directory.path),
      "caFile": .string(directory.file(.authority)), "pins": .strings(address.pins),
      "profileWritten": .bool(isWritten),
    ]
  }

  private func words(_ outcome: Profile.Outcome?) -> String {
    let people = Users.first.map { "\($0.name) (password \($0.password))" }
      .joined(separator: " and ")
    return """
      The sandbox is running.
        issuer     \(issuer)
        resources  \(issuer)/resources
        CA file    \(directory.file(.authority))
        people     \(people)
      \(profileWords(outcome))
      """
  }

  private func profileWords(_ outcome: Profile.Outcome?) -> String {
    switch outcome {
    case .written(let isNew):
      """

      The profile 'sandbox' is ready. Try:
        sdkctl -p sandbox register\(isNew ? "" : " --replace")
        sdkctl -p sandbox login
        sdkctl -p sandbox login password alice
        sdkctl -p sandbox token decode
        sdkctl -p sandbox fetch --user /devices
        sdkctl -p sandbox logout
      Addresses and what they do: sdkctl-sandbox help resources, pages, enrolment, mutual-tls, uaf

      """
    case .noProgram(let commands):
      "\nsdkctl was not found. These commands make the profile 'sandbox':\n"
        + commands.map { "  \($0)\n" }.joined()
    case .refused(let reason):
      "\nThe profile 'sandbox' could not be written: \(reason)\n"
    case nil: "\n"
    }
  }
}
