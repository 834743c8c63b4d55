import CoreTestSupport
import Foundation

@testable import SDKCore

@Suite("Profile of a directory")
struct DirectoryProfileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "home/a/b/c/x")
  }

  private func search(from directory: String = "home/a/b/c") throws -> DirectoryProfile.Search {
    try DirectoryProfile.search(
      for: ".sdkctl-profile", from: folder.file(directory), home: folder.file("home"))
  }

  @Test("is that of the nearest file, up to the home directory")
  func nearest() throws {
    #expect(try search().found == nil)
    try folder.write("outside", to: ".sdkctl-profile")
    #expect(try search().found == nil)
    try folder.write("top\n", to: "home/.sdkctl-profile")
    #expect(try search().found?.name.description == "top")
    let file = try folder.write("near", to: "home/a/b/.sdkctl-profile", mode: 0o644)
    #expect(try search().found?.name.description == "near")
    #expect(try search().found?.path == file)
    #expect(try search(from: "home/a").found?.name.description == "top")
  }

  @Test("is none without a working directory")
  func nowhere() throws {
    #expect(
      try DirectoryProfile.search(for: ".sdkctl-profile", from: nil, home: "/home").found == nil)
    #expect(
      try DirectoryProfile.search(for: ".sdkctl-profile", from: "relative", home: "/home").found
        == nil)
  }

  @Test(
    "must be the one line of the file",
    arguments: [
      "", "\n", "a b\n", "a\n\n", "a\nb\n", " a\n", "../x\n", ".x\n", "-p\n", "a\u{1b}[31m\n",
      "a\r\n", "a\0\n", String(repeating: "a", count: 65), String(repeating: "a", count: 1 << 20),
    ])
  func malformed(text: String) async throws {
    let file = try folder.write(text, to: "home/a/.sdkctl-profile")
    await expect(
      .invalidConfiguration,
      "could not use '\(file)': it must have one line, the name of a profile"
    ) { _ = try search() }
  }

  @Test("is not that of a directory, which cannot be read")
  func unreadable() async throws {
    try folder.write("", to: "home/a/.sdkctl-profile/x")
    await expect(.store) { try search() }
  }

  @Test("is not that of a file that others can change, or of a link")
  func unsafe() async throws {
    let file = try folder.write("a", to: "home/a/.sdkctl-profile", mode: 0o620)
    await expect(.storePermissions, "could not trust '\(file)': others may use it (mode 0620)") {
      _ = try search()
    }
    try folder.setMode(0o600, of: "home/a/.sdkctl-profile")
    for directory in ["home/a", "home"] {
      try folder.setMode(0o770, of: directory)
      let place = folder.file(directory)
      await expect(
        .storePermissions,
        "could not trust '\(file)': others may change its directory '\(place)' (mode 0770)"
      ) { _ = try search() }
      try folder.setMode(0o700, of: directory)
    }
    try folder.remove("home/a/.sdkctl-profile")
    try folder.write("a", to: "elsewhere")
    try folder.link("home/a/.sdkctl-profile", to: "elsewhere")
    await expect(.storePermissions, "could not trust '\(file)': is a symbolic link") {
      _ = try search()
    }
  }

  @Test("ignores the file of another user, and looks further up", .enabled(if: geteuid() == 0))
  func foreign() throws {
    try folder.write("own", to: "home/.sdkctl-profile")
    let file = try folder.write("foreign", to: "home/a/.sdkctl-profile")
    #expect(chown(file, 12345, 12345) == 0)
    let search = try search()
    #expect(search.found?.name.description == "own")
    #expect(search.ignored == [file])
  }
}
