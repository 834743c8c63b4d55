import CoreTestSupport

@testable import Commands

@Suite("fetch --paginate")
struct FetchPagesTests {
  private static let start = "https://api.test/v1/list"

  @Test("at the limit of 1000 pages the list is not complete")
  func limit() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.setDefaultCheck { request in
      guard let number = Int(request.url.split(separator: "=").last ?? "") ?? 1 as Int?,
        request.url.hasPrefix(Self.start)
      else { return nil }
      var page = FakeTransport.Response.json("1")
      page.fields.append(HTTPField(known: "Link", "<?p=\(number + 1)>; rel=\"next\""))
      return page
    }
    let endless = try await program.run("fetch", "--paginate", "/list", "--slurp")
    #expect(endless.status == .status(.failure))
    #expect(endless.errors.contains("could not fetch all pages: there are more than 1000"))
    #expect(endless.errors.contains("list?p=1001\n"))
    #expect(program.transport.sent.count == 1000)
  }
}
