import HTTP
import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("login form")
struct LoginFormTests {
  private static let page = "https://id.test/login"
  private static let done =
    "sdkctl: logged the user in to 'work' (cookies: sid, lang); expires 2027-01-15T08:01:00Z, "
    + "in 60 seconds\n"

  /// A program whose provider has a page with a form and sets two cookies.
  static func program(_ settings: [String: JSON] = [:]) throws -> TestProgram {
    let program = try TestProgram(
      settings.merging(["form.url": .string(page), "resourceURL": "https://id.test/v1"]) {
        left, _ in left
      })
    program.transport.respond(
      page,
      .init(
        fields: [HTTPField(known: "Content-Type", "text/html")],
        body: "<form method=post><label for=u>Name</label><input id=u name=user>"
          + "<label>Word<input type=password name=pw></label></form>"),
      .init(
        fields: [
          HTTPField(known: "Set-Cookie", "sid=s\"1; Path=/; Secure; HttpOnly; Max-Age=60"),
          HTTPField(known: "Set-Cookie", "lang=en; Path=/v1; Domain=id.test"),
        ], body: "welcome"))
    return program
  }

  private static func sent(_ program: TestProgram) -> FormParameters? {
    program.transport.sent.last.flatMap { FormParameters(encoded: $0.body) }
  }

  @Test(
    "takes the name as an operand or a setting, and the password from a stream, a file or a person")
  func password() async throws {
    let lines: [(words: [String], input: String, prompts: [String])] = [
      (["alice", "--password-file", "-"], "wonder land\n", []), (["alice"], "", ["Word: "]),
      ([], "", ["Name: ", "Word: "]),
    ]
    for (words, input, prompts) in lines {
      let program = try Self.program()
      if prompts.count == 2 { program.terminal.type("alice") }
      program.terminal.type("wonder land")
      let run = try await program.run(["login", "form"] + words, input: input)
      #expect(run.status == .status(.success))
      #expect(run.errors.hasPrefix("sdkctl: logged the user in to 'work' (cookies: sid, lang)"))
      #expect(Self.sent(program)?["user"] == "alice")
      #expect(Self.sent(program)?["pw"] == "wonder land")
      #expect(program.terminal.prompts == prompts)
    }
    let program = try Self.program(["form.user": "alice"])
    let file = try program.folder.write("pw\n", to: "password")
    _ = try await program.run("login", "form", "--password-file", file)
    #expect(Self.sent(program)?["user"] == "alice")
    #expect(Self.sent(program)?["pw"] == "pw")
  }

  @Test("sends no password of a file that others may read")
  func exposed() async throws {
    let program = try Self.program(["form.user": "alice"])
    let file = try program.folder.write("pw\n", to: "password", mode: 0o644)
    _ = try await program.run("profile", "set", "form.passwordFile=\(file)")
    let run = try await program.run("login", "form")
    #expect(run.status == .status(.configuration))
    #expect(run.errors.contains("\(file): others may read it (mode 0644)"), "\(run)")
    #expect(Self.sent(program)?["pw"] == nil)
  }

  @Test("reports the names of the cookies, and no value")
  func report() async throws {
    let program = try Self.program()
    let run = try await program.run(
      "login", "form", "alice", "--password-file", "-", "--json", input: "pw")
    #expect(run.json?["provider"] == "cookies" && run.json?["slot"] == "user")
    #expect(run.json?["cookies"] == ["sid", "lang"])
    #expect(run.json?["expires"] == "2027-01-15T08:01:00Z")
  }

  @Test("asks nobody for a password without form.url")
  func unconfigured() async throws {
    let program = try TestProgram([:])
    expect(
      try await program.run("login", "form", "alice"), .configuration,
      errors: """
        sdkctl: error: could not log in by form: the profile has no form.url
        sdkctl: hint: sdkctl -p work profile set form.url=https://HOST/PATH

        """)
    #expect(program.terminal.prompts.isEmpty)
  }

  @Test("says so if there is nobody to ask, and if the provider refuses")
  func failures() async throws {
    let program = try Self.program()
    expect(
      try await program.run("login", "form", "alice"), .usage,
      errors: "sdkctl: error: could not ask for 'Word': there is no terminal\n")
    program.transport.respond(Self.page, .status(403))
    let run = try await program.run(
      "login", "form", "alice", "--password-file", "-", input: "pw")
    #expect(run.status == .status(.failure))
  }

