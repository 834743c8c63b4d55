import CoreTestSupport

@testable import Commands

@Suite("token verify of encrypted tokens")
struct EncryptedTokenTests {
  private let signer: SigningKey
  private let receiver: DecryptionKey
  private let program: TestProgram
  private let file: String

  init() throws {
    signer = try SigningKey.generate(.es256)
    receiver = try DecryptionKey.generate(.rsaOAEP256)
    program = try TestProgram([:])
    let keys: JSON = ["keys": [signer.publicKey.json]]
    program.transport.respond("https://id.test/jwks", [.json(keys.serialized())])
    file = try program.folder.write(receiver.pem ?? "", to: "receiver.pem")
  }

  private func encrypted(_ content: String, to key: DecryptionKey? = nil) throws -> String {
    try JWE.encrypt(
      Array(content.utf8), to: (key ?? receiver).publicKey ?? signer.publicKey, .rsaOAEP256,
      .a256GCM, header: ["cty": "JWT"])
  }

  private func verify(_ token: String, _ words: String...) async throws -> ProgramRun {
    try await program.run(["token", "verify", "--json"] + words + ["-"], input: token)
  }

  @Test(
    "that ask for what is not supported are the error unsupported, with a key and without",
    arguments: [
      (#"{"alg":"RSA1_5","enc":"A128GCM"}"#, "decrypt", "'RSA1_5', which is not supported"),
      (#"{"alg":"A256GCMKW","enc":"A128GCM"}"#, "decrypt", "'A256GCMKW', which is not supported"),
      (#"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#, "decrypt", "compressed"),
      (#"{"alg":"RSA-OAEP-256","enc":"A128OFB"}"#, "decrypt", "'A128OFB', which is not supported"),
      (#"{"alg":"dir","enc":"A128GCM","crit":["x"],"x":1}"#, "crit", "'x' is unknown"),
      (#"{"alg":"ES256","crit":["b64"],"b64":false}"#, "crit", "'b64' is unknown"),
    ])
  func unsupported(header: String, check: String, cause: String) async throws {
    let parts = header.contains("enc") ? ["", "AAAAAAAAAAAAAAAA", "AA", "AA"] : ["e30", "AA"]
    let token = ([Base64URL.encode(Array(header.utf8))] + parts).joined(separator: ".")
    for words in [[], ["--decrypt-key", file]] {
      let run = try await program.run(
        ["token", "verify", "--json", "--issuer", "https://id.test"] + words + ["-"], input: token)
      #expect(run.status == .status(.verification), "\(run)")
      #expect(try JSON(parsing: run.output)["failed"] == [.string(check)])
      #expect(run.jsonError?["code"] == "unsupported", "\(run)")
      #expect(run.jsonError?["message"]?.string?.contains(cause) == true, "\(run)")
      #expect(run.jsonError?["hint"] == .null)
    }
    let run = try await program.run(
      "--json", "token", "decode", "--key", file, "-", input: token)
    #expect(run.status == .status(.failure))
    #expect(run.jsonError?["code"] == "unsupported", "\(run)")
  }
}
