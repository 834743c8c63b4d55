import Foundation
import TestSupport

@testable import OpenSSL

@Suite("PKCS #12 files")
struct PKCS12Tests {
  private static func identity(
    _ kind: KeyKind = .ec(.p256)
  ) throws -> (key: PrivateKey, certificate: Certificate) {
    let key = try PrivateKey.generate(kind)
    return (
      key,
      try Certificate.selfSigned(
        by: key, commonName: "alice", from: 1_700_000_000, to: 4_000_000_000)
    )
  }

  @Test(
    "are read as they were written",
    arguments: [KeyKind.ec(.p256), .ec(.p384), .rsa(bits: 2048), .ed25519], [false, true])
  func roundTrip(kind: KeyKind, isLegacy: Bool) throws {
    let (key, certificate) = try Self.identity(kind)
    let other = try Self.identity().certificate
    let der = try PKCS12.encode(
      key, certificate, others: [other], password: "pässword", name: "alice", isLegacy: isLegacy)
    let read = try PKCS12.read(der, password: "pässword")
    #expect(read.keys.map(\.key.pkcs8) == [key.pkcs8])
    #expect(read.certificates == [certificate, other])
  }

  @Test("without password are read with an empty one and with none")
  func empty() throws {
    let (key, certificate) = try Self.identity()
    let der = try PKCS12.encode(key, certificate, password: "", name: "alice")
    for password in [nil, ""] {
      #expect(try PKCS12.read(der, password: password).certificates == [certificate])
    }
  }

  @Test("that cannot be read leave nothing behind")
  func memory() throws {
    // Not even the head of a value, and a value of another type.
    for bytes in [[0x7F], [0x30, 0x03, 0x02, 0x01, 0x01]] as [[UInt8]] {
      for _ in 0..<1000 { _ = try? PKCS12.read(bytes, password: nil) }
      // Less than 30 bytes each: the smallest object of libcrypto is larger. Other tests run at the same time.
      let isBounded = try (0..<5).contains { _ in
        let before = try Self.residentPages()
        for _ in 0..<30_000 { _ = try? PKCS12.read(bytes, password: nil) }
        return try Self.residentPages() - before < 220
      }
      #expect(isBounded)
    }
  }

  private static func residentPages() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  @Test("need their password", arguments: [nil, "", "wrong"] as [String?])
  func wrongPassword(password: String?) throws {
    let (key, certificate) = try Self.identity()
    let der = try PKCS12.encode(key, certificate, password: "right", name: "alice")
    expect(.wrongPassword) { try PKCS12.read(der, password: password) }
  }

  @Test("that are damaged or something else are refused")
  func damaged() throws {
    let (key, certificate) = try Self.identity()
    let der = try PKCS12.encode(key, certificate, password: "p", name: "alice")
    for bytes in [[], [0x30], Array(der.dropLast()), Array(der.prefix(100)), certificate.der] {
      expect(.malformed) { try PKCS12.read(bytes, password: "p") }
    }
  }

  @Test(
    "of openssl are read, and openssl reads those that are made here",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"),
    arguments: ["-passout pass:secret", "-passout pass:", "-nomac -passout pass:secret"])
  func foreign(options: String) throws {
    let tool = try ForeignTool()
    try tool.run(
      "openssl req -x509 -newkey ed25519 -nodes -keyout k -out c -subj /CN=alice -days 30")
    try tool.run("openssl pkcs12 -export -inkey k -in c -out f \(options)")
    let password = options.contains("secret") ? "secret" : nil
    let read = try PKCS12.read(tool.read("f"), password: password)
    #expect(read.certificates.map(\.commonName) == ["alice"])
    if password != nil {
      for other in ["other", nil] {
        expect(.wrongPassword) { try PKCS12.read(tool.read("f"), password: other) }
      }
    }
    try tool.write(
      "ours",
      PKCS12.encode(read.keys[0].key, read.certificates[0], password: "new", name: "alice"))
    let text = try tool.run("openssl pkcs12 -in ours -passin pass:new -nodes")
    #expect(text.contains("-----BEGIN PRIVATE KEY-----"))
    #expect(text.contains("friendlyName: alice"))
    let info = try tool.attempt("openssl pkcs12 -in ours -passin pass:new -nodes -info").errors
    #expect(info.contains("AES-256-CBC"))
  }
}
