import HTTP
import JSON
import Primitives
import Testing

@testable import UAF

@Suite("Out-of-band payloads")
struct OutOfBandPayloadTests {
  static let pushed = """
    {"nma_data": {"token": "t", "redeem_url": "https://fido.test/token/redeem/registration"},
    "nma_data_content_type": "application/json", "nma_data_version": "1"}
    """
  static let ofSDK = """
    {"version": "v1", "contentType": "application/json",
    "redeemData": {"token": "t", "redeemUrl": "https://fido.test/token/redeem/registration"}}
    """

  static func base64url(_ text: String) -> String {
    Base64.encode(Array(text.utf8), alphabet: .url)
  }

  @Test("are read as JSON, as base64url, and in a link, in both spellings")
  func right() throws {
    let quoted = JSON.string(
      #"{"token": "t", "redeem_url": "https://fido.test/token/redeem/registration"}"#)
    let asText = """
      {"nma_data": \(quoted.serialized()), "nma_data_content_type": "application/json",
      "nma_data_version": "1"}
      """
    let texts = [Self.pushed, Self.ofSDK, asText].flatMap { text in
      let encoded = Self.base64url(text)
      return [
        text, "\n\(text) \n", encoded, encoded + "\n", encoded + "==",
        "nma://x?dispatchTokenResponse=\(encoded)",
        "https://app.test/open?a=b&dispatchTokenResponse=\(encoded)&c=d#top",
      ]
    }
    for text in texts {
      let payload = try OutOfBandPayload(parsing: text)
      guard case .plain(let data) = payload.content else {
        Issue.record("\(text)")
        continue
      }
      #expect(data.token == "t" && data.operation == .registration)
      #expect(data.url.description == "https://fido.test/token/redeem/registration")
      #expect("\(payload) \(String(reflecting: payload))".contains("redacted"))
    }
  }

  @Test("are read as encrypted if they say so")
  func encrypted() throws {
    for text in [
      #"{"nma_data": "a.b.c.d.e", "nma_data_content_type": "application/jose", "nma_data_version": "1"}"#,
      #"{"version": "v1", "contentType": "application/jose", "data": "a.b.c.d.e"}"#,
    ] {
      #expect(try OutOfBandPayload(parsing: text).content == .encrypted("a.b.c.d.e"))
    }
  }

  @Test(
    "are refused in any other shape, without a word of them in the error",
    arguments: [
      ("", "is not JSON, a link, or base64url"), ("secret!", "is not JSON, a link, or base64url"),
      ("{secret", "is not JSON"), ("c2VjcmV0", "is not JSON in base64url"),
      ("https://x.test/?a=secret", "the link has no 'dispatchTokenResponse'"),
      ("nma://x?dispatchTokenResponse=%zz", "the link has no 'dispatchTokenResponse'"),
      ("nma://x?dispatchTokenResponse=", "is not JSON, a link, or base64url"),
      ("W10", "is an array, not an object"),
      ("{}", "'version' of the out-of-band payload is missing"),
      (#"{"version": "2", "contentType": "x"}"#, "is not of version 1"),
      (#"{"version": 1}"#, "'version' of the out-of-band payload is not a string"),
      (#"{"version": "1"}"#, "'contentType' of the out-of-band payload is missing"),
      (#"{"version": "1", "contentType": "text/secret"}"#, "is not JSON or JOSE"),
      (#"{"version": "1", "contentType": "application/json"}"#, "is missing"),
      (
        #"{"version": "1", "contentType": "application/json", "redeemData": "secret"}"#,
        "is a string, not an object"
      ),
      (
        #"{"version": "1", "contentType": "application/json", "redeemData": {"token": 1}}"#,
        "'token' of the data of the out-of-band payload is not a string"
      ),
      (
        #"{"version": "1", "contentType": "application/json", "redeemData": {"token": ""}}"#,
        "is empty"
      ),
      (
        #"{"version": "1", "contentType": "application/json", "redeemData": {"token": "secret"}}"#,
        "'redeem_url' of the data of the out-of-band payload is missing, or is not a URL"
      ),
      (
        """
        {"version": "1", "contentType": "application/json",
        "redeemData": {"token": "secret", "redeemUrl": "ftp://secret.test/"}}
        """, "'redeemUrl' of the data of the out-of-band payload is missing, or is not a URL"
      ),
      (
        #"{"version": "1", "contentType": "application/jose", "data": {}}"#,
        "'data' of the out-of-band payload is not a string"
      ),
      (String(repeating: "a", count: 20_000), "is longer than 16384 bytes"),
    ])
  func wrong(text: String, reason: String) throws {
    let error = #expect(throws: UAFError.self) { try OutOfBandPayload(parsing: text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret") == false)
  }

  @Test("name the operation by the path of their URL, or not at all")
  func operation() throws {
    for (path, operation) in [
      ("/a/authentication/", UAFOperation.authentication), ("/deregistration", .deregistration),
      ("/redeem", nil), ("", nil),
    ] as [(String, UAFOperation?)] {
      let data: JSON = ["token": "t", "redeem_url": .string("https://fido.test\(path)")]
      #expect(try RedeemData(data).operation == operation)
    }
  }
}
