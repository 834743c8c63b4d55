import CoreTestSupport

@testable import PageLogin
@testable import SDKCore

@Suite("What a login on the provider's pages does not do")
struct FormLimitTests {
  /// A login whose page is `form`, and whose second page sets cookies.
  private static func world(
    _ settings: JSONObject = [:], cookies: [String], page: String = FormLoginTests.page
  ) throws -> World {
    let world = try World(settings.merging(["form.url": .string(page)]) { left, _ in left })
    world.transport.respond(
      page,
      .page("<form method=post><input name=u><input type=password name=p></form>"),
      .page("hello", cookies: cookies))
    return world
  }

  @Test("It takes no cookie for a public suffix, and one for a domain that is none")
  func publicSuffix() async throws {
    let world = try Self.world(
      cookies: ["wide=1; Domain=co.uk", "own=1; Domain=example.co.uk"],
      page: "https://id.example.co.uk/login")
    #expect(try await FormLoginTests.logIn(world).cookieNames == ["own"])
  }

  @Test("It keeps no more than 64 cookies")
  func cookies() async throws {
    let world = try Self.world(cookies: (0..<70).map { "c\($0)=1" })
    #expect(try await FormLoginTests.logIn(world).cookieNames == (0..<64).map { "c\($0)" })
  }

  @Test("It follows ten redirects, and no more", arguments: [10, 11])
  func redirects(count: Int) async throws {
    let world = try Self.world(cookies: ["sid=1"])
    let names = ["/login"] + (1...count).map { "/r\($0)" }
    for (name, next) in zip(names, names.dropFirst()) {
      world.transport.respond("https://id.test\(name)", .redirect(302, to: next))
    }
    let last = "https://id.test\(names.last ?? "")"
    world.transport.respond(last, .loginForm())
    world.transport.setDefaultCheck { sent in
      sent.method == "POST" ? .page("hello", cookies: ["sid=1"]) : nil
    }
    if count == 10 {
      #expect(try await FormLoginTests.logIn(world).cookieNames == ["sid"])
    } else {
      await expect(.refused, "could not log in by form: the login has more than 10 redirects") {
        _ = try await FormLoginTests.logIn(world)
      }
      #expect(!world.transport.lines.contains("GET \(last)"))
    }
  }

  @Test("It reads no page of more than 1 MiB")
  func pageSize() async throws {
    let world = try Self.world(cookies: [])
    world.transport.respond(
      FormLoginTests.page, .page(String(repeating: " ", count: 1 + 1 << 20)))
    let error = await #expect(throws: SDKError.self) { try await FormLoginTests.logIn(world) }
    #expect(error?.message.contains("larger than") == true)
  }

  @Test("It does not go to the Location of a response that is no redirect")
  func location() async throws {
    let world = try Self.world(cookies: [])
    world.answerLogin(.page("hello", cookies: ["sid=1"], status: 201, location: "/new"))
    #expect(try await FormLoginTests.logIn(world).cookieNames == ["sid"])
    #expect(world.transport.sent.count == 2)
  }

  @Test("It sends ten forms and takes what the last one brings, and no more", arguments: [9, 10])
  func steps(count: Int) async throws {
    let world = try Self.world(cookies: [])
    let sent = "<form method=post action=/login><input type=hidden name=go value=on></form>"
    world.transport.respond(
      FormLoginTests.page,
      [.loginForm()] + Array(repeating: .page(sent), count: count)
        + [.page("hello", cookies: ["sid=1"])])
    if count == 9 {
      #expect(try await FormLoginTests.logIn(world).cookieNames == ["sid"])
    } else {
      await expect(.refused, "could not log in by form: the login has more than 10 steps") {
        _ = try await FormLoginTests.logIn(world)
      }
    }
    #expect(world.transport.sent.count { $0.method == "POST" } == 10)
  }

