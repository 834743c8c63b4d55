import Arguments
import CoreTestSupport
import Foundation

@testable import Commands

@Suite("Failures")
struct FailureTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let code: SDKError.Code
    let exit: ExitCode
    var isRetryable = false
    /// The hint without and with a profile; `nil` for none.
    var hint: String?
    var resource = ResourceError.userNotAuthenticated
    var subject: String?
    var details: [String] = []
    var testDescription: String { "\(code) \(subject ?? "")" }
  }

  static let rows: [Row] = [
    Row(code: .noProfile, exit: .configuration, hint: "profile list"),
    Row(code: .invalidConfiguration, exit: .configuration),
    Row(
      code: .invalidConfiguration, exit: .configuration,
      hint: "profile set issuer=https://HOST/PATH",
      subject: "issuer"),
    Row(
      code: .invalidConfiguration, exit: .configuration,
      hint: "profile set resourceURL=https://HOST/PATH", subject: "resourceURL"),
    Row(code: .store, exit: .configuration), Row(code: .storeVersion, exit: .configuration),
    Row(code: .storePermissions, exit: .configuration), Row(code: .invalidRequest, exit: .usage),
    Row(code: .notRegistered, exit: .authenticationRequired),
    Row(
      code: .notRegistered, exit: .authenticationRequired, hint: "register",
      resource: .deviceNotAuthenticated),
    Row(code: .registeredElsewhere, exit: .authenticationRequired, hint: "register --replace"),
    Row(code: .clientExpired, exit: .authenticationRequired),
    Row(code: .notAuthenticated, exit: .authenticationRequired, hint: "login"),
    Row(code: .sessionExpired, exit: .authenticationRequired, hint: "login"),
    Row(code: .stepUpRequired, exit: .authenticationRequired),
    Row(code: .refused, exit: .refused), Row(code: .denied, exit: .declined),
    Row(code: .network, exit: .network, isRetryable: true), Row(code: .tls, exit: .tls),
    Row(code: .pin, exit: .pin),
    Row(code: .pin, exit: .pin, hint: "pin add api.test:8443", subject: "api.test:8443"),
    Row(code: .pin, exit: .pin, hint: "pin add '[::1]:8443'", subject: "[::1]:8443"),
    Row(
      code: .pin, exit: .pin, hint: "pin check api.test", subject: "api.test",
      details: ["the keys of the chain"]),
    Row(code: .identity, exit: .identity), Row(code: .policy, exit: .policy),
    Row(code: .untrusted, exit: .verification), Row(code: .malformedResponse, exit: .failure),
    Row(code: .unsupported, exit: .failure), Row(code: .busy, exit: .busy, isRetryable: true),
    Row(code: .changedElsewhere, exit: .busy, isRetryable: true),
    Row(code: .cancelled, exit: .declined), Row(code: .localData, exit: .failure),
    Row(code: .unavailable, exit: .failure),
    Row(code: .noEnrolment, exit: .configuration), Row(code: .wrongPassword, exit: .usage),
    Row(code: .storeUnavailable, exit: .configuration),
    Row(code: .wrongPasscode, exit: .authenticationRequired),
    Row(code: .legacyAlgorithm, exit: .usage),
    Row(code: .httpStatus, exit: .failure),
  ]

  @Test("of the library have one exit status and hints that can be pasted", arguments: rows)
  func mapping(row: Row) throws {
    let error = SDKError(
      row.code, "could not do it", details: row.details, resource: row.resource,
      subject: row.subject)
    for profile in [nil, try ProfileName("my.work-1")] as [ProfileName?] {
      let failure = Failure(error, profile: profile)
      #expect(failure.exit == row.exit)
      #expect(failure.code.word == row.code.description)
      #expect(failure.message == "could not do it")
      #expect(failure.details == row.details)
      #expect(failure.resource == row.resource)
      #expect(failure.isRetryable == row.isRetryable)
      #expect(!failure.isSilent)
      let isOfProfile = profile != nil && row.code != .noProfile
      let prefix = isOfProfile ? "sdkctl -p my.work-1 " : "sdkctl "
      #expect(failure.hints == row.hint.map { [prefix + $0] } ?? [])
      for hint in failure.hints { #expect(isCommandLine(hint), "\(hint)") }
    }
  }

  @Test("of every kind that the library names have a row above")
  func everyCode() throws {
    let source = try Repository.text(of: "Sources/SDKCore/Errors/SDKError.swift")
    let declared = source.split(separator: "\n").compactMap { line -> String? in
      guard line.contains("static let"), let open = line.range(of: "description: \"") else {
        return nil
      }
      return String(line[open.upperBound...].prefix { $0 != "\"" })
    }
    #expect(declared.count > 20)
    #expect(Set(declared) == Set(Self.rows.map(\.code.description)))
  }

  @Test("suggest an existing client if the server registers no clients")
  func unsupportedRegistration() {
    func failure(_ endpoint: ServerMetadata.Endpoint) -> Failure {
      let message = "https://id.test offers no registration endpoint"
      let cause = OAuthError(.unsupported, message, reason: .missingEndpoint(endpoint))
      return Failure(SDKError(cause, "could not register"))
    }
    let unregistered = failure(.registration)
    #expect(unregistered.hints == ["sdkctl register --client-id ID"])
    #expect(unregistered.hints.allSatisfy(isCommandLine))
    // The endpoint decides, not the text.
    #expect(failure(.revocation).hints == [])
  }

  @Test(
    "hint at what the vendor documents for its numbers",
    arguments: [
      (ResourceError.deviceDeregistered, "sdkctl -p work register --replace"),
      (.userDeregistered, "sdkctl -p work login"),
      (
        .outdatedApplication,
        "use a newer version of the application, or say which one this is with "
          + "`sdkctl -p work register update --software-version VERSION`"
      ),
      (.outdatedOS, "update the operating system: the server does not accept this version"),
    ])
  func numbers(number: ResourceError, hint: String) throws {
    let error = SDKError(.refused, "could not do it", resource: number)
    #expect(Failure(error, profile: try ProfileName("work")).hints == [hint])
  }

  @Test(
    "suggest what may be wrong with a refused client, and do not suggest to replace an existing client",
    arguments: [
      (.encoded, "sdkctl -p work profile set basicEncoding=raw"),
      (.given, "compare the client id and its secret with those at the provider"),
      (.registered, "sdkctl -p work register --replace"),
    ] as [(RefusedClient, String)])
  func refusedClient(reason: RefusedClient, hint: String) throws {
    var cause = OAuthError(
      .refused, "invalid_client", server: ServerError(error: "invalid_client", description: nil))
    cause.reason = .refusedClient(reason)
    let failure = Failure(
      SDKError(cause, "could not do it"), profile: try ProfileName("work"))
    #expect(failure.hints == [hint])
  }

  @Test(
    "hint at what allows a grant to a client that may not use it",
    arguments: [
      (.given, ["allow this kind of login (grant type) for the client at the provider"]),
      (.registered, ["allow this kind of login (grant type) for the client at the provider"]),
      (nil, []),
    ] as [(RefusedClient?, [String])])
  func refusedGrant(reason: RefusedClient?, hints: [String]) throws {
    let code = "unauthorized_client"
    var cause = OAuthError(.refused, code, server: ServerError(error: code, description: nil))
    cause.reason = reason.map { .refusedClient($0) }
    let failure = Failure(SDKError(cause, "could not log in"), profile: try ProfileName("work"))
    #expect(failure.hints == hints)
  }

  @Test("show the library's remedy as the first hint")
  func remedy() {
    let error = SDKError(
      .pin, "m", subject: "a.test", remedy: .protect([FileProtection(.mode(0o600), of: ["/a b"])]))
    #expect(Failure(error).hints == ["chmod 600 '/a b'"])
  }

  @Test("quote words that a shell would split")
  func quoting() throws {
    let failure = Failure(SDKError(.pin, "m", subject: "a;rm -rf 'x'"))
    let words = try #require(ShellWord.split(failure.hints.first ?? ""))
    #expect(words == ["sdkctl", "pin", "add", "a;rm -rf 'x'"])
  }

  @Test(
    "made by commands may be tried again by their status",
    arguments: ExitCode.allCases)
  func retryable(exit: ExitCode) {
    let isRetryable = [.network, .busy, .serverError].contains(exit)
    #expect(Failure(.failed, exit: exit, "m").isRetryable == isRetryable)
    #expect(Failure.silent(exit).isSilent)
    #expect(Failure.silent(exit).exit == exit)
    #expect(Failure.usage("m").exit == .usage)
  }

  @Test(
    "have the statuses of the design",
    arguments: zip(
      ExitCode.allCases,
      [
        (0, "success"), (1, "failure"), (2, "usage"), (3, "configuration"),
        (4, "authenticationRequired"), (5, "refused"), (6, "network"), (7, "tls"), (8, "pin"),
        (9, "identity"), (10, "policy"), (11, "verification"), (12, "clientError"),
        (13, "serverError"), (14, "busy"), (15, "declined"), (16, "notValidNow"),
        (126, "notExecutable"), (127, "notFound"), (130, "interrupted"), (141, "brokenPipe"),
        (143, "terminated"),
      ] as [(Int32, String)]))
  func statuses(exit: ExitCode, row: (code: Int32, name: String)) throws {
    #expect(exit.rawValue == row.code)
    let documented = try #require(ExitCode.rows.first { $0.code == row.code })
    #expect(documented.name == row.name)
    #expect(documented.summary == exit.summary && !exit.summary.isEmpty)
    #expect(documented.advice == exit.advice)
    #expect(ExitCode.rows.count == 22)
  }

  @Test("come from whatever a command throws, with hints for the chosen profile")
  func thrown() throws {
    var globals = Globals()
    globals.profile = "work"
    let environment = Environment(["SDKCTL_HOME": "/nonexistent"])
    let context = Context(globals: globals, ports: Ports(environment: environment))
    let own = Failure(.pin, "m", hints: ["h"])
    #expect(context.failure(own) == own)
    let error = SDKError(.notAuthenticated, "m", remedy: .login)
    #expect(context.failure(error).hints == ["sdkctl -p work login"])
    #expect(context.failure(error).exit == .authenticationRequired)
    let other = Context(globals: Globals(), ports: Ports(environment: environment))
    #expect(other.failure(error).hints == ["sdkctl login"])
    let unknown = context.failure(ValueError("x"))
    #expect(unknown.exit == .failure)
    #expect(unknown.code == .failed)
    #expect(unknown.message.hasPrefix("could not go on: "))
  }
}
