// Verifies an access token as a resource server does, without a profile and without being a client.
//
// usage: verify-token ISSUER AUDIENCE CA-FILE < TOKEN
import Foundation
import JOSE
import OAuth
import Primitives
import SDKCore

let words = CommandLine.arguments
guard words.count == 4, let token = readLine() else {
  fatalError("usage: verify-token ISSUER AUDIENCE CA-FILE < TOKEN")
}

var options = SessionOptions()
options.connections.environmentCAFile = words[3]
let service = KeyService(in: try ProfileStore(StoreLocation()), options: options)
let keys = try await service.keys(of: try Issuer(words[1]))

var expectations = keys.expectations(now: Timestamp(Int64(Date().timeIntervalSince1970)))
expectations.audiences = [words[2]]
expectations.type = "at+jwt"

let verifier = TokenVerifier(keys: try await keys.current().keys, expectations)
let report = verifier.report(on: token)
for check in report.failures { print("\(check.name.rawValue): \(check.detail ?? "")") }
print(report.verdict.rawValue)
if report.verdict != .valid { exit(1) }
