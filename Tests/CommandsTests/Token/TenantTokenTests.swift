import CoreTestSupport

@testable import Commands

@Suite("Tokens of an issuer with several tenants")
struct TenantTokenTests {
  private static let common = "https://login.test/common/v2.0"

  private static func token(_ key: SigningKey, _ claims: JSONObject) throws -> String {
    let base: JSONObject = ["sub": "alice", "exp": 1_800_000_300]
    return try key.sign(
      header: [:], payload: Array(JSON.object(base.merging(claims) { $1 }).serialized().utf8))
  }

  /// A program whose issuer publishes the key, for one issuer perhaps.
  private static func program(_ key: SigningKey, for issuer: String? = nil) throws -> TestProgram {
    let program = try TestProgram([:])
    var published = key.publicKey.json.object ?? [:]
    published["issuer"] = issuer.map { .string($0) }
    let metadata: JSON = [
      "issuer": "https://login.test/{tenantid}/v2.0",
      "jwks_uri": "https://login.test/common/keys",
    ]
    program.transport.respond(
      "\(common)/.well-known/openid-configuration", [.json(metadata.serialized())])
    program.transport.respond(
      "https://login.test/common/keys",
      [.json(JSON.object(["keys": [.object(published)]]).serialized())])
    return program
  }

  @Test("are verified with the issuer of the tenant that they name, alone and among others")
  func verify() async throws {
    let key = try SigningKey.generate(.rs256)
    let rows: [(claims: JSONObject, verdict: String)] = [
      (["iss": "https://login.test/t1/v2.0", "tid": "t1"], "valid"),
      (["iss": "https://login.test/t2/v2.0", "tid": "t2"], "valid"),
      (["iss": "https://login.test/t1/v2.0", "tid": "t2"], "invalid"),
      (["iss": "https://login.test/t1/v2.0"], "invalid"),
      (["iss": .string(Self.common), "tid": "t1"], "invalid"),
      (["iss": "https://login.test/{tenantid}/v2.0", "tid": "{tenantid}"], "invalid"),
      (["iss": "https://evil.test/t1/v2.0", "tid": "t1"], "invalid"), (["tid": "t1"], "invalid"),
    ]
    let tokens = try rows.map { try Self.token(key, $0.claims) }
    for (row, token) in zip(rows, tokens) {
      let run = try await Self.program(key).run(
        "token", "verify", "--issuer", Self.common, "--json", "-", input: token)
      #expect(run.json?["verdict"]?.string == row.verdict, "\(run)")
      #expect(run.json?["failed"] == (row.verdict == "valid" ? [] : ["iss"]))
    }
    let bulk = try await Self.program(key).run(
      "token", "verify", "--issuer", Self.common, "--field", "verdict", "-",
      input: (tokens + tokens).joined(separator: "\n"))
    let verdicts = rows.map(\.verdict)
    #expect(bulk.output.split(separator: "\n").map(String.init) == verdicts + verdicts)
  }

  @Test("are not verified with a key that is published for another tenant")
  func keyOfTenant() async throws {
    let key = try SigningKey.generate(.rs256)
    let (one, other) = (
      "9188040d-6c67-4c5b-b112-36a304b66dad", "11111111-2222-3333-4444-555555555555"
    )
    let place = "https://login.test/{tenantid}/v2.0"
    let rows: [(key: String, issuer: String, tenant: JSON, isGood: Bool)] = [
      (place, "https://login.test/t1/v2.0", "t1", true),
      ("https://login.test/t1/v2.0", "https://login.test/t1/v2.0", "t1", true),
      ("https://login.test/t2/v2.0", "https://login.test/t1/v2.0", "t1", false),
      ("https://login.test/\(one)/v2.0", "https://login.test/\(one)/v2.0", .string(one), true),
      ("https://login.test/\(one)/v2.0", "https://login.test/\(other)/v2.0", .string(other), false),
      // A segment that both issuers have is no tenant.
      ("https://login.test/t2/v2.0", "https://login.test/t1/v2.0", "v2.0", false),
      ("https://login.test/t2/v2.0", "https://login.test/t1/v2.0", "login.test", false),
      (place, "https://login.test/t1/v2.0", .null, false),
    ]
    for row in rows {
      var claims: JSONObject = ["iss": .string(row.issuer)]
      claims["tid"] = row.tenant == .null ? nil : row.tenant
      let token = try Self.token(key, claims)
      let run = try await Self.program(key, for: row.key).run(
        "token", "verify", "--issuer", Self.common, "--iss", row.issuer, "--json", "-", input: token
      )
      #expect(run.json?["verdict"] == (row.isGood ? "valid" : "invalid"), "\(row) \(run)")
      #expect(run.json?["failed"] == (row.isGood ? [] : ["key"]), "\(row) \(run)")
    }
    // Tokens of version 1.0 have another issuer than the keys.
    for (tenant, isGood) in [(one, true), (other, false)] {
      let issuer = "https://sts.test/\(tenant)/"
      let token = try Self.token(key, ["iss": .string(issuer), "tid": .string(tenant)])
      for published in ["https://login.test/\(one)/v2.0", place] {
        let run = try await Self.program(key, for: published).run(
          "token", "verify", "--issuer", Self.common, "--iss", issuer, "--field", "verdict", "-",
          input: token)
        #expect(run.output == (isGood || published == place ? "valid\n" : "invalid\n"), "\(run)")
      }
    }
  }
}
