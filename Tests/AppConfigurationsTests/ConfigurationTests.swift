import CoreTestSupport
import Foundation

@testable import AppConfigurations
@testable import SDKCore

@Suite("Configurations of apps")
struct ConfigurationTests {
  private static let start = "could not read the configuration: "

  @Test(
    "are refused if a value is empty, or if they describe nothing that is used",
    arguments: [
      ("PK\u{3}\u{4}", "it is a ZIP archive; unpack it, and read its folder"),
      (#"{"client_id": 1}"#, "client_id is not a text"),
      (#"{"clientID": "a", "client_id": "b"}"#, "clientID and client_id are the same value"),
      (#"{"client_id": "a", "issuer": "https://id.test"}"#, "there is no setting 'client_id'"),
      (
        #"{"authorization_endpoint": "https://id.test/a", "token_endpoint": "https://id.test/t"}"#,
        "there is no setting 'authorization_endpoint'"
      ),
      (#"{"identity": {}}"#, "there is no setting 'identity'"),
      (#"{"version": 2, "scope": "a"}"#, "its 'version' is not 1, the only one there is"),
      (#"{"version": "1", "scope": "a"}"#, "its 'version' is not 1, the only one there is"),
      (#"{"version": 1}"#, "it has no setting and no key of a vendor"),
      (
        "{\"\(String(repeating: "n", count: 5000))\": {\"a\": 1}}",
        "there is no setting '\(String(repeating: "n", count: 1000))…'"
      ),
    ])
  func refused(text: String, cause: String) async {
    await expect(.invalidRequest, Self.start + cause) {
      _ = try AppConfiguration(reading: Array(text.utf8))
    }
  }

  @Test("in a folder have certificates in PEM, regular files, and no more than 256 files")
  func folder() async throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"token_server_uri": "https://a.test"}"#, to: "app/config.json")
    let path = folder.file("app")
    func refused(_ cause: String) async {
      await expect(.invalidRequest, Self.start + cause) { _ = try AppConfiguration(folder: path) }
    }
    await refused("it has no certificates, so its hosts could not be pinned")
    let name = "app/certificates/a.pem"
    for text in ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"] {
      try folder.write(text, to: name)
      await refused("'certificates/a.pem' is not a certificate in PEM")
    }
    try folder.remove(name)
    try folder.write("", to: "b.pem")
    try folder.link(name, to: "b.pem")
    await refused("'certificates/a.pem' is not a regular file")
    try folder.remove(name)
    for index in 0..<255 { try folder.write("", to: "app/certificates/\(index)") }
    await refused("'certificates/0' is not a certificate in PEM")
    try folder.write("", to: "app/certificates/last")
    await refused("it has more than 256 files")
  }
}
