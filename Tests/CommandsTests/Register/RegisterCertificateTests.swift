import CoreTestSupport

@testable import Commands

@Suite("register with a certificate")
struct RegisterCertificateTests {
  private static let words = ["register", "--client-id", "mine", "--json", "--auth-method"]

  @Test("takes that of an identity, if it has the name by which the server knows the client")
  func identity() async throws {
    let program = try await TestProgram.withIdentities([("alice", try IdentityFixture())])
    let words = Self.words + ["tls_client_auth", "--identity", "alice"]
    let nameless = try await program.run(words + ["--certificate-san", "dns"])
    #expect(nameless.status == .status(.usage))
    #expect(nameless.errors.contains("it has no name of the kind dns"), "\(nameless)")
    let run = try await program.run(words)
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.json?["authMethod"] == "tls_client_auth")
    #expect(run.json?["certificate"]?.object != nil, "\(run)")
  }

  @Test(
    "without a subject is for a server that knows the certificate itself",
    arguments: [("tls_client_auth", false), ("self_signed_tls_client_auth", true)])
  func subject(method: String, isTaken: Bool) async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(Self.nameless, to: "client.pem")
    let run = try await program.run(Self.words + [method, "--client-certificate", file])
    #expect(run.status == .status(isTaken ? .success : .usage), "\(run)")
    #expect(run.errors.contains("it has no subject") == !isTaken)
  }

  @Test("is not needed by a client whose assertion another issuer has written into a file")
  func assertion() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write("h.p.s\n", to: "assertion")
    let run = try await program.run(
      Self.words + ["client_assertion", "--assertion-file", file])
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.json?["assertion"].map { $0 != .null } == true, "\(run)")
  }

  /// A key and its certificate, valid until 2126, whose subject is empty.
  private static let nameless = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIIJX1kvP7+qCaRX0njn44if+8ggemrowlLQSOEtQEZdA
    -----END PRIVATE KEY-----
    -----BEGIN CERTIFICATE-----
    MIIBKDCB26ADAgECAhQ5F/nohFNsVlsMgFe8xDB6qwI5pDAFBgMrZXAwADAgFw0y
    NjExMjYxOTEzMTFaGA8yMTI2MTEwMjE5MTMxMVowADAqMAUGAytlcAMhAAGenjgb
    J7hrZQTr+LT506HmXiExSv8pew8zAyUYx1Qoo2UwYzAdBgNVHQ4EFgQUQm4o+q4t
    BBUraALFxgu4N8C5d00wHwYDVR0jBBgwFoAUQm4o+q4tBBUraALFxgu4N8C5d00w
    EwYDVR0lBAwwCgYIKwYBBQUHAwIwDAYDVR0TAQH/BAIwADAFBgMrZXADQQBYf5qg
    ykHtmoYKGfrxDR2EB33yZDBXj/klH16VrYRxqD5Zo9HKunCQfwFuckH/eVNLncAh
    rNdlq0g0DUz+b30H
    -----END CERTIFICATE-----

    """
}
