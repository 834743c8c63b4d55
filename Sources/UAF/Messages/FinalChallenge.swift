import JSON
package import OpenSSL
import Primitives

/// What binds a response to its request, its application and its connection (dictionary
/// `FinalChallengeParams`).
package struct FinalChallenge: Sendable, Hashable {
  package let appID: String
  /// The challenge of the request, as it was: base64url.
  package let challenge: String
  package let facetID: String
  package let channelBinding: ChannelBinding

  /// An empty application is the facet itself.
  package init(
    appID: String, challenge: String, facetID: String,
    channelBinding: ChannelBinding = ChannelBinding()
  ) {
    self.appID = appID.isEmpty ? facetID : appID
    self.challenge = challenge
    self.facetID = facetID
    self.channelBinding = channelBinding
  }

  /// The member `fcParams` of a response: base64url of the JSON, without padding.
  package var encoded: String {
    let document: JSON = [
      "appID": .string(appID), "challenge": .string(challenge), "facetID": .string(facetID),
      "channelBinding": channelBinding.json,
    ]
    return Base64.encode(document.serializedBytes(), alphabet: .url)
  }

  /// SHA-256 of ``encoded``: of the text in base64url, not of the JSON.
  package static func hash(_ encoded: String) throws(CryptoError) -> [UInt8] {
    try Digest.sha256(encoded)
  }
}

/// What is known of the TLS connection on which the request came (dictionary `ChannelBinding`).
package struct ChannelBinding: Sendable, Hashable {
  /// The hash of the server's certificate (`tls-server-end-point` of RFC 5929).
  package var serverEndPoint: [UInt8]?

  package init(serverEndPoint: [UInt8]? = nil) { self.serverEndPoint = serverEndPoint }

  /// The dictionary, without what is not known.
  var json: JSON {
    .members([
      "serverEndPoint": serverEndPoint.map { .string(Base64.encode($0, alphabet: .url)) }
    ])
  }
}
