import CoreTestSupport

@testable import SDKCore

@Suite("Resource request")
struct ResourceRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let method: String
    var headers: [String: String] = [:]
    var encoding = ParametersEncoding.json
    var body: String?
    let url: String
    var type: String?
    let sent: String
  }

  private static let query = "https://api.test/v1/x?q=0&a=1&a=2&b%20c=%26%C3%BC"

  @Test(
    "puts its parameters into the query, or into a body of that encoding",
    arguments: [
      Row(testDescription: "GET", method: "GET", url: query, sent: ""),
      Row(testDescription: "HEAD", method: "HEAD", encoding: .formURL, url: query, sent: ""),
      Row(testDescription: "DELETE", method: "DELETE", url: query, sent: ""),
      Row(
        testDescription: "POST as JSON, where the last value counts", method: "POST",
        url: "https://api.test/v1/x?q=0", type: "application/json", sent: #"{"a":"2","b c":"&ü"}"#),
      Row(
        testDescription: "PUT as a form", method: "PUT", encoding: .formURL,
        url: "https://api.test/v1/x?q=0", type: "application/x-www-form-urlencoded",
        sent: "a=1&a=2&b%20c=%26%C3%BC"),
      Row(
        testDescription: "a type of one's own", method: "PATCH",
        headers: ["content-type": "application/merge-patch+json"],
        url: "https://api.test/v1/x?q=0", type: "application/merge-patch+json",
        sent: #"{"a":"2","b c":"&ü"}"#),
      Row(
        testDescription: "a body stands before parameters", method: "POST", body: "raw",
        url: "https://api.test/v1/x?q=0", type: "application/octet-stream", sent: "raw"),
      Row(
        testDescription: "also a body of GET", method: "GET", body: "raw",
        url: "https://api.test/v1/x?q=0", type: "application/octet-stream", sent: "raw"),
    ])
  func parameters(row: Row) async throws {
    let world = try World()
    world.transport.respond(row.url, .status(204))
    let request = ResourceRequest(
      row.method, "/x?q=0", headers: row.headers.map { ($0.key, $0.value) },
      parameters: [("a", "1"), ("a", "2"), ("b c", "&ü")], encoding: row.encoding,
      body: row.body.map { .bytes(Array($0.utf8)) }, timeout: .seconds(9))
    let response = try await world.session().resources.send(
      request, as: .unauthenticated, receiving: .collect(limit: 1))
    #expect(response.status == 204)
    let sent = try #require(world.transport.sent.first)
    #expect(sent.method == row.method)
    #expect(sent.url == row.url)
    #expect(sent.fields.values(of: "Content-Type") == (row.type.map { [$0] } ?? []))
    #expect(sent.body == row.sent)
    #expect(sent.timeout == .seconds(9))
  }

  @Test(
    "with a part whose media type cannot stand in a header field is refused",
    arguments: [("text/plain; a=b", true), ("text/plain\r\nX-A: b", false), ("a/b\u{7F}", false)])
  func partType(type: String, isAccepted: Bool) async throws {
    var request = ResourceRequest("POST", "/x")
    request.multipart = [MultipartData(name: "f", data: .bytes([1]), mimeType: type)]
    if isAccepted {
      #expect(try request.encodedForm(as: nil).type.hasPrefix("multipart/form-data; boundary="))
    } else {
      let error = await expect(.invalidRequest) { try request.encodedForm(as: nil) }
      #expect(error?.message.hasSuffix("the media type of 'f' is not valid") == true)
    }
  }

  @Test("with HEAD has no body, which would not be sent", arguments: ["HEAD", "head"])
  func head(method: String) async throws {
    let request = ResourceRequest(method, "/x", body: .bytes([1]))
    let base = try HTTPURL("https://api.test/v1")
    let error = await expect(.invalidRequest) { try request.http(relativeTo: base, domain: .user) }
    #expect(error?.resource.number == 10015)
  }

  @Test("with a form needs POST, and no other body")
  func forms() throws {
    let base = try HTTPURL("https://api.test")
    for (method, body) in [("PUT", nil), ("POST", HTTPBody.bytes([]))] {
      var request = ResourceRequest(method, "/x", body: body)
      request.multipart = [MultipartData(name: "a", data: .bytes([1]))]
      let error = #expect(throws: SDKError.self) {
        try request.http(relativeTo: base, domain: .user)
      }
      #expect(error?.code == .invalidRequest, "\(method)")
    }
    var request = ResourceRequest("POST", "/x")
    request.multipart = [MultipartData(name: "a", data: .bytes([1]))]
    #expect(throws: Never.self) { try request.http(relativeTo: base, domain: .user) }
  }

  @Test("writes JSON values in a query and a form as the vendors do, or as JSON text")
  func jsonValues() throws {
    let base = try HTTPURL("https://api.test")
    for (encoding, expected) in [
      (ParametersEncoding.json, "l%5B%5D=1&m%5Bk%5D=v&s=t"), (.formURL, "l%5B%5D=1&m%5Bk%5D=v&s=t"),
      (.formJSON, "l=%5B1%5D&m=%7B%22k%22%3A%22v%22%7D&s=t"),
    ] {
      for method in ["GET", "PUT"] where method == "GET" || encoding != .json {
        var request = ResourceRequest(method, "/x", encoding: encoding)
        request.jsonParameters = [("l", [1]), ("m", ["k": "v"]), ("s", "t")]
        let http = try request.http(relativeTo: base, domain: .user)
        let query = http.url.target.split(separator: "?").dropFirst().first.map(String.init)
        if case .bytes(let bytes) = http.body {
          #expect(String(decoding: bytes, as: UTF8.self) == expected)
          #expect(query == nil)
        } else {
          #expect(query == expected)
        }
      }
    }
  }

  @Test("without parameters carries nothing")
  func plain() async throws {
    let world = try World()
    world.transport.respond("https://api.test/v1/x", .status(200))
    _ = try await world.session().resources.send(
      ResourceRequest("POST", "/x"), as: .unauthenticated, receiving: .collect(limit: 1))
    let sent = try #require(world.transport.sent.first)
    #expect(sent.body.isEmpty)
    #expect(sent.fields == [])
    #expect(sent.timeout == nil)
  }
}

@Suite("A builder of resource requests")
struct ResourceRequestBuilderTests {
  @Test("makes the same request as the initializer, and leaves its beginning as it was")
  func build() throws {
    let common = ResourceRequest.Builder().path("/x").header("A", "1")
    let request = common.method("post").parameter("n", "v").parameter("j", json: 3)
      .parametersEncoding(.formURL).timeout(.seconds(5)).build()
    let http = try request.http(
      relativeTo: try HTTPURL("https://api.test/v1"), domain: .user)
    #expect(http.method == .post)
    #expect(http.url.description == "https://api.test/v1/x")
    #expect(http.fields["A"] == "1")
    #expect(http.fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(http.timeout == .seconds(5))
    if case .bytes(let bytes) = http.body {
      #expect(String(decoding: bytes, as: UTF8.self) == "n=v&j=3")
    } else {
      Issue.record("the body is not the parameters")
    }
    let plain = common.headers([]).build()
    #expect(plain.method == "GET" && plain.headers.isEmpty && plain.parameters.isEmpty)
    let upload = ResourceRequest.Builder(request).body(nil).multipartData(
      MultipartData(name: "f", data: .bytes([1]), fileName: "a.bin")
    ).build()
    #expect(upload.multipart.map(\.name) == ["f"])
    #expect(upload.parameters.map(\.name) == ["n"])
  }
}
