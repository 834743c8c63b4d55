import Testing

@testable import HTTP

@Suite("A client certificate")
struct ClientCertificateTests {
  @Test("does not show itself, in a request or alone")
  func redaction() throws {
    let certificate = ClientCertificate(chain: [1], privateKey: Array("secret".utf8))
    var request = HTTPRequest(.get, try HTTPURL("https://api.test/"))
    #expect(request.clientCertificate == nil)
    request.clientCertificate = certificate
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(certificate)", String(reflecting: certificate), "\(request)", dumped] {
      #expect(!text.contains("115"))
      #expect(text.contains("‹redacted›"))
    }
  }
}
