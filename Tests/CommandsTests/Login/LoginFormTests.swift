import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("login form")
struct LoginFormTests {
  private static let page = "https://id.test/login"
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

  @Test("reports the names of the cookies, and no value")
  func report() async throws {
    let program = try Self.program()
    let run = try await program.run(
      "login", "form", "alice", "--password-file", "-", "--json", input: "pw")
    #expect(run.json?["provider"] == "cookies" && run.json?["slot"] == "user")
    #expect(run.json?["cookies"] == ["sid", "lang"])
    #expect(run.json?["expires"] == "2027-01-15T08:01:00Z")
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

  private var page: String { Self.page }
}
