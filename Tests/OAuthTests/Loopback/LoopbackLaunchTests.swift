import TestSupport

@testable import OAuth

@Suite("The address with which a browser is started", .timeLimit(.minutes(10)))
struct LoopbackLaunchTests {
  private static let target = "https://id.test/authorize?state=secret"

  @Test("redirects to the server once, and then shows a page that says so")
  func once() async throws {
    let login = try Login()
    let launch = login.listener.launchURL(to: try HTTPURL(Self.target))
    #expect(launch.origin == "http://127.0.0.1:\(login.port)")
    #expect(launch.path.hasPrefix("/start/"))
    #expect(launch.path.count == "/start/".count + 32)
    #expect(!launch.description.contains("secret"))
    let first = try #require(await BrowserStub.get(login.port, launch.path))
    #expect(first.status == 302)
    #expect(first.fields["location"] == Self.target)
    #expect(first.fields["cache-control"] == "no-store")
    #expect(first.fields["referrer-policy"] == "no-referrer")
    let second = try #require(await BrowserStub.get(login.port, launch.path))
    #expect(second.status == 410)
    #expect(second.fields["location"] == nil)
    #expect(second.body.contains("This address was already used"))
    #expect(await login.decide()?.hasPrefix("/done/") == true)
  }

  @Test("is not found by other methods, hosts and paths, which do not use it up")
  func others() async throws {
    let login = try Login()
    let launch = login.listener.launchURL(to: try HTTPURL(Self.target))
    let host = "Host: 127.0.0.1:\(login.port)\r\n\r\n"
    let head = await BrowserStub.ask(login.port, "HEAD \(launch.path) HTTP/1.1\r\n" + host)
    #expect(head?.status == 405)
    let rebound = await BrowserStub.get(login.port, launch.path, host: "evil.test")
    #expect(rebound?.status == 400)
    #expect(await BrowserStub.get(login.port, "/start/")?.status == 404)
    #expect(await BrowserStub.get(login.port, launch.path)?.status == 302)
  }

  @Test("is not found if no browser is started")
  func none() async throws {
    let login = try Login()
    #expect(await BrowserStub.get(login.port, "/start/x")?.status == 404)
  }
}
