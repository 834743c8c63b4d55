import Arguments
import CoreTestSupport

@testable import Commands

/// No name and no text from outside acts on a terminal, or forges a line or a field of the output.
@Suite("Hostile names and texts", .timeLimit(.minutes(10)))
struct HostileTextTests {
  /// Words behind each command that make it read what is hostile; `@NAME` is a file.
  private static let lines: [String: [[String]]] = [
    "profile add": [
      ["n", "--issuer", "https://id.test"], ["n", "--client-id", HostileWorld.text],
    ],
    "profile list": [[]], "profile show": [[]], "profile use": [["work"]],
    "user list": [[]], "user use": [["default"]],
    "profile set": [["scope=\(HostileWorld.text)"], ["\(HostileWorld.text)=x"]],
    "profile unset": [["scope"]],
    "profile remove": [["work", "--yes"]],
    "status": [[], ["--all"]], "profile copy": [["work", HostileWorld.text]],
    "profile metadata": [[]],
    "profile import": [["@sap.json", "--yes"], ["@sap.json"], ["@hostile", "--yes"]],
    "profile export": [["--share"], ["--with-secrets", "--passphrase-file", "@secret"]],
    "pin add": [
      ["@certificate.pem", "--host", "b.test"], ["api.test", "--yes"],
      ["@hostile", "--host", "b.test"],
    ],
    "pin list": [[]], "pin show": [["api.test"], ["api.test", "--offline"]],
    "pin remove": [["api.test"]],
    "pin hash": [["@certificate.pem"], ["@identity.pem"], ["api.test"], ["@hostile"]],
    "pin check": [[], ["-"], ["--junit", "-"]],
    "pin set": [["api.test", "--comment", HostileWorld.text]], "pin lint": [[]],
    "pin diff": [["@pins.json"], ["@pins.json", "@hostile"]],
    "pin plan": [[]],
    "pin update": [["--yes"]],
    "pin backup": [["api.test"]], "pin history": [[]],
    "pin import": [
      ["@pins.json"], ["@pins.json", "--yes", "--allow-weaker"], ["@broken.json"],
      ["@hostile", "--signed-by", "@key.jwk"],
    ],
    "pin export": [["--format", "json"], ["--format", "okhttp"], ["--format", "trustkit"]],
    "identity list": [[]], "identity show": [["mine"]],
    "identity import": [["@identity.pem", "--name", "new"], ["@hostile"]],
    "identity export": [["mine", "--no-key"]], "identity remove": [["mine"]],
    "identity csr": [["other", "--subject", "CN=\(HostileWorld.short)"]],
    "identity check": [[]], "identity renew": [[]], "identity obtain": [[]],
    "register": [["--replace"]], "register show": [[]],
    "register update": [["--client-name", HostileWorld.text]],
    "account create": [["--email", "a@x.test"], []],
    "account reset-password": [["--email", "a@x.test"], []],
    "login": [["--no-browser"], ["--device"], ["--manual"], ["--anonymous"], ["--implicit"]],
    "login password": [[HostileWorld.text, "--password-file", "@secret"]],
    "login assertion": [["--assertion-file", "@secret"]],
    "login exchange": [["--token-file", "@secret"]],
    "fido register": [[HostileWorld.text, "--passcode-file", "@secret"]],
    "fido metadata": [[]],
    "fido login": [[HostileWorld.text, "--passcode-file", "@secret"]],
    "fido passcode": [["--passcode-file", "@secret", "--new-passcode-file", "@secret"]],
    "fido target list": [[], ["--local"]], "fido target add": [[HostileWorld.text]],
    "fido target remove": [[HostileWorld.text, "--yes"]],
    "user remove": [["--yes"]],
    "fido deregister": [[HostileWorld.text, "--yes"], ["--local", "--yes"]],
    "profile seal": [["--passcode-file", "@secret"]],
    "profile unseal": [["--passcode-file", "@secret"]],
    "profile store show": [[]], "profile store move": [["files", "--yes"]],
    "profile store key import": [["@secret"]],
    "profile store key export": [[]], "profile store key rotate": [[]],
    "profile passcode": [["--passcode-file", "@secret", "--new-passcode-file", "@secret"]],
    "login form": [[HostileWorld.text, "--password-file", "@secret"]],
    "login token": [["--token-file", "@secret"]],
    "token sign": [["--key", "@key.jwk", "--sub", HostileWorld.text]],
    "credential mcp": [[], ["install"]],
    "login respond": [[HostileWorld.text]], "login install-handler": [["app"]],
    "token": [[], ["--header"], ["--env", "sh"], ["--curl"], ["--id-token"]],
    "token decode": [["@token.jwt"], [], ["@hostile"]],
    "token verify": [["@token.jwt"], ["@token.jwt", "--key", "@key.jwk"]],
    "token test": [["@token.jwt", "--scope", HostileWorld.text], []],
    "token lint": [["@token.jwt"]], "token diff": [["@token.jwt", "@other.jwt"]],
    "token jwk": [["@key.jwk"], ["@key.jwk", "--thumbprint"], ["@hostile"]], "token list": [[]],
    "token introspect": [[]], "token userinfo": [[]], "token refresh": [[]],
    "token revoke": [[], ["@hostile"]],
    "fetch": [
      ["/me"], ["-i", "/me"], ["--dry-run", "/me"], ["--batch", "@batch"], ["--no-fail", "/me"],
      ["--dry-run", "/me", "--data", "x\u{1B}\u{202E}"], ["/me", "-o", "@out"],
    ],
    "exec": [["--", "tool"]],
    "proxy": [
      ["--", HostileWorld.text], ["--socket", "@secret"], ["--socket", HostileWorld.text + "/api"],
    ],
    "credential git": [["get"], ["install"]], "credential docker": [["list"], ["install"]],
    "credential kubectl": [[], ["install"]],
    "credential aws": [["--role-arn", HostileWorld.text, "--sts-url", "https://api.test"]],
    "logout": [[]], "deregister": [["--yes"]], "completion": [["bash"]],
    "config list": [[]], "config get": [["alias.\(HostileWorld.text)"]],
    "config set": [["alias.x=\(HostileWorld.text)"], ["alias.\(HostileWorld.short)=x"]],
    "config unset": [["alias.\(HostileWorld.text)"]],
    "doctor": [[], ["--online"], ["--json"]],
    "help": [[], ["-a"], [HostileWorld.text]], "version": [[]],
    "__complete": [["profiles"], ["pinned-hosts"], ["identities"]],
    "__generate": [["@generated"]],
  ]

