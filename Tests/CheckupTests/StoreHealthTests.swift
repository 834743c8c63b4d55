import CoreTestSupport
import Foundation

@testable import Checkup
@testable import SDKCore

@Suite("The health of the store")
struct StoreHealthTests {
  private let world: World

  init() throws { world = try World() }

  private static let past = Date(timeIntervalSinceNow: -3600)

  /// What is wrong, by the paths below the folder.
  private func findings(_ profiles: Set<String>? = nil) -> [String: Finding] {
    let all = StoreHealth(location: world.location, profiles: profiles, now: World.now).findings()
    let wrong = all.filter { $0.severity != .ok }.map { finding in
      (String((finding.subject ?? "").dropFirst(world.folder.path.count + 1)), finding)
    }
    #expect(Set(wrong.map(\.0)).count == wrong.count)
    return Dictionary(wrong) { $1 }
  }

  /// Writes a file of a writer that is gone, or may not be yet.
  private func leave(_ name: String, isOld: Bool = true) throws {
    try world.folder.write("{", to: name)
    if isOld {
      let file = world.folder.file(name)
      let top = file.range(of: ".unfinished").map { range in
        file[..<(file[range.upperBound...].firstIndex(of: "/") ?? file.endIndex)]
      }
      try FileManager.default.setAttributes(
        [.modificationDate: Self.past], ofItemAtPath: String(top ?? file[...]))
    }
  }

  @Test("finds what killed writers have left, and not what a writer still uses")
  func leftovers() async throws {
    try await world.store("u1")
    #expect(findings().isEmpty)
    let old = ["state/profiles/work/.unfinished.999999.a", "config/profiles/.unfinished.999999.b"]
    try leave(old[0])
    try leave(old[1] + "/profile.json")
    try leave("state/profiles/work/.unfinished.999999.c", isOld: false)
    for profiles in [nil, ["work"]] as [Set<String>?] {
      let found = findings(profiles)
      #expect(found.keys.sorted() == old.sorted())
      #expect(found.values.allSatisfy { $0.check == .leftover && $0.repair != nil })
    }
    for finding in findings().values {
      let repaired = finding.repaired()
      #expect(repaired.severity == .fixed && repaired.text.hasSuffix("; it is removed"))
    }
    #expect(findings().isEmpty && !world.folder.exists(old[1]))
  }

  @Test("does not remove what a writer uses again")
  func used() throws {
    let name = "state/profiles/work/.unfinished.999999.a"
    try leave(name, isOld: false)
    let text = try Finding.Repair.remove(world.folder.file(name)).run()
    #expect(text == "it is in use again, and stays")
    #expect(world.folder.exists(name))
  }

  @Test("finds what is not of the program, and does not look into it")
  func foreign() throws {
    try world.folder.write("{", to: "state/junk/a/b.json")
    try world.folder.write("", to: "state/profiles/work/credentials")
    try world.folder.write("{}", to: "elsewhere")
    try world.folder.link("state/profiles/work/seal.json", to: "elsewhere")
    try world.folder.link("state/profiles/work/x", to: "elsewhere")
    let found = findings()
    let unused = "it is not of this program, and nothing uses it"
    #expect(
      found.mapValues(\.text) == [
        "state/junk": unused, "state/profiles/work/credentials": unused,
        "state/profiles/work/x": unused,
        "state/profiles/work/seal.json": "it is a symbolic link, and is refused",
      ])
    #expect(found.values.allSatisfy { $0.check == .foreignFile })
    #expect(found["state/profiles/work/seal.json"]?.severity == .error)
  }

  @Test("looks into a directory of the store that is a link, and finds a file in the place of one")
  func linked() throws {
    try world.folder.write("", to: "elsewhere/junk")
    try world.folder.link("cache", to: "elsewhere")
    try world.folder.write("", to: "state")
    #expect(findings().keys.sorted() == ["cache/junk", "state"])
  }

  @Test("of some profiles does not look at the others, but at what is of all")
  func some() throws {
    for name in ["state/profiles/work/dpop.json", "state/profiles/other/dpop.json"] {
      try world.folder.write("{", to: name)
    }
    try world.folder.write("{", to: "cache/issuers/00.json")
    let ofAll = "cache/issuers/00.json"
    #expect(findings(["work"]).keys.sorted() == [ofAll, "state/profiles/work/dpop.json"])
    #expect(findings(["other"]).keys.sorted() == [ofAll, "state/profiles/other/dpop.json"])
    #expect(findings().count == 3)
  }

  @Test("does not miss what a process has removed meanwhile")
  func removedMeanwhile() throws {
    let files = ["state/profiles/work/dpop.json", World.locks + "/user.lock"]
    for file in files { try world.folder.write("{}", to: file, mode: 0o644) }
    let nodes = StoreTree(location: world.location, profiles: nil).nodes { _ in }
      .filter { node in files.contains { node.path == world.folder.file($0) } }
    let health = StoreHealth(location: world.location, profiles: nil, now: World.now)
    #expect(nodes.count == 2)
    #expect(nodes.flatMap { health.problems(of: $0) }.map(\.check) == [.permissions])
    for file in files { try world.folder.remove(file) }
    #expect(nodes.flatMap { health.problems(of: $0) }.isEmpty)
  }

  @Test("is mended where others may use what is its owner's")
  func repair() throws {
    let name = "state/profiles/work/dpop.json"
    try world.folder.write("{}", to: name)
    try world.folder.setMode(0o644, of: name)
    let found = try #require(findings()[name])
    #expect(found.repaired().severity == .fixed)
    #expect(try world.folder.mode(of: name) == 0o600)
  }

  @Test(
    "is not mended where the owner is wrong",
    .enabled(if: geteuid() == 0, "only root can give a directory away"))
  func foreignOwner() throws {
    try world.folder.write("{}", to: "state/profiles/work/dpop.json")
    let directory = world.folder.file("state/profiles/work")
    for mode in [0o700, 0o777] {
      #expect(chown(directory, 12345, 12345) == 0)
      try world.folder.setMode(mode, of: "state/profiles/work")
      let foreign = try #require(findings()["state/profiles/work"])
      #expect(foreign.repair == nil && foreign.text == "it belongs to another user")
      #expect(foreign.repaired() == foreign)
    }
  }
}
