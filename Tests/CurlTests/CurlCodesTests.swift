import CCurl
import TestSupport

@testable import Curl

@Suite struct CurlCodesTests {
  /// libcurl 8.14 has the codes to 101; a newer header may have more.
  @Test func everyCodeHasAMeaning() {
    let end = max(102, CURL_LAST.rawValue)
    for number in 1..<end {
      #expect(TransportError.Code(CURLcode(rawValue: number)) != nil, "code \(number)")
    }
    for number in [0, end] { #expect(TransportError.Code(CURLcode(rawValue: number)) == nil) }
  }

  @Test(
    arguments: [
      (5, .nameNotResolved), (6, .nameNotResolved), (28, .timeout), (77, .caFile),
      (58, .clientCertificateRequired), (98, .clientCertificateRequired), (63, .tooLarge),
      (100, .tooLarge), (42, .cancelled), (23, .responseBodyRefused), (26, .requestBodyFailed),
      (65, .requestBodyFailed), (3, .refused), (35, .tls), (60, .tls), (91, .tls), (101, .tls),
      (7, .connection), (52, .connection), (56, .connection), (92, .connection), (97, .connection),
      (8, .malformed), (43, .malformed), (61, .malformed), (2, .unavailable), (27, .unavailable),
      (99, .unavailable),
    ] as [(UInt32, TransportError.Code)])
  func aCodeMeans(number: UInt32, meaning: TransportError.Code) {
    #expect(TransportError.Code(CURLcode(rawValue: number)) == meaning)
  }
}
