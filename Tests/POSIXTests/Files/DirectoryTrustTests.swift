import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct DirectoryTrustTests {
  @Test(
    arguments: [
      (0o700, nil, nil), (0o500, nil, nil),
      (0o711, "use", nil), (0o755, "use", nil), (0o740, "use", nil), (0o704, "use", nil),
      (0o770, "use", "change"), (0o720, "use", "change"), (0o702, "use", "change"),
      (0o777, "use", "change"), (0o1777, "use", nil),
    ] as [(Int, String?, String?)])
  func aDirectoryThatOthersMayUseIsRefusedWithTheRemedy(
    mode: Int, secret: String?, shared: String?
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("its name")
    try Directory.create(path)
    chmod(path, mode_t(mode))
    for (trust, verb) in [(DirectoryTrust.secret, secret), (.shared, shared)] {
      let error = failure(of: try DirectoryTrust.require([(path, trust)]))
      #expect((error == nil) == (verb == nil))
      guard let verb, let error else { continue }
      #expect(error.isUnsafe)
      let text = String(mode, radix: 8)
      #expect(
        error.message == "others may \(verb) its directory '\(path)' "
          + "(mode \(text.count < 4 ? "0" : "")\(text))")
      #expect(
        error.protections == [
          FileProtection(trust == .secret ? .mode(0o700) : .withoutForeignWriting, of: [path])
        ])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func aDirectoryOfAnotherUserIsRefusedWithTheRemedy() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign")
    try Directory.create(path)
    #expect(chown(path, 12345, 12345) == 0)
    for trust in [DirectoryTrust.secret, .shared] {
      let error = failure(of: try DirectoryTrust.require([(path, trust)]))
      #expect(error?.message == "its directory '\(path)' belongs to user 12345")
      #expect(error?.protections == [FileProtection(.owner(0), of: [path])])
      #expect(error?.isUnsafe == true)
    }
  }

  @Test func oneChangeProtectsAllLevels() throws {
    let folder = try TemporaryFolder()
    let levels = ["a", "a/b", "a/b/c"].map(folder.file)
    try Directory.create(levels[2])
    for level in levels { chmod(level, 0o755) }
    let trusts = levels.map { ($0, DirectoryTrust.secret) }
    let error = failure(of: try DirectoryTrust.require(trusts))
    #expect(error?.message == "others may use its directory '\(levels[0])' (mode 0755)")
    #expect(error?.protections == [FileProtection(.mode(0o700), of: levels)])
    for level in levels { chmod(level, 0o700) }
    let others = [folder.file("missing"), try folder.write("", to: "file", mode: 0o644)]
    try DirectoryTrust.require(trusts + others.map { ($0, .secret) })
  }
}
