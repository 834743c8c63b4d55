import CoreTestSupport

@testable import SDKCore

@Suite("The system's directory of authorities")
struct SystemAuthoritiesTests {
  @Test(
    "is the first one with hashed names",
    arguments: [
      ([["ca.pem", "0123abcd.0"], ["ffffffff.12"]], 0), ([["ca.pem"], ["ffffffff.12"]], 1),
      ([[], ["ca.pem", "README"]], nil), ([nil, ["89abcdef.1"]], 1), ([nil, nil], nil),
    ] as [([[String]?], Int?)])
  func chosen(places: [[String]?], index: Int?) throws {
    let folder = try TemporaryFolder()
    let paths = places.indices.map { folder.file("\($0)") }
    for (path, names) in zip(paths, places) {
      // Without names, a file stands in place of the directory: it cannot be listed.
      guard let names else {
        try folder.write("", to: String(path.dropFirst(folder.path.count + 1)))
        continue
      }
      for name in names {
        try folder.write("", to: "\(path.dropFirst(folder.path.count + 1))/\(name)")
      }
    }
    #expect(SystemAuthorities.directory(among: paths) == index.map { paths[$0] })
    #expect(SystemAuthorities.directory(among: [folder.file("missing")]) == nil)
  }

  @Test(
    "has names of eight hexadecimal digits, a dot and a number",
    arguments: [
      ("0123abcd.0", true), ("89abcdef.12", true), ("0123ABCD.0", false), ("0123abcd.r0", false),
      ("0123abc.0", false), ("0123abcd.", false), ("0123abcd0", false), ("g123abcd.0", false),
    ])
  func hashed(name: String, isHashed: Bool) {
    #expect(SystemAuthorities.isHashed(name) == isHashed)
  }
}