  @Test("are tried with every command")
  func complete() {
    let commands = commandTable.catalog.entries.flatMap { entry in
      (entry.command.map { [$0] } ?? []) + entry.subcommands
    }
    #expect(Set(commands.map { $0.path.joined(separator: " ") }) == Set(Self.lines.keys))
  }

  @Test(
    "of store, files and servers are spelled out in the output of each command",
    arguments: lines.keys.sorted(), [false, true])
  func received(command: String, hasHostileSettings: Bool) async throws {
    for server in HostileWorld.Server.allCases {
      let world = try await HostileWorld(hasHostileSettings: hasHostileSettings)
      world.set(server)
      for line in try #require(Self.lines[command]) {
        let words = line.map { word in
          word.hasPrefix("@") ? world.program.folder.file(String(word.dropFirst())) : word
        }
        try await Self.expectVisible(command, words, in: world)
      }
    }
  }

  @Test("of the command line are spelled out, as operand and as value of each option")
  func typed() async throws {
    let world = try await HostileWorld(hasHostileSettings: false)
    world.set(.generous)
    // What is written by that name stays in the folder of the test.
    let path = world.program.folder.file(HostileWorld.text)
    // `__generate` would write documents into a directory of that name, beside the sources.
    for command in Self.lines.keys.sorted() where command != "__generate" {
      for words in [
        [HostileWorld.text], [path], ["--\(HostileWorld.text)"], ["x", HostileWorld.text],
      ] {
        try await Self.expectVisible(command, words, in: world)
      }
    }
    for option in TestedOption.all {
      // The format is the user's, and may have lines.
      guard let name = option.doc.valueName, option.doc.long != "write-out" else { continue }
      let isPath = name.contains("FILE") || name.contains("DIR")
      let words = ["--\(option.doc.long)", isPath ? path : HostileWorld.text]
      var line = option.line(words, isLast: !option.standsFirst)
      // A file that the option needs is in the folder of the test too.
      if let output = line.firstIndex(of: "--output") { line[output + 1] = path }
      try await Self.expectVisible(option.command.name, line, in: world)
    }
    for words in [
      ["-p", HostileWorld.text], ["--trace", path], ["--timeout", HostileWorld.text],
    ] {
      try await Self.expectVisible("pin list", words, in: world)
    }
    try await Self.expectVisible(HostileWorld.text, [], in: world)
  }

  /// Runs a line for a person at a terminal, and for a program.
  private static func expectVisible(
    _ command: String, _ words: [String], in world: HostileWorld
  ) async throws {
    let program = world.program
    let path = lines[command] == nil ? [command] : command.split(separator: " ").map(String.init)
    let globals = ["--color", "never", "--timeout", "0.2", "-v"]
    for options in [["--json"], []] {
      if options.isEmpty {
        program.terminal.connect(.input, .output, .errors)
      } else {
        program.terminal.connect()
      }
      let run = try await program.run(path + globals + options + words, input: HostileWorld.text)
      let faults =
        HostileWorld.faults(in: run.output) + HostileWorld.faults(in: run.errors)
        + program.terminal.prompts.flatMap { HostileWorld.faults(in: $0) }
      #expect(faults.isEmpty, "\(path + options + words): \(run)")
    }
  }
}
