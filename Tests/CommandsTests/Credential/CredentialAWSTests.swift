import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential aws")
struct CredentialAWSTests {
  private static let service = "https://sts.test/"
  private static let words = [
    "credential", "aws", "--role-arn", "arn:r", "--sts-url", "https://sts.test",
  ]

  private static func program() async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([
      "allowedHosts": ["sts.test"], "pinPolicy": "report",
    ])
    program.transport.respond(
      service,
      .other(
        200, "text/xml",
        """
        <AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
        <AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s+/=</SecretAccessKey>
        <SessionToken>t1</SessionToken><Expiration>2027-01-15T09:00:00.000Z</Expiration>
        </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>
        """))
    return program
  }

  private static let credentials: JSON = [
    "Version": 1, "AccessKeyId": "ASIA1", "SecretAccessKey": "s+/=", "SessionToken": "t1",
    "Expiration": "2027-01-15T09:00:00Z",
  ]

  @Test("exchanges the token for credentials, and stores them until they expire")
  func stored() async throws {
    let program = try await Self.program()
    let run = try await program.run(Self.words)
    #expect(run.json == Self.credentials, "\(run)")
    let sent = try #require(program.transport.sent.last)
    for part in [
      "Action=AssumeRoleWithWebIdentity", "Version=2011-06-15", "RoleArn=arn%3Ar",
      "RoleSessionName=sdkctl", "DurationSeconds=3600", "WebIdentityToken=u1",
    ] {
      #expect(sent.body.contains(part), "\(part)")
    }
    let count = program.transport.sent.count
    #expect(try await program.run(Self.words).json == Self.credentials)
    #expect(program.transport.sent.count == count)
    program.now = program.now + 3590
    _ = try await program.run(Self.words)
    #expect(program.transport.sent.count > count)
  }

  @Test("takes no credentials that are escaped, empty of their end, or not there")
  func malformed() async throws {
    let good = [
      "AccessKeyId": "A", "SecretAccessKey": "s", "SessionToken": "t",
      "Expiration": "2027-01-15T09:00:00Z",
    ]
    func run(_ changes: [String: String?]) async throws -> ProgramRun {
      let program = try await Self.program()
      var members = good
      for (name, value) in changes { members[name] = value }
      let text = members.map { "<\($0)>\($1)</\($0)>" }.joined()
      program.transport.respond(Self.service, .other(200, "text/xml", "<a>\(text)</a>"))
      return try await program.run(Self.words)
    }
    #expect(try await run([:]).status == .status(.success))
    for (name, value) in [
      ("AccessKeyId", "A&amp;"), ("SecretAccessKey", "s&lt;"), ("SessionToken", "t&#9;"),
      ("SessionToken", "<b>t</b>"), ("SecretAccessKey", nil), ("Expiration", "soon"),
      ("Expiration", nil),
    ] as [(String, String?)] {
      let run = try await run([name: value])
      #expect(run.status != .status(.success) && run.output == "", "\(name) \(run)")
      #expect(run.errors.contains("has no credentials"))
    }
  }

  @Test("sends a new request for another role, and after a logout")
  func others() async throws {
    let program = try await Self.program()
    _ = try await program.run(Self.words)
    let count = program.transport.sent.count
    _ = try await program.run(Self.words + ["--session-name", "other"])
    #expect(program.transport.sent.count == count + 1)
    _ = try await program.run("logout", "--local")
    try await program.store("u9")
    _ = try await program.run(Self.words)
    #expect(program.transport.sent.last?.body.contains("WebIdentityToken=u9") == true)
  }

  @Test("sends the token to no service that the profile does not allow, and needs a role")
  func refused() async throws {
    let program = try await Self.program()
    let run = try await program.run("credential", "aws", "--role-arn", "arn:r")
    #expect(run.status == .status(.policy))
    #expect(run.errors.contains("profile set allowedHosts=sts.test,sts.amazonaws.com\n"))
    let bare = try await program.run("credential", "aws")
    expect(
      bare, .usage,
      errors: """
        sdkctl: error: --role-arn is missing
        sdkctl: hint: sdkctl credential aws --role-arn arn:aws:iam::ACCOUNT:role/ROLE

        """)
    #expect(program.transport.sent.isEmpty)
  }

  @Test(
    "follows no redirect, to the same origin or another", arguments: ["/x", "https://evil.test/"])
  func redirect(location: String) async throws {
    let program = try await Self.program()
    program.transport.respond(Self.service, .redirect(307, to: location))
    expect(
      try await program.run(Self.words), .refused,
      errors: "sdkctl: error: could not assume the role: sts.test returned 307\n")
    #expect(
      program.transport.sent.map(\.url).allSatisfy { !$0.contains("evil") && !$0.hasSuffix("/x") })
  }

  @Test("says what the service refused")
  func error() async throws {
    let program = try await Self.program()
    program.transport.respond(
      Self.service,
      .other(
        400, "text/xml",
        "<ErrorResponse><Error><Code>InvalidIdentityToken</Code></Error></ErrorResponse>"))
    expect(
      try await program.run(Self.words), .refused,
      errors: """
        sdkctl: error: could not assume the role: sts.test returned 400 (InvalidIdentityToken)

        """)
  }

  @Test("install prints the command that configures a profile of the AWS CLI")
  func install() async throws {
    let run = try await Self.program().run(Self.words + ["install", "--id-token"])
    #expect(
      run.output.hasPrefix(
        "aws configure set --profile sdkctl-work credential_process 'env "))
    #expect(
      run.output.contains("credential aws --role-arn arn:r --id-token --sts-url https://sts.test"))
  }
}
