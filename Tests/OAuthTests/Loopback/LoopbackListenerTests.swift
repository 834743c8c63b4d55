import TestSupport

@testable import OAuth

@Suite(.timeLimit(.minutes(10))) struct LoopbackListenerTests {
  private let login: Login

  init() throws { login = try Login() }

  @Test func theAnswerWithTheRightStateDecidesAndLeavesTheAddressBar() async throws {
    #expect(login.listener.redirectURI == "http://127.0.0.1:\(login.port)/callback")
    let answer = try #require(
      await BrowserStub.get(login.port, "/callback?code=secret&state=right"))
    #expect(answer.status == 303)
    #expect(answer.body.isEmpty)
    let place = try #require(answer.fields["location"])
    #expect(place.hasPrefix("/done/"))
    #expect(place.count == "/done/".count + 32)
    #expect(!place.contains("secret"))
    #expect(try await login.result().get().parameters == "code=secret&state=right")
  }

  @Test func thePageTellsReceptionFirstAndTheOutcomeAtTheEnd() async throws {
    let place = try #require(await login.decide())
    let early = try #require(await BrowserStub.get(login.port, place))
    #expect(early.status == 200)
    #expect(early.body.contains("<h1>Authorization received</h1>"))
    #expect(early.body.contains("<meta http-equiv=\"refresh\" content=\"1\">"))
    async let late = BrowserStub.get(login.port, place)
    let took = await ContinuousClock().measure {
      await login.listener.finish(.signedIn(profile: "work", server: "https://id.test"))
    }
    // Longer it waits only for a browser that does not ask.
    #expect(took < .seconds(2))
    let last = try #require(await late)
    #expect(last.status == 200)
    #expect(last.body.contains("<h1>You are signed in</h1>"))
    #expect(!last.body.contains("refresh"))
    for page in [early, last] { expectHardened(page) }
  }

  @Test func aFailureIsToldAsTextAndNothingElse() async throws {
    let place = try #require(await login.decide())
    async let page = BrowserStub.get(login.port, place)
    await login.listener.finish(.failed("<script>alert('1')</script> & \"more\"\u{1b}[2J\u{202e}"))
    let body = try #require(await page?.body)
    #expect(
      body.contains(
        "<p>Reason: &lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;more&quot; [2J </p>"
      ))
    #expect(!body.contains("<script"))
    #expect(body.contains("The login failed"))
  }

  @Test func aPersonWhoSaidNoIsNotToldOfAFailure() async throws {
    let place = try #require(await login.decide())
    async let page = BrowserStub.get(login.port, place)
    await login.listener.finish(.cancelled)
    let body = try #require(await page?.body)
    #expect(body.contains("<h1>The login was cancelled</h1>"))
    #expect(!body.contains("Reason:"))
  }

  @Test func aBrowserThatDoesNotFollowIsNotWaitedForLong() async throws {
    #expect(await login.decide() != nil)
    let took = await ContinuousClock().measure {
      await login.listener.finish(.signedIn(profile: "work", server: "https://id.test"))
    }
    #expect(took < .seconds(3))
  }

  @Test(arguments: [
    ("GET /callbac?state=right HTTP/1.1", 404), ("GET /callback/?state=right HTTP/1.1", 404),
    ("GET /Callback?state=right HTTP/1.1", 404), ("GET /%63allback?state=right HTTP/1.1", 404),
    ("GET //callback?state=right HTTP/1.1", 404), ("GET /favicon.ico HTTP/1.1", 404),
    ("GET / HTTP/1.1", 404), ("GET /done/ HTTP/1.1", 404), ("POST /other HTTP/1.1", 404),
    ("HEAD /callback?state=right HTTP/1.1", 405), ("POST /callback?state=right HTTP/1.1", 405),
    ("OPTIONS /callback?state=right HTTP/1.1", 405), ("get /callback?state=right HTTP/1.1", 405),
    ("GET /callback HTTP/1.1", 400), ("GET /callback?state=wrong HTTP/1.1", 400),
    ("GET /callback?error=access_denied HTTP/1.1", 400), ("nonsense", 400),
    ("GET /callback?state=right", 400), ("GET /callback?state=right HTTP/2.0", 400),
    ("GET http://127.0.0.1/callback?state=right HTTP/1.1", 400),
    ("GET /callb\u{e9}ck?state=right HTTP/1.1", 400), (" GET /callback?state=right HTTP/1.1", 400),
    ("GET /callback?state=right HTTP/1.1\r\nbroken field", 400),
    ("GET /callback?state=right HTTP/1.1\r\n folded: x", 400),
    (" /callback?state=right HTTP/1.1", 400),
    ("GET /callback?state=right HTTP/1.1\r\n: no name", 400),
    ("GET /callback?state=right HTTP/1.1\r\nX: a\u{1}b", 400),
    ("GET /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1", 400),
  ])
  func whatIsNotTheAnswerIsRefusedAndTheWaitGoesOn(line: String, status: Int) async throws {
    let answer = await BrowserStub.ask(
      login.port, "\(line)\r\nHost: 127.0.0.1:\(login.port)\r\n\r\n")
    #expect(answer?.status == status)
    if status == 405 { #expect(answer?.fields["allow"] == "GET") }
    if let answer { expectHardened(answer) }
    #expect(await login.decide() != nil)
    #expect(try await login.result().get().parameters == "code=1&state=right")
  }

  @Test(arguments: [
    ("evil.example", 400), ("evil.example:PORT", 400), ("127.0.0.1", 400), ("127.0.0.1:1", 400),
    ("127.0.0.1.evil.example:PORT", 400), ("", 400), (nil, 400), ("[::1]:PORT", 303),
    ("localhost:PORT", 303), ("LocalHost:PORT", 303), ("127.0.0.1:PORT", 303),
  ])
  func onlyTheNamesOfThisMachineAreAnswered(host: String?, status: Int) async throws {
    let field = host.map { name in
      let parts = name.split(separator: "PORT", omittingEmptySubsequences: false)
      return "Host: \(parts.joined(separator: String(login.port)))\r\n"
    }
    let request = "GET /callback?code=1&state=right HTTP/1.1\r\n\(field ?? "")\r\n"
    #expect(await BrowserStub.ask(login.port, request)?.status == status)
  }

  @Test(
    arguments: [
      (
        "GET /callback?code=1&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nCookie: LONG", 431,
        LoopbackRefusal.longFields, "delete the cookies of 127.0.0.1"
      ),
      ("GET /callback?code=LONG HTTP/1.1\r\nHost: 127.0.0.1:PORT", 414, .longAddress, nil),
      (
        "GET /callback?code=1&state=right HTTP/1.1\r\nHost: evil.example", 400,
        .otherHost("evil.example"), "use no proxy for 127.0.0.1"
      ),
      ("GET /other HTTP/1.1\r\nHost: evil.example", 400, nil, nil),
      ("GET /callback?state=wrong HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400, nil, nil),
      ("GET /callback?error=a&state=wrong HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400, nil, nil),
      (
        "GET /callback?error=invalid_scope HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400,
        .statelessError("invalid_scope"), nil
      ),
    ] as [(String, Int, LoopbackRefusal?, String?)])
  func aResponseThatCannotBeTakenIsToldOnceWithWhatHelps(
    head: String, status: Int, refusal: LoopbackRefusal?, advice: String?
  ) async throws {
    let told = Mutex<[LoopbackRefusal]>([])
    let login = try Login(
      limits: LoopbackLimits(refused: { refusal in told.withLock { $0.append(refusal) } }))
    let request =
      head.replacing("PORT", with: String(login.port))
      .replacing("LONG", with: String(repeating: "x", count: 20_000)) + "\r\n\r\n"
    for _ in 1...2 {
      let page = try #require(await BrowserStub.ask(login.port, request))
      #expect(page.status == status)
      #expect(refusal == nil || page.body.contains("The login in the terminal still waits."))
      #expect(page.body.contains(advice ?? ""))
    }
    #expect(told.withLock { $0 } == (refusal.map { [$0] } ?? []))
    #expect(await login.decide() != nil)
    #expect(try await login.result().get().parameters == "code=1&state=right")
  }

  @Test func theRightAnswerCountsOnce() async throws {
    #expect(await login.decide() != nil)
    let again = await BrowserStub.get(login.port, "/callback?code=2&state=right")
    #expect(again?.status == 409)
    #expect(await BrowserStub.get(login.port, "/callback?code=2&state=wrong")?.status == 400)
    #expect(try await login.result().get().parameters == "code=1&state=right")
  }

  @Test func theEndOfAnAnswerIsToldAtOnce() async throws {
    // The clock stands still: a connection that lingers after the answer would not end.
    let login = try Login(limits: LoopbackLimits(now: { .zero }))
    #expect(await login.decide() != nil)
  }

  @Test func anAnswerBeforeTheWaitIsKeptForIt() async throws {
    let listener = try LoopbackListener.bind(program: "sdkctl")
    let browser = try #require(BrowserStub(port: listener.port))
    browser.send("GET /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n")
    // Served one after the other: after this answer the one above has been read.
    #expect(await BrowserStub.get(listener.port, "/")?.status == 404)
    let request = try await listener.wait(timeout: .seconds(600)) { $0 == "state=right" }
    #expect(request.parameters == "state=right")
    #expect(await browser.answer()?.hasPrefix("HTTP/1.1 303 ") == true)
    listener.close()
  }

  @Test func aFormIsTakenWhereItIsAllowed() async throws {
    let login = try Login(formPost: true)
    let form = "code=1&state=right"
    func post(_ fields: String, _ body: String) async -> Answer? {
      await BrowserStub.ask(
        login.port,
        "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:\(login.port)\r\n\(fields)\r\n\(body)")
    }
    let type = "Content-Type: application/x-www-form-urlencoded\r\n"
    #expect(await post("Content-Type: text/plain\r\nContent-Length: 18\r\n", form)?.status == 400)
    #expect(await post(type, form)?.status == 400)
    #expect(await post(type + "Content-Length: -1\r\n", form)?.status == 400)
    #expect(await post(type + "Content-Length: 70000\r\n", form)?.status == 413)
    #expect(
      await post(type + "Content-Length: 18\r\nTransfer-Encoding: chunked\r\n", form)?.status == 400
    )
    #expect(await post(type + "Content-Length: 4\r\n", form)?.status == 400)
    #expect(await post(type + "Content-Length: 18\r\n", form)?.status == 303)
    #expect(try await login.result().get().parameters == form)
    let routes = LoopbackRoutes(port: 1, path: "/callback", program: "sdkctl")
    let head = "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\(type)Content-Length: 18\r\n\r\n"
    let part = routes.route(
      Array((head + form.dropLast()).utf8),
      .init(expectation: LoopbackExpectation(allowsPost: true) { _ in true }))
    guard case .incomplete = part else { throw Unmet("a part of a form was taken") }
  }

  private func expectHardened(_ answer: Answer) {
    let nonce = answer.body.split(separator: "<style nonce=\"").last?.prefix(32) ?? ""
    #expect(
      answer.fields["content-security-policy"]
        == "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'")
    #expect(answer.fields["cache-control"] == "no-store")
    #expect(answer.fields["referrer-policy"] == "no-referrer")
    #expect(answer.fields["x-content-type-options"] == "nosniff")
    #expect(answer.fields["connection"] == "close")
    #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
    #expect(answer.fields["content-length"] == String(answer.body.utf8.count))
    #expect(!answer.body.contains("<script"))
  }
}
