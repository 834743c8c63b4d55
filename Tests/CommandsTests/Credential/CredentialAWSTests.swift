import CoreTestSupport
import SDKCore

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
}
