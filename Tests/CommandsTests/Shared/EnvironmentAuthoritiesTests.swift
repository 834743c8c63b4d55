import CoreTestSupport

@testable import Commands

@Suite("The trusted authorities of the environment")
struct EnvironmentAuthoritiesTests {
  @Test(
    "are the file of curl's variable before that of OpenSSL's; an empty value does not count",
    arguments: [
      ("c", "s", "c"), (nil, "s", "s"), ("", "s", "s"), ("c", nil, "c"), ("", "", nil),
      (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func file(curl: String?, openSSL: String?, file: String?) {
    var values: [String: String] = [:]
    values["CURL_CA_BUNDLE"] = curl
    values["SSL_CERT_FILE"] = openSSL
    #expect(Environment(values).caFile == file)
  }
}
