import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("login install-handler")
struct LoginInstallHandlerTests {
  /// A program whose xdg-mime notes its arguments, or fails.
  private static func program(
    redirectURI: String? = "com.example.app:/cb", status: Int = 0
  ) async throws -> TestProgram {
    let program = try await LoginTests.program(redirectURI: redirectURI)
    try program.folder.write(
      "#!/bin/sh\necho \"$@\" >>'\(program.folder.path)/xdg-mime.log'\nexit \(status)\n",
      to: "bin/xdg-mime", mode: 0o755)
    return program
  }

  private static let entry = ".local/share/applications/sdkctl-com.example.app.desktop"

  @Test("writes a desktop entry for the registered scheme, and makes it the default")
  func installs() async throws {
    let program = try await Self.program()
    expect(
      try await program.run("login", "install-handler"), .success,
      errors: """
        sdkctl: the scheme com.example.app is handled by \(program.folder.file(Self.entry))

        """)
    let text = try program.folder.text(of: Self.entry)
    #expect(text.contains(" login respond -- %u\n"))
    #expect(text.contains("SDKCTL_HOME=\(program.folder.file("store"))"))
    #expect(
      try program.folder.text(of: "xdg-mime.log")
        == "default sdkctl-com.example.app.desktop x-scheme-handler/com.example.app\n")
  }

  @Test("uses the scheme that is named; --remove removes entry and association")
  func removes() async throws {
    let program = try await Self.program(redirectURI: nil)
    let run = try await program.run("login", "install-handler", "com.example.app", "--json")
    #expect(
      run.json == [
        "scheme": "com.example.app", "file": .string(program.folder.file(Self.entry)),
        "installed": true,
      ])
    try program.folder.write(
      """
      [Default Applications]
      x-scheme-handler/com.example.app=sdkctl-com.example.app.desktop
      text/html=firefox.desktop

      """, to: ".config/mimeapps.list", mode: 0o644)
    expect(
      try await program.run("login", "install-handler", "com.example.app", "--remove"), .success,
      errors: "sdkctl: the scheme com.example.app is no longer handled\n")
    #expect(!program.folder.exists(Self.entry))
    #expect(
      try program.folder.text(of: ".config/mimeapps.list")
        == "[Default Applications]\ntext/html=firefox.desktop\n")
    #expect(try program.folder.mode(of: ".config/mimeapps.list") == 0o644)
  }

  @Test("fails if there is no scheme, no xdg-mime, or it fails")
  func failures() async throws {
    let unregistered = try await Self.program(redirectURI: nil).run("login", "install-handler")
    #expect(unregistered.status == .status(.configuration))
    #expect(unregistered.errors.contains("'work' has registered no redirect URI with one"))
    let bare = try await LoginTests.program(redirectURI: "com.example.app:/cb")
    let missing = try await bare.run("login", "install-handler")
    #expect(missing.status == .status(.failure))
    #expect(missing.errors.contains("xdg-mime is not installed\n"))
    #expect(missing.errors.hasSuffix("sdkctl: hint: sudo apt install xdg-utils\n"))
    let failing = try await Self.program(status: 2).run("login", "install-handler")
    #expect(failing.status == .status(.failure))
    #expect(failing.errors.hasSuffix("xdg-mime failed\n"))
    for home in [nil, "home"] {
      let homeless = try await Self.program()
      homeless.setVariable("HOME", home)
      let run = try await homeless.run("login", "install-handler")
      expect(
        run, .configuration,
        errors: "sdkctl: error: could not find the desktop's files: HOME is not set\n")
    }
  }

  @Test(
    "refuses a scheme that is not a reversed domain name",
    arguments: ["http", "Com.Example", "a b"])
  func scheme(text: String) async throws {
    let run = try await Self.program().run("login", "install-handler", text)
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("expected the scheme of an app"))
  }

  @Test("names no store in the entry if the variable for it is empty")
  func emptyHome() async throws {
    let program = try await Self.program()
    program.setVariable("SDKCTL_HOME", "")
    let run = try await program.run("login", "install-handler", "com.example.app")
    #expect(run.status == .status(.success), "\(run)")
    #expect(try !program.folder.text(of: Self.entry).contains("SDKCTL_HOME"))
  }

  @Test("--remove leaves associations without the entry as they are, byte for byte")
  func foreignAssociations() async throws {
    let program = try await Self.program()
    let bytes = Array("text/html=caf".utf8) + [0xE9, 0x0A]
    try program.folder.write(bytes, to: ".config/mimeapps.list")
    let run = try await program.run("login", "install-handler", "--remove")
    #expect(run.status == .status(.success), "\(run)")
    #expect(try program.folder.bytes(of: ".config/mimeapps.list") == bytes)
  }
}
