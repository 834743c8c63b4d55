import TestSupport

@testable import OAuth

@Suite("Authorization response")
struct AuthorizationResponseTests {
  /// In `query` STATE stands for the state of the request.
  struct Row: Sendable, CustomTestStringConvertible {
    let query: String
    var announced = false
    var answers = true
    var code: String?
    var error: OAuthError.Code?
    var message = ""
    var testDescription: String { query }
  }

  private static let stateDiffers = "the response belongs to another login (state differs)"

  @Test(
    "returns its code only if every check passes",
    arguments: [
      Row(query: "code=c&state=STATE", code: "c"),
      Row(query: "state=STATE&code=a%2Bb+c&session=1", code: "a+b c"),
      Row(query: "code=c&state=STATE&iss=https%3A%2F%2Fid.test", code: "c"),
      Row(query: "code=c&state=STATE&iss=https%3A%2F%2Fid.test", announced: true, code: "c"),
      Row(query: "code=c&state=other", answers: false, error: .untrusted, message: stateDiffers),
      Row(query: "code=c&state=STATEx", answers: false, error: .untrusted, message: stateDiffers),
      Row(query: "code=c&state=", answers: false, error: .untrusted, message: stateDiffers),
      Row(query: "code=c", answers: false, error: .untrusted, message: stateDiffers),
      Row(query: "", answers: false, error: .untrusted, message: stateDiffers),
      Row(
        query: "code=c&state=STATE&state=STATE", answers: false, error: .untrusted,
        message: stateDiffers),
      Row(
        query: "code=c&state=STATE&state=x", answers: false, error: .untrusted,
        message: stateDiffers),
      Row(
        query: "error=access_denied&state=x", answers: false, error: .untrusted,
        message: stateDiffers),
      Row(
        query: "code=c&code=d&state=STATE", error: .malformed,
        message: "the authorization response repeats 'code'"),
      Row(
        query: "code=c&state=STATE&iss=https://id.test&iss=https://id.test", error: .malformed,
        message: "the authorization response repeats 'iss'"),
      Row(
        query: "error=a&error=b&state=STATE", error: .malformed,
        message: "the authorization response repeats 'error'"),
      Row(
        query: "code=c&state=STATE&iss=https://evil.test%1b", error: .untrusted,
        message: "the response comes from another issuer, 'https://evil.test '"),
      Row(
        query: "code=c&state=STATE&iss=", error: .untrusted,
        message: "the response comes from another issuer, ''"),
      Row(
        query: "code=c&state=STATE", announced: true, error: .untrusted,
        message: "the response names no issuer, but this server always does"),
      Row(
        query: "error=access_denied&error_description=by%1bme&state=STATE", announced: true,
        error: .untrusted,
        message: "the response names no issuer, but this server always does; it claims the error "
          + "access_denied (by me)"),
      Row(query: "error=access_denied&state=STATE", error: .denied, message: "access_denied"),
      Row(
        query: "error=server_error&error_description=try%1b%5B2Jlater&state=STATE",
        error: .refused, message: "server_error (try [2Jlater)"),
      Row(
        query: "code=c&error=invalid_scope&state=STATE", error: .refused,
        message: "invalid_scope"),
      Row(
        query: "state=STATE", error: .malformed,
        message: "the authorization response has neither code nor error"),
      Row(
        query: "code=&error=&state=STATE", error: .malformed,
        message: "the authorization response has neither code nor error"),
    ])
  func decides(row: Row) async throws {
    let request = try AuthorizationRequest(scope: "openid")
    let query = row.query.split(separator: "STATE", omittingEmptySubsequences: false)
      .joined(separator: request.state)
    let response = try #require(AuthorizationResponse(encoded: query))
    let server = try metadata([
      "authorization_response_iss_parameter_supported": .bool(row.announced)
    ])
    #expect(response.matches(request) == row.answers)
    if let error = row.error {
      await expect(error, row.message) { _ = try response.code(for: request, from: server) }
    } else {
      #expect(try response.code(for: request, from: server) == row.code)
    }
  }

  @Test("returns the error of the server")
  func serverError() throws {
    let request = try AuthorizationRequest(scope: "openid")
    let response = try #require(
      AuthorizationResponse(
        encoded: "error=access_denied&error_description=not%20now&state=\(request.state)"))
    let error = #expect(throws: OAuthError.self) {
      _ = try response.code(for: request, from: try metadata())
    }
    #expect(error?.server == ServerError(error: "access_denied", description: "not now"))
    #expect(error?.server?.status == nil)
  }

  @Test(
    "is unreadable when it is too long or badly encoded",
    arguments: [
      ("code=" + String(repeating: "a", count: 65_531), true),
      ("code=" + String(repeating: "a", count: 65_532), false),
      ("code=%zz", false), ("code=%2", false), ("error_description=d%e9sol%e9", true),
      ("%ff=a", false),
      ("%=a", false),
    ])
  func readable(query: String, isReadable: Bool) {
    #expect((AuthorizationResponse(encoded: query) != nil) == isReadable)
  }

  @Test(
    "is read from the address that a user pastes",
    arguments: [
      ("http://127.0.0.1:61000/callback?code=c&state=STATE", nil),
      ("code=c&state=STATE", nil), ("?code=c&state=STATE#_=_", nil),
      (" https://app.test/cb?code=c&\n  state=STATE \r\n", nil),
      ("x?error=access_denied&state=STATE", nil),
      ("x?code=c", "it has no state, so it cannot be matched with this login"),
      (
        "x?error=a&error_description=b",
        "it has no state, so it cannot be matched with this login; it claims the error a (b)"
      ),
      ("c", "it has no state, so it cannot be matched with this login"),
      ("", "the address contains no response"),
      ("#code=c&state=STATE", "the address contains no response"),
      ("https://id.test/", "it has no state, so it cannot be matched with this login"),
      ("x?code=c&state=other", "it belongs to another login (its state differs)"),
      ("x?state=STATE", "it has neither code nor error; it seems to be cut off"),
      ("x?code=&state=STATE", "it has neither code nor error; it seems to be cut off"),
    ] as [(String, String?)])
  func pasted(text: String, flaw: String?) throws {
    let request = try AuthorizationRequest(scope: "openid")
    let text = text.split(separator: "STATE", omittingEmptySubsequences: false)
      .joined(separator: request.state)
    let response = try #require(AuthorizationResponse(pasted: text))
    #expect(response.flaw(for: request) == flaw)
    #expect(AuthorizationResponse(pasted: "%zz" + text) == nil || text.contains("?"))
  }
}
