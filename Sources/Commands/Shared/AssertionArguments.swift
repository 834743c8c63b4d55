import Arguments
import SDKCore

/// Where an assertion of another issuer comes from, beside a file.
struct AssertionArguments: Sendable {
  var command: String?
  var service: CIService?
  var audience: String?

  var isGiven: Bool { command != nil || service != nil }

  /// The source that the options name; `nil` without one.
  func source(file: String? = nil) throws -> AssertionSource? {
    if let file { return .file(try Failure.absolutePath(file)) }
    if let command { return .command(command) }
    return service.map { .job($0, audience: audience) }
  }
}

extension AssertionArguments {
  /// The options beside one for a file; `set` are the ways of which one may be given.
  static func options(exclusive set: String) -> [Option<Self>] {
    [
      .value(
        "assertion-command", "COMMAND", \.command,
        "Run this command, which prints the assertion"
      ).exclusive(set),
      .choice(
        "assertion-from", "SERVICE", \.service,
        "Use the token of the CI job that runs this"
      ).exclusive(set),
      .value(
        "assertion-audience", "NAME", \.audience,
        "Request that token for this audience"
      ).needs("assertion-from"),
    ]
  }
}
