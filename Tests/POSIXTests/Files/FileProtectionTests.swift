import Glibc
import TestSupport

@testable import POSIX

@Suite("Protection of files")
struct FileProtectionTests {
  @Test("sets a mode, or takes the permission to write from others")
  func modes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", to: "a", mode: 0o666)
    try FileProtection(.withoutForeignWriting, of: [path]).apply()
    #expect(try FileStatus.of(path).mode == 0o644)
    try FileProtection(.mode(0o600), of: [path]).apply()
    #expect(try FileStatus.of(path).mode == 0o600)
    try FileProtection(.mode(0o700), of: [folder.path]).apply()
    #expect(try FileStatus.of(folder.path).mode == 0o700)
  }

  @Test("follows no link")
  func links() throws {
    let folder = try TemporaryFolder()
    let target = try folder.write("x", to: "a", mode: 0o644)
    symlink(target, folder.file("link"))
    #expect(throws: SystemError.self) {
      try FileProtection(.mode(0o600), of: [folder.file("link")]).apply()
    }
    #expect(try FileStatus.of(target).mode == 0o644)
  }

  @Test("an owner is not changed")
  func owner() throws {
    let folder = try TemporaryFolder()
    let protection = FileProtection(.owner(65_534), of: [try folder.write("x", to: "a")])
    #expect(!protection.isApplicable)
    #expect(throws: SystemError.self) { try protection.apply() }
    #expect(try FileStatus.of(folder.file("a")).isOwnedByUser)
    #expect(FileProtection(.mode(0o600), of: []).isApplicable)
  }
}
