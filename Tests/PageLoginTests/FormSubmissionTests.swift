import CoreTestSupport

@testable import PageLogin
@testable import SDKCore

@Suite("A form of a login")
struct FormSubmissionTests {
  private static let fields = "<input name=user><input type=password name=pw>"

  /// The requests after the page, for a page with these fields of its response.
  private static func sent(
    _ page: String, type: String = "text/html", at target: String = FormLoginTests.page,
    _ settings: JSONObject = [:],
    _ credentials: FormCredentials = FormCredentials(user: "alice", password: "wonder")
  ) async throws -> FakeTransport.Sent {
    let world = try FormLoginTests.world(settings)
    let form = FakeTransport.Response.other(200, type, page)
    let done = FakeTransport.Response.page("in", cookies: ["sid=1"])
    if target == FormLoginTests.page {
      world.transport.respond(FormLoginTests.page, form, done)
    } else {
      world.transport.respond(FormLoginTests.page, form)
      world.transport.respond(target, done)
    }
    _ = try await FormLoginTests.logIn(world, credentials)
    #expect(world.transport.sent.map(\.url) == [FormLoginTests.page, target])
    return try #require(world.transport.sent.last)
  }

  @Test("is sent as multipart/form-data if the page says so, with the lines of a value as CR LF")
  func multipart() async throws {
    let sent = try await Self.sent(
      "<form method=post enctype=Multipart/Form-Data><textarea name='a\"b'>x\ny</textarea>"
        + Self.fields + "</form>")
    let type = try #require(sent.fields["Content-Type"])
    let start = "multipart/form-data; boundary="
    #expect(type.hasPrefix(start))
    let boundary = type.dropFirst(start.count)
    #expect(boundary.utf8.count == 36)
    let parts = [("a%22b", "x\r\ny"), ("user", "alice"), ("pw", "wonder")].map {
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n"
    }
    #expect(sent.body == parts.joined() + "--\(boundary)--\r\n")
  }

  @Test("is sent as multipart/form-data if its button says so, whatever the page says")
  func multipartButton() async throws {
    for (form, button) in [("multipart/form-data", "x"), ("x", "multipart/form-data")] {
      let sent = try await Self.sent(
        "<form method=post enctype=\(form)>\(Self.fields)<button formenctype=\(button)></form>")
      let isMultipart = sent.fields["Content-Type"]?.hasPrefix("multipart/form-data") == true
      #expect(isMultipart == (button != "x"))
    }
  }

  @Test(
    "is sent where the page says",
    arguments: [
      ("", "<form method=post action=in>", "https://id.test/in"),
      ("", "<form method=post action='../a?b=1#c'>", "https://id.test/a?b=1"),
      ("<base href='/sub/dir/'>", "<form method=post action=in>", "https://id.test/sub/dir/in"),
      (
        "<base target=x><base href=/b/><base href=/c/>", "<form method=post action=in>",
        "https://id.test/b/in"
      ),
      ("<base href='https://api.test/'>", "<form method=post action=in>", "https://api.test/in"),
      // Without an address the page itself, whatever its base.
      ("<base href=/sub/>", "<form method=post>", "https://id.test/login"),
      ("", "<form method=post action=/a><button formaction=/b>Go</button>", "https://id.test/b"),
      ("", "<form action=/a><input type=submit formmethod=POST>", "https://id.test/a"),
    ])
  func target(head: String, form: String, url: String) async throws {
    let sent = try await Self.sent("\(head)\(form)\(Self.fields)</form>", at: url)
    #expect(sent.body == "user=alice&pw=wonder")
  }

  @Test("is not sent to the base of a page on a host that takes no part in the login")
  func foreignBase() async throws {
    let world = try FormLoginTests.world()
    world.transport.respond(
      FormLoginTests.page,
      .page("<base href=https://evil.test/><form method=post action=x>\(Self.fields)</form>"))
    await expect(.policy) { _ = try await FormLoginTests.logIn(world) }
    #expect(world.transport.sent.count == 1)
  }

