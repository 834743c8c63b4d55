import HTTP
import Testing

@testable import SDKCore

@Suite("An error")
struct SDKErrorTests {
  @Test("prints its message")
  func text() {
    let error = SDKError(.network, "could not get the page: no route", details: ["line"])
    #expect("\(error)" == "could not get the page: no route")
    #expect("\(TransportError(.timeout, "too slow", host: "h"))" == "too slow")
  }

  @Test("with another message is a second error")
  func copies() {
    let error = SDKError(.network, cause: "no route", details: ["line"], subject: "h")
    var named = error.naming("could not get the page", "no route")
    named.isAboutHost = true
    #expect(error.message == "no route")
    #expect(error.isCause)
    #expect(!error.isAboutHost)
    #expect(named.message == "could not get the page: no route")
    #expect(!named.isCause)
    #expect(named.isAboutHost)
    #expect((named.code, named.details, named.subject) == (.network, ["line"], "h"))
    #expect(error != named)
    #expect(error == SDKError(.network, cause: "no route", details: ["line"], subject: "h"))
  }
}
