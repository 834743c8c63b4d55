import Testing

@testable import Curl

@Suite("HTTP/3 of a libcurl")
struct HTTP3SupportTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let version: String
    let number: UInt32
    let libraries: String?
    let refusal: String?
    var testDescription: String { "\(version) with \(libraries ?? "nothing")" }
  }

  @Test(
    "is used only with the libraries whose handshakes libcurl lets be checked",
    arguments: [
      Row(
        version: "7.88.1", number: 0x075801, libraries: nil,
        refusal: "libcurl 7.88.1 does not have HTTP/3"),
      Row(
        version: "8.14.1", number: 0x080E01, libraries: nil,
        refusal: "libcurl 8.14.1 does not have HTTP/3"),
      Row(version: "8.14.1", number: 0x080E01, libraries: "nghttp3/1.8.0", refusal: nil),
      Row(
        version: "8.18.0", number: 0x081200, libraries: "ngtcp2/1.18.0 nghttp3/1.14.0",
        refusal: nil),
      Row(
        version: "8.13.0", number: 0x080D00, libraries: "ngtcp2/1.8.0 nghttp3/1.6.0",
        refusal: "libcurl 8.13.0 is too old; 8.14 or newer is required"),
      Row(
        version: "8.14.1", number: 0x080E01, libraries: "quiche/0.22.0",
        refusal: "the handshakes of quiche/0.22.0 in libcurl 8.14.1 cannot be checked"),
      Row(
        version: "8.14.1", number: 0x080E01, libraries: "msh3/0.6.0 nghttp3/1.8.0",
        refusal: "the handshakes of msh3/0.6.0 nghttp3/1.8.0 in libcurl 8.14.1 cannot be checked"),
      Row(
        version: "8.14.1", number: 0x080E01, libraries: "",
        refusal: "the handshakes of  in libcurl 8.14.1 cannot be checked"),
    ])
  func refusal(_ row: Row) {
    let support = HTTP3Support(
      version: row.version, number: row.number, libraries: row.libraries)
    #expect(support.refusal == row.refusal)
  }

  @Test("A connection counts as verified by its number, after a transfer has seen its handshake")
  func connections() {
    let connections = VerifiedConnections()
    #expect(!connections.contains(0))
    connections.insert(0)
    #expect(connections.contains(0))
    #expect(!connections.contains(1))
  }
}
