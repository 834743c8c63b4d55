import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("Identities in a security token")
struct SecurityTokenIdentityTests {
  @Test("takes a security token in place of the file, and no option for a file beside it")
  func imported() async throws {
    let program = try TestProgram([:])
    // A process has one PKCS #11 module: that of another test.
    let module = program.folder.file("none.so")
    let words = ["identity", "import", "pkcs11:token=none;object=a?module-path=\(module)"]
    for more in [["--key-uri", "pkcs11:token=t"], ["--key-file", "k"], ["--seal"]] {
      let run = try await program.run(words + more)
      #expect(run.status == .status(.usage))
      #expect(run.errors.contains("are for a certificate in a file"), "\(run)")
    }
    let run = try await program.run(words)
    #expect(run.status != .status(.success) && !run.errors.contains("no such file"), "\(run)")
  }

  @Test("says that a key in a security token cannot be exported")
  func exported() async throws {
    let program = try await TestProgram.withIdentities([("a", try IdentityFixture())])
    let file = "store/state/profiles/work/identities/a/identity.json"
    var document = try JSON(parsing: program.folder.text(of: file)).object ?? [:]
    document["key"] = ["kind": "pkcs11", "uri": "pkcs11:token=none;object=a"]
    try program.folder.write(JSON.object(document).serialized(), to: file)
    let run = try await program.run("identity", "export", "a")
    expect(
      run, .identity,
      errors: """
        sdkctl: error: could not export the identity 'a': its key is in a security token, which \
        does not hand it out
        sdkctl: hint: sdkctl -p work identity export a --no-key

        """)
  }
}