  @Test(
    "It sends no secret as part of an address",
    arguments: [
      ("<input type=password name=p>", [:], "the password"),
      ("<input type=password name=p><button formmethod=get>", [:], "the password"),
      ("<input type=password name=pin>", ["form.questions": "pin"], "a secret answer"),
      (
        "<input name=u><input name=otp autocomplete=one-time-code>", ["form.userField": "u"],
        "a secret answer"
      ),
    ] as [(String, JSONObject, String)])
  func secretInAddress(fields: String, settings: JSONObject, secret: String) async throws {
    let world = try Self.world(settings, cookies: [])
    let method = fields.contains("formmethod") ? "post" : "get"
    world.transport.respond(
      FormLoginTests.page, .page("<form method=\(method)>\(fields)</form>"))
    await expect(
      .policy,
      "could not log in by form: the form would send \(secret) as part of an address"
    ) { _ = try await FormLoginTests.logIn(world) }
    #expect(world.transport.sent.count == 1)
  }

  @Test("It says where the page leads that it does not follow")
  func elsewhere() async throws {
    let world = try Self.world(cookies: [])
    world.transport.respond(
      FormLoginTests.page, .redirect(302, to: "https://sso.test/in?secret=1"))
    await expect(
      .policy,
      "could not log in by form: the login leads to https://sso.test, which is not in form.hosts"
    ) { _ = try await FormLoginTests.logIn(world) }
    #expect(world.transport.sent.count == 1)
  }

  /// A profile that may send its credential to a host without TLS.
  private static func localWorld() throws -> World {
    let world = try world(["insecureLoopback": true], cookies: [])
    try world.set("resourceURL", to: "http://127.0.0.1:8080/v1")
    return world
  }

  @Test("It follows no redirect from https to http, also to a host of the profile")
  func redirectWithoutTLS() async throws {
    let world = try Self.localWorld()
    world.answerLogin(
      .page("", cookies: ["sid=1"], status: 302, location: "http://127.0.0.1:8080/home"))
    _ = try await FormLoginTests.logIn(world)
    #expect(world.transport.lines == ["GET \(FormLoginTests.page)", "POST \(FormLoginTests.page)"])
  }

  @Test("It sends no form of a page with https to http, also to a host of the profile")
  func formWithoutTLS() async throws {
    let world = try Self.localWorld()
    world.transport.respond(
      FormLoginTests.page,
      .page(
        "<form method=post action=http://127.0.0.1:8080/in><input type=password name=p></form>"))
    await expect(
      .malformedResponse, "could not log in by form: the form is sent to no usable URL"
    ) { _ = try await FormLoginTests.logIn(world) }
    #expect(world.transport.sent.count == 1)
  }

  @Test(
    "It does not take a path of another origin for form.successURL",
    arguments: [("https://id.test/home", true), ("https://evil.test/home", false)])
  func successOrigin(location: String, isSuccess: Bool) async throws {
    let world = try Self.world(["form.successURL": "https://id.test/home"], cookies: [])
    world.answerLogin(.page("", cookies: ["sid=1"], status: 302, location: location))
    world.transport.respond("https://id.test/home", .page("hello"))
    let provider = try? await FormLoginTests.logIn(world)
    #expect((provider != nil) == isSuccess)
  }

  @Test(
    "Its Referer has no query, and for another origin no path",
    arguments: [
      ("/in", "https://id.test/login"), ("https://sso.test/in", "https://id.test/"),
    ])
  func referer(action: String, referer: String) async throws {
    let page = "https://id.test/login?state=secret"
    let world = try Self.world(["form.hosts": ["sso.test"]], cookies: [], page: page)
    world.transport.respond(
      page,
      .page("<form method=post action=\(action)><input name=u><input type=password name=p></form>"))
    world.transport.setDefaultCheck { sent in
      sent.method == "POST" ? .page("hello", cookies: ["sid=1"]) : nil
    }
    _ = try await FormLoginTests.logIn(world)
    #expect(world.transport.sent.last?.fields["Referer"] == referer)
    #expect(world.transport.sent.last?.fields["Origin"] == "https://id.test")
  }
}
