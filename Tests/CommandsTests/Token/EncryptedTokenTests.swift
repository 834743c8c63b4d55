import JOSE
import JSON
import TestSupport
import Testing

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

  private func signed(_ claims: JSONObject = [:], by key: SigningKey? = nil) throws -> String {
    let base: JSONObject = ["iss": "https://id.test", "sub": "alice", "exp": 1_800_000_300]
    let payload = JSON.object(base.merging(claims) { $1 }).serialized()
    return try (key ?? signer).sign(header: [:], payload: Array(payload.utf8))
  }

  private func encrypted(_ content: String, to key: DecryptionKey? = nil) throws -> String {
    try JWE.encrypt(
      Array(content.utf8), to: (key ?? receiver).publicKey ?? signer.publicKey, .rsaOAEP256,
      .a256GCM, header: ["cty": "JWT"])
  }

  private func verify(_ token: String, _ words: String...) async throws -> ProgramRun {
    try await program.run(["token", "verify", "--json"] + words + ["-"], input: token)
  }

  @Test("are decrypted with --decrypt-key, and the token in them is verified")
  func nested() async throws {
    let run = try await verify(encrypted(signed()), "--decrypt-key", file)
    #expect(run.status == .status(.success), "\(run)")
    let report = try JSON(parsing: run.output)
    #expect(report["verdict"] == "valid")
    #expect(report["alg"] == "ES256")
    #expect(report["kid"]?.string == signer.publicKey.kid)
    let checks = report["checks"]?.array ?? []
    #expect(checks.prefix(2).map { $0["check"]?.string } == ["decrypt", "format"])
    #expect(checks.first { $0["check"] == "signature" }?["result"] == "passed")
  }

  @Test("are decrypted with a key of the file of --key")
  func oneFile() async throws {
    let secret: JSON = [
      "kty": "oct", "use": "enc", "k": .string(String(repeating: "A", count: 43)),
    ]
    let shared = try JWE.encrypt(
      Array(signed().utf8), to: JWK(json: secret), .a256KW, .a128CBCHS256)
    let keys: JSON = ["keys": [secret, signer.publicKey.json]]
    let path = try program.folder.write(keys.serialized(), to: "keys.json")
    let run = try await verify(shared, "--key", path)
    #expect(run.status == .status(.success), "\(run)")
    let alone = try program.folder.write(signer.publicKey.json.serialized(), to: "public.json")
    let other = try await verify(shared, "--key", alone)
    #expect(other.status == .status(.verification))
    #expect(other.errors.contains("decrypt: "))
  }

  @Test("have a verdict that names what is wrong")
  func verdicts() async throws {
    let other = try DecryptionKey.generate(.rsaOAEP256)
    let stranger = try SigningKey.generate(.es256)
    let rows: [(String, ExitCode, String, String)] = [
      (try encrypted(signed(), to: other), .verification, "decrypt", "could not be decrypted"),
      (try encrypted(signed(["exp": 1_799_990_000])), .notValidNow, "exp", "expired"),
      (try encrypted(signed(by: stranger)), .verification, "key", "no key of the issuer"),
      (try encrypted(signed(["iss": "https://x.test"])), .verification, "iss", "issued by"),
      (
        try encrypted(#"{"iss":"https://id.test","exp":1800000300}"#), .verification, "signature",
        "encrypted, but not signed"
      ),
      (try encrypted("a.b"), .verification, "signature", "encrypted, but not signed"),
      (try encrypted("a.b.c"), .verification, "format", "base64url"),
      (try encrypted(encrypted(signed())), .verification, "signature", "not signed"),
    ]
    for (token, code, check, words) in rows {
      let run = try await verify(token, "--decrypt-key", file)
      #expect(run.status == .status(code), "\(check): \(run)")
      #expect(try JSON(parsing: run.output)["failed"] == [.string(check)])
      #expect(run.jsonError?["message"]?.string?.contains(words) == true, "\(run.errors)")
      #expect(run.jsonError?["hint"] == .null)
    }
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

  @Test("are decoded with keys that decrypt and keys that verify: none of one file does both")
  func decoded() async throws {
    let token = try encrypted(signed())
    let own = try program.folder.write(signer.publicKey.json.serialized(), to: "signer.json")
    let stranger = try program.folder.write(
      try SigningKey.generate(.es256).publicKey.json.serialized(), to: "stranger.json")
    let pair = try #require(receiver.pem) + (try #require(signer.publicKey.pem))
    let set = try program.folder.write(pair, to: "pair.pem")
    for (words, code, status) in [
      (["--decrypt-key", file], .success, "not-verified"),
      (["--key", file], .success, "not-verified"),
      (["--decrypt-key", file, "--key", own], .success, "verified"),
      (["--key", set], .success, "verified"),
      (["--decrypt-key", file, "--key", stranger], .verification, "invalid"),
      (["--decrypt-key", file, "--key", file], .success, "not-verified"),
    ] as [([String], ExitCode, String)] {
      let run = try await program.run(["token", "decode", "--json"] + words + ["-"], input: token)
      #expect(run.status == .status(code), "\(words): \(run)")
      let output = try JSON(parsing: run.output)
      #expect(output["signature"]?["status"] == .string(status), "\(words)")
      #expect(output["payload"]?["sub"] == "alice")
    }
    let sealed = try await program.run("token", "decode", "--decrypt-key", own, "-", input: token)
    #expect(sealed.status == .status(.failure))
  }

  @Test("are not verified by the key that decrypts them")
  func decryptedOnly() async throws {
    for words in [["--decrypt-key", file, "--key", file], ["--key", file]] {
      let run = try await program.run(
        ["token", "verify", "--json"] + words + ["-"], input: encrypted(signed()))
      #expect(run.status == .status(.verification), "\(run)")
      #expect(try JSON(parsing: run.output)["verdict"] == "invalid")
    }
  }

  @Test("that are decrypted and not signed are decoded with the signature none")
  func unsigned() async throws {
    let token = try encrypted(#"{"sub":"alice"}"#)
    let run = try await program.run(
      "token", "decode", "--json", "--key", file, "-", input: token)
    #expect(run.json?["signature"] == ["status": "none"], "\(run)")
    let text = try await program.run("token", "decode", "--key", file, "-", input: token)
    #expect(text.output.hasSuffix("signature\n  none: the token is encrypted, but not signed\n"))
    let sealed = try await program.run("token", "decode", "--json", "-", input: token)
    #expect(sealed.json?["signature"] == nil)
  }

  @Test("are reported by lint as not examined")
  func lint() async throws {
    let run = try await program.run(
      "token", "lint", "--json", "--strict", "-", input: encrypted(signed()))
    #expect(run.status == .status(.success), "\(run)")
    let codes = run.json?["findings"]?.array?.compactMap { $0["code"]?.string }
    #expect(codes == ["encrypted"])
  }

  @Test("ask for a key, and use none that was not named")
  func noKey() async throws {
    let run = try await verify(encrypted(signed()))
    #expect(run.status == .status(.verification))
    #expect(try JSON(parsing: run.output)["failed"] == ["decrypt"])
    #expect(run.jsonError?["hint"]?.string?.contains("--decrypt-key") == true, "\(run.errors)")
    let missing = try await verify(encrypted(signed()), "--decrypt-key", "/nowhere")
    #expect(missing.status == .status(.failure))
  }

  @Test("are verified among others, in the order of the input")
  func bulk() async throws {
    let lines = [
      try signed(), try encrypted(signed()), try encrypted("{}"), try signed(["exp": 1]),
      try encrypted(signed(["exp": 1])), try encrypted(signed()),
    ]
    let run = try await program.run(
      ["token", "verify", "--decrypt-key", file, "-"], input: lines.joined(separator: "\n"))
    #expect(run.status == .status(.verification))
    let verdicts = run.output.split(separator: "\n").map { $0.prefix(10).description }
    #expect(
      verdicts == [
        "1: valid", "2: valid", "3: invalid", "4: expired", "5: expired", "6: valid",
      ])
  }
}
