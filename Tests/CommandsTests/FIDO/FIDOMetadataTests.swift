import CoreTestSupport

@testable import Commands

@Suite("fido metadata")
struct FIDOMetadataTests {
  @Test("prints the statement with the certificate that signs registrations")
  func statement() async throws {
    let (program, server) = try await FIDORegisterTests.program()
    let run = try await program.run("fido", "metadata")
    #expect(run.status == .status(.success), "\(run)")
    let statement = try JSON(parsing: run.output)
    #expect(statement["aaid"] == "FFFF#0001" && statement["assertionScheme"] == "UAFV1TLV")
    let pem = try await program.run("fido", "metadata", "--certificate").output
    let certificate = try #require(try Certificate.list(pem: Array(pem.utf8)).first)
    let roots = statement["attestationRootCertificates"]?.strings
    #expect(roots == [pem.split(separator: "\n").dropFirst().dropLast().joined()])
    #expect(certificate.subject.contains("Attestation FFFF#0001"))
    #expect(server.requests.isEmpty)
    #expect(try await program.run("fido", "metadata", "--json").json == statement)
  }
}
