package import JSON
import Primitives

/// Whether the server demands encrypted payloads, as its responses said: `payload.json` of the profile's state.
///
/// It has no secret, so that a request without a credential needs neither registration nor tokens to know it.
package struct PayloadDemand: Sendable {
  private let path: StorePath

  package init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.stateFile("profiles/\(profile)/payload.json")
  }

  func isNoted() throws(SDKError) -> Bool {
    try StoreDocument.read(path, .shared)?.members["encryption"]?.bool == true
  }

  /// Whether secret documents say so: a registration, or tokens.
  package static func isMade(by documents: some Sequence<JSONObject>) -> Bool {
    documents.contains {
      $0["client"]?["payload_encryption"]?.bool == true || $0["payloadEncryption"]?.bool == true
    }
  }

  package func note(_ isDemanded: Bool) throws(SDKError) {
    guard try isNoted() != isDemanded else { return }
    try StoreDocument(
      path: path, secrecy: .shared, members: ["encryption": .bool(isDemanded)]
    ).write()
  }
}
