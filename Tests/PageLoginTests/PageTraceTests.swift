import CoreTestSupport

@testable import PageLogin
@testable import SDKCore
@testable import Trace

@Suite("Pages in a trace")
struct PageTraceTests {
  private let secrets = TraceSecrets(pageReaders: [LoginMethod.pages.learnPage].compactMap { $0 })

  private func lines(_ name: String, _ value: String, _ body: String = "") throws -> String {
    let fields = HTTPFields([try HTTPField(name, value)])
    return ExchangeText(secrets: secrets).lines(fields, TracedBody(Array(body.utf8))).joined(
      separator: "\n")
  }

  @Test("have no secret of their forms, and it is redacted wherever it stands afterwards")
  func page() throws {
    let shown = try lines(
      "Content-Type", "text/html; charset=utf-8",
      "<form><input type=hidden name=csrfToken value=t-123456><input name=q value=ordinary>"
        + "<input name=typed type=password value=preset-1></form>")
    #expect(!shown.contains("t-123456") && !shown.contains("preset-1"))
    #expect(shown.contains("ordinary"))
    #expect(try lines("X-Echo", "t-123456") == "X-Echo: \(TraceSecrets.mark)")
    #expect(secrets.isSecret(parameter: "typed"))
  }
}
