import JSON
import Pinning
import Primitives
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("pin show")
struct PinShowTests {
  /// A server that sends a certificate which is not in the path, and not the root.
  private static func program(pinning keys: [String]) async throws -> TestProgram {
    let program = try TestProgram([:])
    let path = ["leaf", "issuing", "root"].map(TestChain.certificate)
    let served = path.dropLast() + [TestChain.certificate("stranger")]
    program.show(
      .success(PresentedChain(served: Array(served), validated: path)), at: "api.test:443")
    for key in keys {
      _ = try await program.run("pin", "add", "\(TestChain.pin(key))", "--host", "**.api.test")
    }
    return program
  }

  private static func details(_ name: String, _ indent: Int, _ mark: String) -> String {
    let blank = String(repeating: " ", count: 19 + indent)
    return """
      \(blank)issuer    CN=issuer
      \(blank)valid     2027-01-14T08:00:00Z to 2027-01-16T08:00:00Z
      \(blank)key       unknown type
      \(blank)pin       \(TestChain.pin(name))  \(mark)
      \(blank)not a pin SHA-256 of the certificate: unknown

      """
  }

  @Test("prints the served chain and the validated path side by side, and which pins match")
  func tree() async throws {
    let program = try await Self.program(pinning: ["issuing", "stranger", "lost"])
    expect(
      try await program.run("pin", "show", "api.test"), .success,
      output: """
        api.test  OK
        pins: **.api.test
        SERVED  VALIDATED
             -          3  root CN=root
        \(Self.details("root", 0, "not pinned"))\
             2          2  └─ intermediate CN=issuing
        \(Self.details("issuing", 3, "PINNED as leaf"))\
             1          1     └─ leaf CN=leaf
        \(Self.details("leaf", 6, "not pinned"))\
             3          -  not in the validated path: CN=stranger
        \(Self.details("stranger", 0, "pinned as leaf, but does not count"))\
        pinned, but not in the chain:
          \(TestChain.pin("stranger"))  leaf
          \(TestChain.pin("lost"))  leaf

        """)
    #expect(program.transport.sent.isEmpty)
  }

  @Test("shows a host without pins, with the command that pins it, and exits with 8")
  func notPinned() async throws {
    let run = try await Self.program(pinning: []).run("pin", "show", "api.test")
    #expect(run.status == .status(.pin))
    #expect(run.output.hasPrefix("api.test  UNPINNED: it has no pins\npins: none\nSERVED"))
    #expect(run.output.contains("\(TestChain.pin("leaf"))  not pinned"))
    #expect(run.errors.hasSuffix("hint: sdkctl -p work pin add api.test\n"))
  }

  @Test("shows what an untrusted server sent, and that there is no validated path")
  func untrusted() async throws {
    let program = try await Self.program(pinning: ["api.test leaf"])
    program.show(.success(.untrusted("api.test")), at: "api.test:443")
    let run = try await program.run("pin", "show", "api.test")
    #expect(run.status == .status(.verification))
    #expect(run.output.contains("validated path: none: self-signed certificate\n"))
    #expect(run.output.contains("     1          -  certificate CN=api.test leaf\n"))
    #expect(run.output.contains("pinned as leaf, but does not count\n"))
  }

  @Test("exits with 6 for a server that cannot be reached, and lists the pins")
  func unreachable() async throws {
    let program = try await Self.program(pinning: ["leaf"])
    expect(
      try await program.run("pin", "show", "x.api.test"), .network,
      output: """
        x.api.test  UNREACHABLE: could not see the certificates of x.api.test:443: nothing is \
        scripted for x.api.test:443
        pins: **.api.test
        pinned:
          \(TestChain.pin("leaf"))  leaf

        """)
  }

  @Test("explains a pin that is the hash of the certificate, as check does")
  func mistake() async throws {
    let program = try await Self.program(pinning: ["fingerprint"])
    program.show(.success(TestChain.hashed), at: "api.test:443")
    let text =
      "\(TestChain.pin("fingerprint")) is not a pin: it is the SHA-256 of the whole certificate "
      + "CN=hashed; the pin is \(TestChain.pin("hashed"))\n"
    let shown = try await program.run("pin", "show", "api.test")
    #expect(shown.status == .status(.pin))
    #expect(shown.output.hasSuffix(text))
    let checked = try await program.run("pin", "check", "api.test")
    #expect(checked.status == .status(.pin))
    #expect(checked.errors.hasSuffix(text))
  }

