import CoreTestSupport

@testable import Checkup
@testable import SDKCore

@Suite("The health of authorities")
struct AuthorityHealthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func certificate(from start: Timestamp, to end: Timestamp) throws -> String {
    try Certificate.selfSigned(
      by: try PrivateKey.generate(.ec(.p256)), commonName: "CA", from: start, to: end
    ).pem
  }

  private func message(_ name: String) -> String {
    AuthorityHealth(folder.file(name), at: World.now).finding().text
  }

  @Test("needs a certificate in the file that is valid now")
  func file() throws {
    let valid = try Self.certificate(from: World.now, to: World.now)
    let expired = try Self.certificate(from: World.now - 10, to: World.now - 1)
    let later = try Self.certificate(from: World.now + 1, to: World.now + 10)
    for (text, message) in [
      ("", "it has no certificate in PEM"), ("x", "it has no certificate in PEM"),
      (expired, "none of its 1 certificate is valid now"),
      (expired + later, "none of its 2 certificates is valid now"),
      (expired + valid, "a file with 2 certificates"),
    ] {
      try folder.write(text, to: "ca.pem")
      #expect(self.message("ca.pem") == message)
    }
  }

  @Test("needs a name in the directory that OpenSSL looks for")
  func directory() throws {
    try folder.write("", to: "certs/ca.pem")
    #expect(message("certs") == "it has no authorities with the names that `openssl rehash` makes")
    try folder.write("", to: "certs/0123abcd.0")
    #expect(message("certs") == "a directory of authorities")
  }
}
