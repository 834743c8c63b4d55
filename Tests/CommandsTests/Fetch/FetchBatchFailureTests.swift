import CoreTestSupport

@testable import Commands

@Suite("Failures of fetch --batch")
struct FetchBatchFailureTests {
  @Test("tells of the stronger login that a resource requires")
  func stepUp() async throws {
    let program = try await TestProgram.loggedIn([:])
    var answer = FakeTransport.Response.status(401)
    answer.fields = [
      HTTPField(
        known: "WWW-Authenticate", #"Bearer error="insufficient_user_authentication", max_age="5""#)
    ]
    program.transport.respond("https://api.test/v1/a", answer)
    let run = try await program.run("fetch", "--batch", "-", input: #"{"path":"/a"}"#)
    #expect(run.status == .status(.authenticationRequired), "\(run)")
    #expect(run.json?["error"]?["hint"] == "sdkctl -p work login --max-age 5")
  }
}
