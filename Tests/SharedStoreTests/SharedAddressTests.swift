import CoreTestSupport

@testable import SharedStore

@Suite("Addresses of shared places")
struct SharedAddressTests {
  private static let long = String(repeating: "a", count: 200)

  @Test(
    "are read as they are written",
    arguments: [
      "etcd:https://a.test:2379/p", "etcd:https://a.test,b.test:2379/p/q",
      "etcd:https://a.test/\(long)",
    ])
  func accepted(text: String) {
    #expect((try? SharedAddress(text))?.description == text)
  }

  @Test(
    "are refused with a query, a second URL or a prefix that no key can have",
    arguments: [
      "etcd:https://a.test?x=1/p", "etcd:https://a.test,/p", "etcd:https:///p",
      "etcd:http://a.test/p", "etcd:https://a.test", "etcd:https://a.test/",
      "etcd:https://a.test/p//q", "etcd:https://a.test/p?x=1", "etcd:https://a.test/.p",
      "etcd:https://a.test/a b", "program:memory/p",
      "etcd:https://u@a.test/p", "etcd:https://a.test/p/", "etcd:https://a.test/../p",
      "etcd:https://a.test/\(long)a",
    ])
  func refused(text: String) async {
    await expect(.invalidRequest) { try SharedAddress(text) }
  }
}
