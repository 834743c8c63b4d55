import CoreTestSupport
import Foundation

@testable import Commands

@Suite("Keys of OpenSSH")
struct OpenSSHKeyTests {
  /// An Ed25519 key that was made for this test.
  private static let privateKey = """
    -----BEGIN OPENSSH PRIVATE KEY-----
    b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
    QyNTUxOQAAACDXFtW8vqmeV6CxVxro5t/1RvtXB4XF2ULZj75dIvzFQgAAAIg0Mn5uNDJ+
    bgAAAAtzc2gtZWQyNTUxOQAAACDXFtW8vqmeV6CxVxro5t/1RvtXB4XF2ULZj75dIvzFQg
    AAAEAIY0GlzlZ0drOc6qYTQIv2CUGc900wd9qenGtug0kXR9cW1by+qZ5XoLFXGujm3/VG
    +1cHhcXZQtmPvl0i/MVCAAAABHRlc3QB
    -----END OPENSSH PRIVATE KEY-----

    """
  private static let publicKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINcW1by+qZ5XoLFXGujm3/VG+1cHhcXZQtmPvl0i/MVC test\n"

  @Test("are refused, and the hint of an Ed25519 key makes a key that works")
  func conversion() async throws {
    let program = try TestProgram([:])
    for (name, text) in [("private", Self.privateKey), ("public.pub", Self.publicKey)] {
      let file = try program.folder.write(text, to: name, mode: 0o600)
      let run = try await program.run("token", "jwk", file)
      #expect(run.errors.contains("the key has the form of OpenSSH"), "\(run)")
      let start = try #require(run.errors.range(of: "sdkctl: hint: "))
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", String(run.errors[start.upperBound...])]
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      let converted = try await program.run("token", "jwk", file + ".der")
      #expect(converted.json?["x"] == "1xbVvL6pnlegsVca6Obf9Ub7VweFxdlC2Y--XSL8xUI", "\(converted)")
    }
  }

  @Test(
    "of other kinds are converted by ssh-keygen",
    arguments: [
      ("ssh-rsa AAAAB3NzaC1yc2E= a\n", "ssh-keygen -e -m PKCS8 -f k > k.pem"),
      (
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAAB3NzaC1yc2E=\n",
        "cp k k.pem && ssh-keygen -p -N '' -m PKCS8 -f k.pem"
      ),
    ])
  func others(text: String, command: String) {
    #expect(OpenSSHKey(Array(text.utf8))?.conversion(of: "k") == command)
  }

  @Test("other texts are not keys of OpenSSH", arguments: ["", "-----BEGIN PUBLIC KEY-----", "{}"])
  func none(text: String) { #expect(OpenSSHKey(Array(text.utf8)) == nil) }
}