  @Test("--json has the shape that the manual promises")
  func json() async throws {
    let program = try await Self.program(pinning: ["issuing"])
    let run = try await program.run("pin", "show", "api.test", "--json")
    func certificate(_ name: String, _ role: JSON = .null, _ pinned: JSON = .null) -> JSON {
      .members([
        "subject": .string("CN=\(name)"), "issuer": "CN=issuer", "serial": "", "names": [],
        "usages": [], "signatureAlgorithm": .null,
        "notBefore": "2027-01-14T08:00:00Z", "notAfter": "2027-01-16T08:00:00Z",
        "keyType": .null, "role": role, "pin": .string("\(TestChain.pin(name))"),
        "pinned": pinned, "certificateSHA256": .null,
      ])
    }
    let pinned: JSON = ["pattern": "**.api.test", "role": "leaf", "label": .null]
    let entry = try #require(run.json?.array?.first)
    #expect(entry["host"] == "api.test")
    #expect(entry["port"] == 443)
    #expect(entry["status"] == "OK")
    #expect(entry["message"] == .null)
    #expect(entry["verificationError"] == .null)
    #expect(entry["pins"]?["pattern"] == "**.api.test")
    #expect(
      entry["served"] == [
        certificate("leaf"), certificate("issuing", .null, pinned), certificate("stranger"),
      ])
    #expect(
      entry["validated"] == [
        certificate("leaf", "leaf"), certificate("issuing", "intermediate", pinned),
        certificate("root", "root"),
      ])
    #expect(entry.object?.count == 9)
  }

  @Test("shows the chain without a profile, and fails only if it is not trusted or not there")
  func withoutProfile() async throws {
    let program = try TestProgram()
    program.trust("api.test")
    program.show(.success(.untrusted("bad.test")), at: "bad.test:443")
    let run = try await program.run("pin", "show", "api.test")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("api.test  UNPINNED\npins: none\nSERVED  VALIDATED\n"))
    #expect(run.output.contains("leaf CN=api.test leaf"))
    let json = try await program.run("pin", "show", "https://api.test/x", "--json")
    #expect(json.json?.array?.first?["status"] == "UNPINNED")
    #expect(json.json?.array?.first?["validated"]?.array?.count == 3)
    let bad = try await program.run("pin", "show", "bad.test")
    #expect(bad.status == .status(.verification))
    #expect(bad.output.hasPrefix("bad.test  UNTRUSTED: self-signed certificate\n"))
    #expect(try await program.run("pin", "show", "no.test").status == .status(.network))
    let named = try await program.run("-p", "nope", "pin", "show", "api.test")
    #expect(named.status == .status(.configuration))
    #expect(
      try await program.run("pin", "show", "api.test", "--offline").status
        == .status(.configuration))
  }

  @Test("shows the certificates of a file, and with --within names those that end")
  func file() async throws {
    let program = try TestProgram()
    let path = try program.folder.write(ChainFile.leaf + ChainFile.issuing, to: "chain.pem")
    let run = try await program.run("pin", "show", path, "--within", "30d")
    #expect(run.status == .status(.success), "\(run)")
    for line in [
      "leaf CN=api.test", "  names     DNS:api.test", "  serial    03", "  signature Ed25519",
      "intermediate CN=Test Issuing", "  issuer    CN=Test Root",
    ] {
      #expect(run.output.split(separator: "\n").contains(Substring(line)), "\(run)")
    }
    let json = try await program.run("pin", "show", "-", "--json", input: ChainFile.issuing)
    let served = json.json?.array?.first?["served"]?.array
    #expect(served?.first?["signatureAlgorithm"] == "Ed25519" && served?.first?["usages"] == [])
    let late = try await program.run("pin", "show", path, "--within", "5000d")
    expect(late, .success, output: run.output)
    program.now = program.now + 90 * 365 * 86_400
    let end = try await program.run("pin", "show", path, "--within", "5000d", "--json")
    #expect(end.status == .status(.verification))
    #expect(end.errors.contains("the certificate of CN=api.test expires 2126-10-31"), "\(end)")
    let request = try program.folder.write(ChainFile.request, to: "a.csr")
    expect(
      try await program.run("pin", "show", request), .failure,
      errors: """
        sdkctl: error: could not show '\(request)': it has no certificate
        sdkctl: hint: sdkctl pin hash \(request)

        """)
  }

  @Test("with --within checks the certificates of a host, pinned or without a profile")
  func within() async throws {
    let program = try await Self.program(pinning: ["root"])
    #expect(
      try await program.run("pin", "show", "api.test", "--within", "12h").status
        == .status(.success))
    let run = try await program.run("pin", "show", "api.test", "--within", "30d")
    #expect(run.status == .status(.verification))
    #expect(run.errors.contains("sdkctl: the certificate of CN=leaf expires 2027-01-16T08:00:00Z"))
    let other = try TestProgram()
    other.trust("api.test")
    #expect(try await other.run("pin", "show", "api.test").status == .status(.success))
    #expect(
      try await other.run("pin", "show", "api.test", "--within", "30d").status
        == .status(.verification))
  }
}
