import TestSupport
import UAF

@Suite("Envelopes of the HTTP binding")
struct EnvelopeTests {
  @Test("have the context as a string")
  func context() throws {
    let wish = GetUAFRequest(.registration, context: ["username": "jeff"])
    #expect(try JSON(parsing: wish.encoded) == ["op": "Reg", "context": #"{"username":"jeff"}"#])
    #expect(try JSON(parsing: GetUAFRequest(.authentication).encoded) == ["op": "Auth"])
    let response = SendUAFResponse("[{}]", context: ["asmStatusCode": 16])
    #expect(
      try JSON(parsing: response.encoded)
        == ["uafResponse": "[{}]", "context": #"{"asmStatusCode":16}"#])
  }

  @Test("of a request have a status, and a request if it is 1200")
  func returned() throws {
    let full = try ReturnUAFRequest(
      parsing: Array(
        #"{"statusCode":1200,"uafRequest":"[{}]","op":"Reg","lifetimeMillis":300000}"#.utf8))
    #expect((full.status, full.request) == (.ok, "[{}]"))
    for text in [#"{"statusCode":1404}"#, #"{"statusCode":1404,"uafRequest":null,"op":""}"#] {
      let refused = try ReturnUAFRequest(parsing: Array(text.utf8))
      #expect((refused.status, refused.request) == (UAFStatus(rawValue: 1404), nil))
    }
  }

  @Test("of a verdict have a status, tokens, and what the server says")
  func verdict() throws {
    let text = #"""
      {"statusCode":1200,"description":"a\u001b[31mb","additionalTokens":[
      {"type":"JWT","value":"x.y.z"},{"type":"HTTP_COOKIE","value":"a=b"}],"extId":"7"}
      """#
    let verdict = try ServerResponse(parsing: Array(text.utf8))
    #expect(verdict.status == .ok)
    #expect(verdict.description.utf8.allSatisfy { $0 >= 0x20 })
    #expect(verdict.additionalTokens.map(\.type) == ["JWT", "HTTP_COOKIE"])
    #expect(verdict.additionalTokens.map(\.value) == ["x.y.z", "a=b"])
  }

  @Test(
    "are refused if they are malformed",
    arguments: [
      "", "[]", "{}", #"{"statusCode":"1200"}"#, #"{"statusCode":1200,"uafRequest":[]}"#,
      #"{"statusCode":1200,"description":5,"uafRequest":5}"#,
    ])
  func malformed(text: String) {
    let error = #expect(throws: UAFError.self) {
      _ = try ReturnUAFRequest(parsing: Array(text.utf8))
    }
    #expect(error?.code == .protocolError)
    if text.utf8.count < 30 {
      #expect(throws: UAFError.self) { _ = try ServerResponse(parsing: Array(text.utf8)) }
    }
  }
}
