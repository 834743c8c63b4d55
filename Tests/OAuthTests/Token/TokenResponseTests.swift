import TestSupport

@testable import OAuth

@Suite("Token response")
struct TokenResponseTests {
  private static let noToken = "the token response has no usable access_token"
  private static let noType = "'token_type' of the token response is not a string"
  private static let noSeconds = "'expires_in' of the token response is not a number of seconds"

  @Test(
    "is refused with the member that is wrong",
    arguments: [
      (["access_token": nil], .malformed, noToken),
      (["access_token": ""], .malformed, noToken),
      (["access_token": 7], .malformed, noToken),
      (["access_token": .null], .malformed, noToken),
      (["access_token": "a b"], .malformed, noToken),
      (["access_token": "a\r\nX: y"], .malformed, noToken),
      (["access_token": "a\u{0}"], .malformed, noToken),
      (["access_token": "ü"], .malformed, noToken),
      (["token_type": 1], .malformed, noType),
      (["token_type": "mac"], .refused, "the token type 'mac' is not supported"),
      (["token_type": ""], .refused, "the token type '' is not supported"),
      (["token_type": "\u{1b}[2J"], .refused, "the token type ' [2J' is not supported"),
      (["expires_in": "soon"], .malformed, noSeconds),
      (["expires_in": ""], .malformed, noSeconds),
      (["expires_in": true], .malformed, noSeconds),
      (["expires_in": "inf"], .malformed, noSeconds),
      (["expires_in": " 1"], .malformed, noSeconds),
      (["expires_in": "\"1\""], .malformed, noSeconds),
      (["expires_in": -1], .malformed, noSeconds),
      (["expires_in": "-1"], .malformed, noSeconds),
      (["expires_in": number("-0.5")], .malformed, noSeconds),
      (["expires_in": number("1e400")], .malformed, noSeconds),
      (["refresh_token": 1], .malformed, "'refresh_token' of the token response is a number"),
      (["id_token": ["a"]], .malformed, "'id_token' of the token response is an array"),
      (["scope": ["a", 1]], .malformed, "'scope' of the token response is an array"),
    ] as [([String: JSON?], OAuthError.Code, String)])
  func refused(change: [String: JSON?], code: OAuthError.Code, message: String) async {
    await expect(code, message) { _ = try TokenResponse(Self.answer(change)) }
  }

  @Test(
    "reads how long the token lives",
    arguments: [
      (nil, nil), (.null, nil), (3600, 3600), ("3600", 3600), ("3600.5", 3600),
      (number("3599.9"), 3599),
      (number("3.6e3"), 3600), (0, 0), (number("9e18"), 1 << 40),
      (.int(Int64.max), 1 << 40), ("9223372036854775807", 1 << 40),
    ] as [(JSON?, Int64?)])
  func lifetime(value: JSON?, seconds: Int64?) throws {
    #expect(try TokenResponse(Self.answer(["expires_in": value])).expiresIn == seconds)
  }

  @Test(
    "reads what is granted beyond scopes when it is an array",
    arguments: [
      (nil, nil), (.null, nil), ("x", nil), ([:], nil), ([["type": "a"]], [["type": "a"]]),
    ] as [(JSON?, JSON?)])
  func details(value: JSON?, expected: JSON?) throws {
    let answer = Self.answer(["authorization_details": value])
    #expect(try TokenResponse(answer).authorizationDetails == expected)
  }

  @Test(
    "requires encryption of resources if the member is true",
    arguments: [(nil, false), (.null, false), ("true", false), (false, false), (true, true)]
      as [(JSON?, Bool)])
  func payloadEncryption(value: JSON?, expected: Bool) throws {
    let response = try TokenResponse(Self.answer(["payload_encryption": value]))
    #expect(response.encryptsPayload == expected)
  }

  @Test(
    "accepts the token type bearer in upper and lower case",
    arguments: ["Bearer", "bearer", "BEARER"])
  func type(spelling: String) throws {
    #expect(try TokenResponse(Self.answer(["token_type": .string(spelling)])).tokenType == "Bearer")
  }

  @Test(
    "reads the other members, and treats empty ones as absent",
    arguments: [("r", "r"), ("", nil), (.null, nil), (nil, nil)] as [(JSON?, String?)])
  func members(value: JSON?, text: String?) throws {
    let response = try TokenResponse(
      Self.answer(["refresh_token": value, "id_token": value, "scope": value]))
    #expect(response.accessToken == "at")
    #expect(response.refreshToken == text)
    #expect(response.idToken == text)
    #expect(response.scope == text)
  }

  private static func answer(_ changes: [String: JSON?]) -> JSONObject {
    var answer: JSONObject = ["access_token": "at", "token_type": "Bearer"]
    for (name, value) in changes { answer[name] = value }
    return answer
  }

  /// A number in that spelling.
  private static func number(_ text: String) -> JSON { (try? JSON(parsing: text)) ?? .null }
}