  @Test("gives its cookies to other programs in their forms")
  func output() async throws {
    let program = try Self.program()
    _ = try await program.run("login", "form", "alice", "--password-file", "-", input: "pw")
    let outputs = [
      ("--cookie", "lang=en; sid=s\"1\n"), ("--header", "Cookie: lang=en; sid=s\"1\n"),
      ("--curl", "header = \"Cookie: lang=en; sid=s\\\"1\"\n"),
      (
        "--cookie-jar",
        "# Netscape HTTP Cookie File\n#HttpOnly_id.test\tFALSE\t/\tTRUE\t1800000060\tsid\ts\"1\n"
          + ".id.test\tTRUE\t/v1\tFALSE\t0\tlang\ten\n"
      ),
    ]
    for (option, output) in outputs {
      expect(
        try await program.run("token", "--min-ttl", "0", option), .success, output: output)
    }
    let json = try await program.run("token", "--json").json
    #expect(json?["provider"] == "cookies")
    #expect(json?["cookies"]?.array?.first?["value"] == "s\"1")
    #expect(json?["cookies"]?.array?.last?["hostOnly"] == false)
  }

  @Test("stores no token: the other forms of token fail, with a hint that prints the cookies")
  func noToken() async throws {
    let program = try Self.program()
    _ = try await program.run("login", "form", "alice", "--password-file", "-", input: "pw")
    for words in [["token"], ["token", "--env", "sh"], ["token", "decode"]] {
      let run = try await program.run(words)
      #expect(run.status == .status(.failure))
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("is a set of cookies, not a token"))
      #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl -p work token --cookie\n"))
    }
  }

  @Test("is listed by its kind, without its values")
  func lists() async throws {
    let program = try Self.program()
    _ = try await program.run("login", "form", "alice", "--password-file", "-", input: "pw")
    let list = try await program.run("token", "list")
    #expect(list.output.hasSuffix("\tmode 0600\tstore\tcookies\t-\n"))
    #expect(
      try await program.run("token", "list", "--json").json?.array?[0]["provider"] == "cookies")
    let show = try await program.run("profile", "show")
    #expect(show.errors.contains("user (alice): expires"), "\(show)")
    #expect(show.errors.contains("(cookies: sid, lang)"), "\(show)")
    let state = try await program.run("profile", "show", "--json").json?["state"]?["user"]
    #expect(state?["provider"] == "cookies")
    let dry = try await program.run("fetch", "--dry-run", "/x")
    #expect(dry.output.contains("Cookie: ‹redacted›"))
    #expect(!dry.output.contains("Authorization"))
    let curl = try await program.run("fetch", "--as-curl", "/x")
    #expect(curl.output.contains("sdkctl -p work token --curl | curl --config -"))
    for run in [list, show, dry, curl] { #expect(!run.output.contains("s\"1")) }
  }

  @Test("is replaced by the token of the next login, and erased by logout")
  func logout() async throws {
    let program = try Self.program()
    _ = try await program.run("login", "form", "alice", "--password-file", "-", input: "pw")
    let run = try await program.run("logout", "--json")
    #expect(run.status == .status(.success))
    #expect(run.json?["steps"]?.array?.map { $0["step"] } == ["erase"])
    let after = try await program.run("token", "--cookie")
    #expect(after.status == .status(.authenticationRequired))
    #expect(after.errors.hasSuffix("sdkctl: hint: sdkctl -p work login form\n"))
  }

  @Test("is done again by fetch after a 401, and asks for the password with --interactive only")
  func fetch() async throws {
    let program = try Self.program(["form.user": "alice"])
    program.transport.respond("https://id.test/v1/x", .status(401, "no"), .status(200, "yes"))
    _ = try await program.run("login", "form", "alice", "--password-file", "-", input: "pw")
    expect(
      try await program.run("fetch", "/x"), .authenticationRequired,
      errors: """
        sdkctl: error: could not use the login of 'work': it is over, and the profile has no \
        form.user and form.passwordFile
        sdkctl: hint: sdkctl -p work login form

        """)
    program.terminal.type("pw")
    program.transport.respond("https://id.test/v1/x", .status(401, "no"), .status(200, "yes"))
    let old = program.transport.sent.count
    Self.again(program)
    expect(
      try await program.run("fetch", "--interactive", "/x"), .success, output: "yes",
      errors: "sdkctl: logged the user in to 'work' (cookies)\n")
    #expect(
      program.transport.lines.dropFirst(old) == [
        "GET https://id.test/v1/x", "GET \(page)", "POST \(page)", "GET https://id.test/v1/x",
      ])
  }

  private var page: String { Self.page }

  private static func again(_ program: TestProgram) {
    program.transport.respond(
      page,
      .init(
        fields: [HTTPField(known: "Content-Type", "text/html")],
        body: "<form method=post><input name=user><input type=password name=pw></form>"),
      .init(fields: [HTTPField(known: "Set-Cookie", "sid=s2; Path=/")], body: "welcome"))
  }
}
