import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("profile store move")
struct ProfileStoreMoveTests {
  @Test("names places as a person types them")
  func places() {
    for text in ["files", "helper:pass", "helper:a-b_c.d"] {
      #expect((try? StorePlace(text))?.description == text)
    }
    for text in ["", "file", "helper", "helper:", "helper:.a", "helper:a/b", "helper:a b", "pass"] {
      #expect(throws: SDKError.self) { try StorePlace(text) }
    }
  }
}