  @Test(
    "is sent with one button: the first, or the one that the profile names",
    arguments: [
      ("<button name=a value=1>A</button><button name=b value=2>B</button>", nil, "&a=1"),
      ("<button>A</button><button name=b value=2>B</button>", nil, ""),
      ("<input type=submit name=a value=1><input type=submit name=b value=2>", "b=2", "&b=2"),
      ("<button name=do value=in></button><button name=do value=up></button>", "do=up", "&do=up"),
      ("<button name=a disabled></button><button name=b></button>", nil, "&b="),
      ("<button type=button name=a></button><button name=b></button>", nil, "&b="),
      ("<button type=reset name=a></button><input type=image name=i>", nil, ""),
    ] as [(String, String?, String)])
  func button(buttons: String, parameters: String?, added: String) async throws {
    let sent = try await Self.sent(
      "<form method=post>\(Self.fields)\(buttons)</form>",
      parameters.map { ["form.parameters": .string($0)] } ?? [:])
    #expect(sent.body == "user=alice&pw=wonder\(added)")
  }

  @Test("has the controls that name it, wherever they are, and not those that name another one")
  func owner() async throws {
    let sent = try await Self.sent(
      """
      <input form=login type=hidden name=before value=1><form id=login method=post>
      <input form=other name=no value=2>\(Self.fields)</form>
      <button form=login name=go value=3>Go</button><input name=loose value=4>
      """)
    #expect(sent.body == "user=alice&pw=wonder&before=1&go=3")
  }

  @Test(
    "is read and sent in the encoding of its page",
    arguments: [
      ("text/html; charset=ISO-8859-1", "", "%FC%80", "caf%E9&pw=%26%23960%3B"),
      ("text/html; charset=\"windows-1252\"", "", "%FC%80", "caf%E9&pw=%26%23960%3B"),
      ("text/html", "<meta charset=latin1>", "%FC%80", "caf%E9&pw=%26%23960%3B"),
      (
        "text/html",
        "<META http-equiv=Content-Type content='text/html; charset=iso-8859-1'>", "%FC%80",
        "caf%E9&pw=%26%23960%3B"
      ),
      // What the response says stands before the page.
      (
        "text/html; charset=utf-8", "<meta charset=latin1>", "%C3%BC%E2%82%AC",
        "caf%C3%A9&pw=%CF%80"
      ),
      ("text/html", "", "%C3%BC%E2%82%AC", "caf%C3%A9&pw=%CF%80"),
    ])
  func encoding(type: String, head: String, hidden: String, typed: String) async throws {
    let sent = try await Self.sent(
      "\(head)<form method=post><input type=hidden name=h value='&#xFC;&#8364;'>"
        + "\(Self.fields)</form>",
      type: type, [:], FormCredentials(user: "café", password: "π"))
    #expect(sent.body == "h=\(hidden)&user=\(typed)")
  }

  @Test("asks for a name by GET, and never for a password")
  func get() async throws {
    let world = try FormLoginTests.world()
    let next = "https://id.test/next?user=al%20ice&step=1"
    world.transport.respond(
      FormLoginTests.page,
      .page(
        "<form action='/next?old=1'><input type=hidden name=step value=1></form>"
          + "<form method=get action='/next?old=1'><input name=user autocomplete=username>"
          + "<input type=hidden name=step value=1></form>"))
    world.transport.respond(
      next,
      .page("<form method=post action=/in><input type=password name=p></form>"))
    world.transport.respond("https://id.test/in", .page("", cookies: ["sid=1"]))
    try world.set("form.userField", to: "user")
    _ = try await FormLoginTests.logIn(world, FormCredentials(user: "al ice", password: "wonder"))
    #expect(
      world.transport.lines == [
        "GET \(FormLoginTests.page)", "GET \(next)", "POST https://id.test/in",
      ])
  }
}
